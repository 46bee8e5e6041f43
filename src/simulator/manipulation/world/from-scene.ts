import type { BaseEpisode } from "../../../core/episode/base.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { fixtureNames } from "../fixtures/names.js";
import type { MjcfModel } from "../mjcf/model.js";
import { objectPose } from "./object-pose.js";
import { badWorld, type ObjectConfig } from "./task-config.js";
import type { FixtureSpec, ObjectSpec } from "./world.js";
import { unit, yawQuat } from "./yaw.js";

/** Keys of an object that a body of the scene's file has already. */
const OF_THE_FILE = ["shape", "size", "mass", "friction", "color"] as const;

/** Whether the scene's file has the robot in it: all that the robot's numbers move, or nothing of it. */
export function isInScene(
  episode: BaseEpisode,
  { robotType, dofs, model }: RobotDescriptor,
  scene: MjcfModel,
): boolean {
  const wanted = [
    ...dofs.flatMap(({ joints }) => joints.map((name) => ["joint", name] as const)),
    ...(model?.actuators ?? []).map((name) => ["actuator", name] as const),
  ];
  const missing = wanted.filter(([kind, name]) => !scene.has(kind, name));
  if (missing.length === 0) return true;
  if (missing.length === wanted.length && model?.mjcf) return false;
  const [kind, name] = missing[0] ?? ["joint", ""];
  const all = missing.map(([, one]) => `"${one}"`).join(", ");
  throw badWorld(
    episode,
    "scene_id",
    `${scene.path} lacks ${missing.length} of the ${wanted.length} joints and actuators of the robot ${robotType}: ${all}`,
    model?.mjcf
      ? `either the robot is in the file, or nothing of it; ${kind} ${suggestion(name, scene.names(kind))}`
      : `${robotType} has no body but the scene's; ${kind} ${suggestion(name, scene.names(kind))}`,
  );
}

/** A body of the scene's file as an object; `config` may put it somewhere else. */
export function sceneObject(
  episode: BaseEpisode,
  scene: MjcfModel,
  name: string,
  config?: ObjectConfig & { readonly field: string },
): ObjectSpec {
  const body = scene.body(name);
  const { bounds } = body;
  const field = config?.field ?? "goals";
  if (!bounds) throw badWorld(episode, field, `"${name}" of ${scene.path} has no shape of its own`);
  const there = objectPose({ body: () => body.pose }, { name, middleInBody: bounds.middleM });
  const spec: ObjectSpec = {
    name,
    shape: bounds.shape,
    sizeM: bounds.sizeM,
    middleInBody: bounds.middleM,
    ...there,
    massKg: body.massKg,
    friction: body.friction,
    color: [0.5, 0.5, 0.5],
  };
  if (!config) return spec;
  const own = OF_THE_FILE.find((key) => config[key] !== undefined);
  if (own !== undefined) {
    throw badWorld(
      episode,
      `${config.field}.${own}`,
      `"${name}" is a body of ${scene.path}, which has a ${own} already`,
      "an episode may set its position, yaw and rotation_wxyz",
    );
  }
  if (!body.isFree) {
    throw badWorld(
      episode,
      `${config.field}.position`,
      `"${name}" of ${scene.path} has no free joint, so it stays where the file has it`,
    );
  }
  const [x = 0, y = 0, z = there.position[2]] = config.position;
  const { yaw, rotation_wxyz } = config;
  return {
    ...spec,
    position: [x, y, z],
    rotation_wxyz:
      yaw !== undefined ? yawQuat(yaw) : rotation_wxyz ? unit(rotation_wxyz) : there.rotation_wxyz,
    isMoved: true,
  };
}

/** Object names that the goals use. */
export function namedObjects({ goals }: BaseEpisode): string[] {
  const { target_object, target_location } = goals;
  const onto = isRecord(target_location) ? target_location.object : undefined;
  return [nameIn(target_object), onto].filter((name) => typeof name === "string");
}

/** The `name` of a goal's target. */
export function nameIn(target: unknown): string | undefined {
  return isRecord(target) && typeof target.name === "string" ? target.name : undefined;
}

/**
 * What the scene's file has of a fixture, by the names of those that are made here: a joint `<name>_joint` that
 * opens from 0, a site `<name>_handle` and the moving body `<name>_panel`. Undefined where it has no such joint.
 */
export function sceneFixture(
  episode: BaseEpisode,
  scene: MjcfModel,
  name: string,
): FixtureSpec | undefined {
  const { joint, handle, moving } = fixtureNames(name);
  if (!scene.has("joint", joint)) return undefined;
  const field = "goals.target_fixture.name";
  for (const [kind, part] of [
    ["site", handle],
    ["body", moving],
  ] as const) {
    if (scene.has(kind, part)) continue;
    throw badWorld(
      episode,
      field,
      `${scene.path} has the joint "${joint}", and no ${kind} "${part}" that goes with it`,
      suggestion(part, scene.names(kind)),
    );
  }
  const { type, range } = scene.joint(joint);
  if ((type !== "slide" && type !== "hinge") || !range || range[1] <= 0) {
    throw badWorld(
      episode,
      field,
      `"${joint}" of ${scene.path} is no sliding or turning joint with a range from 0, closed, to open`,
    );
  }
  const { pose, bounds } = scene.body(moving);
  return {
    name,
    kind: type === "slide" ? "drawer" : "door",
    position: pose.position,
    yawRad: 0,
    sizeM: bounds?.sizeM ?? [0, 0, 0],
    range: range[1],
    opened: 0,
    damping: 0,
    frictionLoss: 0,
    inScene: true,
  };
}
