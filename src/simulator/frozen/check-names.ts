import { DataError } from "../../core/errors.js";
import type { ElementKind } from "../manipulation/physics/names.js";
import type { Physics } from "../manipulation/physics/physics.js";
import type { FrozenDescription, PartDescription, Reading } from "./description.js";

/**
 * Names that do not exist would otherwise fail in the middle of an episode.
 *
 * @throws DataError if the description names something that the model or the description lacks
 */
export function checkNames(physics: Physics, description: FrozenDescription, where: string): void {
  const { robot, control, action, cameras, objects, points, frames } = description;
  const values: Readonly<Record<string, Reading>> = {
    ...description.values,
    ...description.observations,
  };
  const readings = Object.values(values);
  const needed: readonly (readonly [ElementKind, readonly string[]])[] = [
    ["joint", [...robot.joints, ...robot.gripper_joints]],
    ["joint", action.parts.flatMap(jointsOf)],
    ["joint", Object.keys(control.completion?.joints ?? {})],
    ["joint", readings.flatMap((reading) => ("joints" in reading ? reading.joints : []))],
    ["site", [robot.site]],
    ["site", action.parts.flatMap(sitesOf)],
    ["site", readings.flatMap((reading) => ("site" in reading ? [reading.site] : []))],
    ["body", [robot.hand, ...objects]],
    ["body", action.parts.flatMap(bodiesOf)],
    ["body", readings.flatMap((reading) => ("body" in reading ? [reading.body] : []))],
    ["geom", robot.fingers.flat()],
    ["geom", readings.flatMap((reading) => ("geom" in reading ? [reading.geom] : []))],
    ["actuator", action.parts.flatMap(({ actuators }) => actuators)],
    ["camera", cameras.names],
    ["camera", frames.map(({ camera }) => camera)],
  ];
  for (const [kind, names] of needed) {
    const missing = names.find((name) => !physics.has(kind, name));
    if (missing === undefined) continue;
    throw bad(`the model has no ${kind} "${missing}", which the description names`, where);
  }
  const named = [...readings.flatMap(referencesOf), ...Object.values(points)];
  const unknown = named.find((name) => !Object.hasOwn(values, name));
  if (unknown !== undefined) {
    throw bad(`a reading or a point refers to "${unknown}", which the description lacks`, where);
  }
  for (const part of action.parts) {
    if (part.type !== "MOCAP" || physics.isMocap(part.body)) continue;
    throw bad(`"${part.body}" is to be moved, but it is no mocap body`, where);
  }
}

function bad(problem: string, where: string): DataError {
  const hint = "write the world again with python -m robot_eval_client.freeze";
  return new DataError("bad_frozen", problem, { where, hint });
}

/** Names of other values from which a reading is computed. */
function referencesOf(reading: Reading): readonly string[] {
  switch (reading.kind) {
    case "relative_pos":
    case "relative_quat_xyzw":
      return [...reading.object, ...reading.frame];
    default:
      return "of" in reading ? [reading.of].flat() : [];
  }
}

function jointsOf(part: PartDescription): readonly string[] {
  switch (part.type) {
    case "OSC_POSE":
    case "OSC_POSITION":
    case "JOINT_POSITION":
    case "JOINT_VELOCITY":
      return part.joints;
    case "DIRECT":
      return part.offsets ?? [];
    case "GRIP":
    case "MOCAP":
      return [];
  }
}

function bodiesOf(part: PartDescription): readonly string[] {
  if (part.type !== "MOCAP") return [];
  return part.from_body === undefined ? [part.body] : [part.body, part.from_body];
}

function sitesOf(part: PartDescription): readonly string[] {
  const hasSites = part.type === "OSC_POSE" || part.type === "OSC_POSITION";
  return hasSites ? [part.site, part.base_site] : [];
}
