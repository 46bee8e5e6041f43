import { type MjcfAttributes, mjcf, mjcfText } from "../../../core/mjcf/element.js";
import { joinFragments, type MjcfFragment } from "../../../core/mjcf/fragment.js";
import { scanMjcf } from "../../../core/mjcf/scan.js";
import type { ModelFiles, ModelText } from "../physics/compile.js";
import type { ManipulationWorld } from "../world/world.js";
import { yawQuat } from "../world/yaw.js";
import { arenaFragment, tableFragment } from "./arena.js";
import {
  COMPILER,
  type ComposeOptions,
  optionElement,
  thingFragments,
  worldMjcf,
} from "./compose.js";
import { withoutKeyframes } from "./files.js";
import type { MjcfModel } from "./model.js";
import { checkNames } from "./name-clash.js";
import { robotFragment } from "./robot-fragment.js";

/** What MuJoCo compiles. */
export interface WorldDocument {
  readonly xml: ModelText;
  readonly files: ModelFiles;
  /** What of the files was made here, and not read. */
  readonly own?: string;
}

/** Where our own part stands among the files. */
const PARTS = "/.robot-eval/parts.xml";

/** What of a scene's `<option>` is its nature and not a solver's setting. */
const NATURE = ["gravity", "wind", "magnetic", "density", "viscosity"];

/**
 * A world with the files it is made of. A scene that has the robot and needs nothing more is its own file. Else
 * files and our own parts are attached to an empty document, each read with its own compiler settings and
 * defaults, so that none of them leak from one into another; `<include>` would mix them. Of options only one set
 * can hold: the scene's where the robot is part of it, and else those under which our robots can hold things.
 */
export function worldDocument(world: ManipulationWorld, options: ComposeOptions): WorldDocument {
  const { scene, robot, robotInScene } = world.documents ?? {};
  if (!scene && !robot) return { xml: worldMjcf(world, options), files: {} };
  const parts = ownParts(world);
  const isEmpty = parts.every((fragment) =>
    Object.values(fragment).every((all) => all.length === 0),
  );
  if (scene && robotInScene && isEmpty) {
    return { xml: { path: scene.files.main }, files: scene.files.files };
  }
  checkNames(world, parts);
  const [x, y, theta] = world.basePose;
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
      : [mjcfText(optionElement(options, scene ? natureOf(scene) : {}))];
  const own = mjcfText(joinFragments("parts", [COMPILER], parts));
  return {
    xml: [
      `<mujoco model="${world.robot.robotType}">`,
      ...head,
      mjcfText(mjcf("asset", {}, ...attached.map(({ asset }) => asset))),
      mjcfText(mjcf("worldbody", {}, ...attached.map(({ body }) => body))),
      "</mujoco>",
    ].join("\n"),
    files: {
      ...(scene ? withoutKeyframes(scene.files) : {}),
      ...(robot ? withoutKeyframes(robot.files) : {}),
      [PARTS]: new TextEncoder().encode(own),
    },
    own,
  };
}

/** What is made here and not read. */
function ownParts(world: ManipulationWorld): readonly MjcfFragment[] {
  const { scene, robot, robotInScene } = world.documents ?? {};
  return [
    scene ? tableFragment(world) : arenaFragment(world),
    ...(robotInScene || robot ? [] : [robotFragment(world)]),
    ...thingFragments(world),
  ];
}

function part(name: string, file: string, frame: MjcfAttributes = {}) {
  return {
    // By its name alone MuJoCo would not know what a `.mjcf` is.
    asset: mjcf("model", { name, file, content_type: "text/xml" }),
    body: mjcf("frame", frame, mjcf("attach", { model: name, prefix: "" })),
  };
}

function natureOf({ files }: MjcfModel): MjcfAttributes {
  const attributes = files.options.flatMap((text) =>
    scanMjcf(text)
      .filter(({ tag }) => tag === "option")
      .flatMap((tag) => Object.entries(tag.attributes)),
  );
  return Object.fromEntries(attributes.filter(([name]) => NATURE.includes(name)));
}
