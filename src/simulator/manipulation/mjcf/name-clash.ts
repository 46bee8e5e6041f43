import { DataError } from "../../../core/errors.js";
import type { MjcfElement } from "../../../core/mjcf/element.js";
import type { MjcfFragment } from "../../../core/mjcf/fragment.js";
import { fragmentOf } from "../../../robots/descriptor.js";
import { ELEMENT_KINDS, type ElementKind } from "../physics/names.js";
import type { ManipulationWorld } from "../world/world.js";
import type { MjcfModel } from "./model.js";

type Named = readonly [kind: ElementKind, name: string];

/** Checks that no two parts of a world share a name. MuJoCo's own error does not say which parts they are. */
export function checkNames(
  { documents, robot }: ManipulationWorld,
  parts: readonly MjcfFragment[],
): void {
  const { scene, robot: file, robotInScene } = documents ?? {};
  const bodies = new Set(namesIn(fragmentOf(robot) ?? {}).map((one) => one.join(" ")));
  const owner = (one: Named) =>
    bodies.has(one.join(" ")) ? `the robot ${robot.robotType}` : "the episode's additions";
  const owned: (readonly [owner: string, Named])[] = [
    ...(scene ? namesOf(scene).map((one) => [scene.path, one] as const) : []),
    ...(file && !robotInScene ? namesOf(file).map((one) => [file.path, one] as const) : []),
    ...parts.flatMap(namesIn).map((one) => [owner(one), one] as const),
  ];
  const seen = new Map<string, string>();
  for (const [whose, one] of owned) {
    const key = one.join(" ");
    const first = seen.get(key);
    seen.set(key, whose);
    if (first === undefined || first === whose) continue;
    const [kind, name] = one;
    throw new DataError(
      "name_clash",
      `${first} and ${whose} both have a ${kind} "${name}"; names must be unique in a world`,
      { where: first, hint: `rename the ${kind} in the file` },
    );
  }
}

function namesOf(model: MjcfModel): readonly Named[] {
  return ELEMENT_KINDS.flatMap((kind) =>
    model
      .names(kind)
      .filter((name) => name !== "world")
      .map((name) => [kind, name] as const),
  );
}

const KIND_OF: Readonly<Record<string, ElementKind>> = {
  body: "body",
  joint: "joint",
  freejoint: "joint",
  geom: "geom",
  site: "site",
  camera: "camera",
};

function namesIn({ worldbody = [], actuator = [] }: MjcfFragment): readonly Named[] {
  const inside = ({ tag, attributes, children }: MjcfElement): readonly Named[] => {
    const kind = KIND_OF[tag];
    return [...named(kind, attributes.name), ...children.flatMap(inside)];
  };
  return [
    ...worldbody.flatMap(inside),
    ...actuator.flatMap(({ attributes }) => named("actuator", attributes.name)),
  ];
}

function named(kind: ElementKind | undefined, name: unknown): readonly Named[] {
  return kind && typeof name === "string" ? [[kind, name]] : [];
}
