import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { samePoint, type Vec3 } from "../../core/math/vec3.js";
import { stateOf } from "./state-of.js";

/** Where the end effector is after a step. Metres. */
export function endEffectorPosition(record: StepRecord): Vec3 {
  return positionOf(stateOf(record, "ee_pose"), `step ${record.step}`);
}

/**
 * The end effector's path and the one of the episode's reference trajectory. The path skips
 * consecutive identical positions, so that waiting (for a gripper to close) does not weigh.
 */
export class EndEffectorPaths {
  #path: Vec3[] = [];
  #reference: readonly Vec3[] = [];

  reset(episode: BaseEpisode): void {
    this.#path = [];
    const poses = episode.referenceData?.trajectory?.ee_pose ?? [];
    this.#reference = poses.map((pose, i) =>
      positionOf(pose, `episode ${episode.episodeId}, reference_data.trajectory.ee_pose[${i}]`),
    );
  }

  update(record: StepRecord): void {
    const position = endEffectorPosition(record);
    const before = this.#path.at(-1);
    if (!before || !samePoint(before, position)) this.#path.push(position);
  }

  get path(): readonly Vec3[] {
    return this.#path;
  }

  get reference(): readonly Vec3[] {
    return this.#reference;
  }

  /** Whether there is anything to compare: the episode has a reference and at least one record came. */
  get comparable(): boolean {
    return this.#path.length > 0 && this.#reference.length > 0;
  }
}

function positionOf(pose: readonly number[], where: string): Vec3 {
  const [x, y, z] = pose;
  if (x !== undefined && y !== undefined && z !== undefined) return [x, y, z];
  throw new DataError(
    "bad_ee_pose",
    `an end-effector pose begins with x, y, z, got ${show(pose)}`,
    {
      where,
      hint: "a pose is [x, y, z, qw, qx, qy, qz]; the orientation may be left out",
    },
  );
}
