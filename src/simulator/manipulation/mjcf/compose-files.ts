import { type MjcfAttributes, mjcf, mjcfText } from "../../../core/mjcf/element.js";
import { joinFragments, type MjcfFragment } from "../../../core/mjcf/fragment.js";
import { scanMjcf } from "../../../core/mjcf/scan.js";
import type { ModelFiles, ModelText } from "../physics/model/compile.js";
import type { ManipulationWorld } from "../world/world.js";
import { yawQuat } from "../world/yaw.js";
import { withAdditions } from "./additions.js";
import { arenaFragment, tableFragment } from "./arena.js";
import {
  COMPILER,
  type ComposeOptions,
  contentFragments,
  optionElement,
  worldMjcf,
} from "./compose.js";
import { withoutKeyframes } from "./files.js";
import type { MjcfModel } from "./model.js";
import { checkNames } from "./name-clash.js";
import { robotFragment } from "./robot-fragment.js";

/** A document that MuJoCo compiles, with its files. */
export interface WorldDocument {
  readonly xml: ModelText;
  readonly files: ModelFiles;
  /** The generated part of the files. */
  readonly own?: string;
}

/** Path of the generated part among the files. */
const PARTS = "/.robot-eval/parts.xml";

/** Attributes of a scene's `<option>` that describe its environment, not the solver. */
const ENVIRONMENT = ["gravity", "wind", "magnetic", "density", "viscosity"];

/**
 * The document of a world. A scene file that contains the robot and needs no additions is used as it is. Otherwise the
 * files and the generated parts are attached to an empty document. Each keeps its own compiler settings and defaults,
 * which `<include>` would mix. Only one set of options can apply: the scene's if it contains the robot, else those
 * under which the built-in robots can grasp.
 */
export function worldDocument(world: ManipulationWorld, options: ComposeOptions): WorldDocument {
  const { scene, robot, robotInScene } = world.documents ?? {};
  if (!scene && !robot) return { xml: worldMjcf(world, options), files: {} };
  const parts = ownParts(world);
  const isEmpty = parts.every((fragment) =>
    Object.values(fragment).every((all) => all.length === 0),
  );
  const own = robotInScene ? scene : robot;
  const complete = (files: ModelFiles, model: MjcfModel) =>
    model === own ? withAdditions(files, world.robot, model) : files;
  if (scene && robotInScene && isEmpty) {
    return { xml: { path: scene.files.main }, files: complete(scene.files.files, scene) };
  }
  checkNames(world, parts);
  // The joints of a base that drives are set to its pose.
  const [x, y, theta] = world.robot.model?.base ? [0, 0, 0] : world.basePose;
  const attached = [
    ...(scene ? [part("scene", scene.files.main)] : []),
    ...(robot && !robotInScene
      ? [part("robot", robot.files.main, { pos: [x, y, 0], quat: yawQuat(theta) })]
      : []),
    ...(isEmpty ? [] : [part("parts", PARTS)]),
  ];
  const head =
    scene && robotInScene
      ? scene.files.options
      : [mjcfText(optionElement(options, scene ? environmentOf(scene) : {}))];
  const text = mjcfText(joinFragments("parts", [COMPILER], parts));
  return {
    xml: [
      `<mujoco model="${world.robot.robotType}">`,
      ...head,
      mjcfText(mjcf("asset", {}, ...attached.map(({ asset }) => asset))),
      mjcfText(mjcf("worldbody", {}, ...attached.map(({ body }) => body))),
      "</mujoco>",
    ].join("\n"),
    files: {
      ...(scene ? complete(withoutKeyframes(scene.files), scene) : {}),
      ...(robot ? complete(withoutKeyframes(robot.files), robot) : {}),
      [PARTS]: new TextEncoder().encode(text),
    },
    own: text,
  };
}

/** The generated parts. */
function ownParts(world: ManipulationWorld): readonly MjcfFragment[] {
  const { scene, robot, robotInScene } = world.documents ?? {};
  return [
    scene ? tableFragment(world) : arenaFragment(world),
    ...(robotInScene || robot ? [] : [robotFragment(world)]),
    ...contentFragments(world),
  ];
}

function part(name: string, file: string, frame: MjcfAttributes = {}) {
  return {
    // MuJoCo does not recognise the extension `.mjcf`.
    asset: mjcf("model", { name, file, content_type: "text/xml" }),
    body: mjcf("frame", frame, mjcf("attach", { model: name, prefix: "" })),
  };
}

function environmentOf({ files }: MjcfModel): MjcfAttributes {
  const attributes = files.options.flatMap((text) =>
    scanMjcf(text)
      .filter(({ tag }) => tag === "option")
      .flatMap((tag) => Object.entries(tag.attributes)),
  );
  return Object.fromEntries(attributes.filter(([name]) => ENVIRONMENT.includes(name)));
}
