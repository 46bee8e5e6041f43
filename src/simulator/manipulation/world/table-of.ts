import type { BaseEpisode } from "../../../core/episode/base.js";
import { isRecord } from "../../../core/record.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { shapeInName } from "../objects/guess.js";
import { SHAPES } from "../objects/object.js";
import {
  beyondReach,
  defaultTable,
  defaultTableHeight,
  TABLE_HEIGHT_M,
  TABLE_THICKNESS_M,
} from "./layout.js";
import { episodeError, type WorldConfig } from "./task-config.js";
import type { ManipulationWorld, TableSpec } from "./world.js";

/** Where an object should be put. */
interface TargetLocation {
  readonly at: readonly [x: number, y: number];
  /** Height of the object's centre. */
  readonly z: number | undefined;
}

/** The position in `goals.target_location`, if there is one. */
export function targetLocationOf({
  goals: { target_location },
}: BaseEpisode): TargetLocation | undefined {
  const position: unknown = isRecord(target_location) ? target_location.position : undefined;
  if (!Array.isArray(position)) return undefined;
  const [x, y, z]: unknown[] = position;
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  return { at: [x, y], z: typeof z === "number" ? z : undefined };
}

/**
 * The episode's table; what it does not say is the default, which the robot can reach.
 *
 * @throws DataError if an episode without table and objects has a goal that the robot cannot reach
 */
export function tableOf(
  episode: BaseEpisode,
  config: WorldConfig,
  robot: RobotDescriptor,
  basePose: ManipulationWorld["basePose"],
  target: { readonly goal: TargetLocation | undefined; readonly object: string | undefined },
): TableSpec {
  const { goal, object } = target;
  const isBare = config.table === undefined && config.scene_objects === undefined;
  const fallback =
    isBare && goal && object !== undefined
      ? reachableTable(episode, robot, basePose, goal, object)
      : defaultTable(robot, basePose, goal?.at);
  const { position, size, yaw } = config.table ?? {};
  const [length, width, thickness = TABLE_THICKNESS_M] = size ?? [];
  const [x, y, z = TABLE_HEIGHT_M] = position ?? [];
  return {
    position: x === undefined || y === undefined ? fallback.position : [x, y, z],
    // The default table faces the robot; a table of a given size is aligned with the axes.
    yawRad: yaw ?? (size ? 0 : fallback.yawRad),
    sizeM:
      length === undefined || width === undefined ? fallback.sizeM : [length, width, thickness],
  };
}

function reachableTable(
  episode: BaseEpisode,
  robot: RobotDescriptor,
  basePose: ManipulationWorld["basePose"],
  { at, z }: TargetLocation,
  object: string,
): TableSpec {
  const shape = shapeInName(object);
  const heightM = defaultTableHeight(z, shape ? SHAPES[shape].sizeM[2] : 0);
  const problem = beyondReach(robot, basePose, at, heightM);
  if (problem === undefined) return defaultTable(robot, basePose, at, heightM);
  throw episodeError(
    episode,
    "goals.target_location.position",
    problem,
    "move the goal or start_state.base_pose, or give the table and the objects in task_config",
  );
}
