import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { samePoint, type Vec3 } from "../../core/math/vec3.js";
import { BaseMetric } from "../../core/metric/base.js";
import { stateOf } from "./state-of.js";

/** The end effector's position after a step, in metres. */
export function endEffectorPosition(record: StepRecord): Vec3 {
  return positionOf(stateOf(record, "ee_pose"), `step ${record.step}`);
}

/**
 * A metric that compares the end effector's path with the path of the episode's reference trajectory. The path
 * skips consecutive identical positions, so that pauses (for a gripper to close) have no weight.
 */
export abstract class EndEffectorMetric extends BaseMetric {
  protected path: Vec3[] = [];
  protected reference: readonly Vec3[] = [];

  reset(episode: BaseEpisode): void {
    this.path = [];
    const poses = episode.referenceData?.trajectory?.ee_pose ?? [];
    this.reference = poses.map((pose, i) =>
      positionOf(pose, `episode ${episode.episodeId}, reference_data.trajectory.ee_pose[${i}]`),
    );
  }

  update(record: StepRecord): void {
    const position = endEffectorPosition(record);
    const before = this.path.at(-1);
    if (!before || !samePoint(before, position)) this.path.push(position);
  }

  /** Whether both paths exist: the episode has a reference and there is at least one record. */
  protected get comparable(): boolean {
    return this.path.length > 0 && this.reference.length > 0;
  }
}

function positionOf(pose: readonly number[], where: string): Vec3 {
  const [x, y, z] = pose;
  if (x !== undefined && y !== undefined && z !== undefined) return [x, y, z];
  throw new DataError(
    "bad_ee_pose",
    `an end-effector pose must begin with x, y, z, got ${show(pose)}`,
    {
      where,
      hint: "a pose is [x, y, z, qw, qx, qy, qz]; the orientation may be left out",
    },
  );
}
