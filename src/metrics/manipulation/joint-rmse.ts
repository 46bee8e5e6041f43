import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { stateOf } from "../shared/state-of.js";

/**
 * Deviation of the joints from the reference demonstration: root mean square error over all points and
 * joints, after resampling to the same number of points.
 *
 *     sqrt( 1 / (|R| * J) * sum over k, j of (q'_kj - r_kj)^2 )
 *
 * R is `reference_data.trajectory.qpos`, J the number of joints. q' is the executed `qpos` sequence of
 * n records, resampled linearly over its index: point k of R is compared with index k (n - 1) / (|R| - 1).
 * Unlike DTW this compares timing, relative to each sequence's own length. A reference of a single point
 * is compared with the first record.
 *
 * [0, inf), lower is better. The unit is that of the joints: radians, and metres for prismatic joints,
 * averaged together. Angles are compared as numbers and not wrapped.
 * Null when the episode has no reference trajectory. Differing numbers of joints are a DataError.
 *
 * Source: our own; see also `trajectory_similarity` and `ee_frechet`.
 */
export class JointRmse extends BaseMetric {
  readonly info: MetricInfo = {
    name: "joint_rmse",
    summary: "Root mean square deviation of the joints from the reference demonstration.",
    unit: "rad",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["qpos"], reference: "trajectory" },
  };

  #executed: (readonly number[])[] = [];
  #reference: readonly (readonly number[])[] = [];

  reset(episode: BaseEpisode): void {
    this.#executed = [];
    this.#reference = episode.referenceData?.trajectory?.qpos ?? [];
    this.#reference.forEach((qpos, i) => {
      this.#checkJoints(qpos, `episode ${episode.episodeId}, reference_data.trajectory.qpos[${i}]`);
    });
  }

  update(record: StepRecord): void {
    const qpos = stateOf(record, "qpos");
    this.#checkJoints(qpos, `step ${record.step}`);
    this.#executed.push(qpos);
  }

  getMetric(): number | null {
    const points = this.#reference.length;
    const joints = this.#reference[0]?.length ?? 0;
    if (this.#executed.length === 0 || points * joints === 0) return null;
    const stride = points > 1 ? (this.#executed.length - 1) / (points - 1) : 0;
    let squares = 0;
    this.#reference.forEach((wanted, k) => {
      const before = Math.floor(k * stride);
      const share = k * stride - before;
      const low = this.#executed[before] as readonly number[];
      const high = this.#executed[before + 1] ?? low;
      wanted.forEach((target, j) => {
        const at = (low[j] as number) * (1 - share) + (high[j] as number) * share;
        squares += (at - target) ** 2;
      });
    });
    return Math.sqrt(squares / (points * joints));
  }

  #checkJoints(qpos: readonly number[], where: string): void {
    const joints = this.#reference[0]?.length;
    if (joints === undefined || qpos.length === joints) return;
    throw new DataError(
      "joint_count",
      `joint_rmse: expected ${joints} joints as in the first reference point, got ${qpos.length}`,
      { where, hint: "record the reference with the same robot, including the gripper" },
    );
  }
}
