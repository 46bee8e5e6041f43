import { ConfigError, show } from "../../core/errors.js";
import { dtwPoints } from "../../core/math/dtw.js";
import type { MetricConfig, MetricInfo } from "../../core/metric/base.js";
import { EndEffectorMetric } from "./end-effector.js";

/**
 * How closely the end effector followed the reference demonstration, in position: nDTW of its path.
 *
 *     exp(-DTW(P, R) / (|R| * scale))
 *
 * P: end-effector positions of the records, consecutive identical ones skipped. R: positions of
 * `reference_data.trajectory.ee_pose`. DTW is exact with Euclidean ground distance. `scale` (config,
 * metres, 0.05 by default) is the mean deviation per reference point at which the value is 1/e.
 *
 * Range (0, 1], higher is better; 1 exactly when P and R agree up to repeated points. Orientation and
 * timing are ignored.
 * Null when the episode has no reference trajectory.
 *
 * Source: nDTW of Ilharco et al. 2019 (arXiv:1907.05446), applied to the end effector; no public
 * manipulation benchmark reports a trajectory similarity. See also `ee_frechet` and `joint_rmse`.
 *
 * @example
 * new TrajectorySimilarity({ scale: 0.1 }).info.range; // [0, 1]
 */
export class TrajectorySimilarity extends EndEffectorMetric {
  readonly info: MetricInfo = {
    name: "trajectory_similarity",
    summary: "Closeness of the end-effector path to the reference demonstration (nDTW).",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: ["ee_pose"], reference: "trajectory" },
  };

  readonly #scaleM: number;

  constructor(config: MetricConfig = {}) {
    super(config);
    const { scale = 0.05 } = config;
    if (typeof scale !== "number" || !(scale > 0) || scale === Number.POSITIVE_INFINITY) {
      throw new ConfigError(
        "bad_metric_config",
        `trajectory_similarity: scale must be a positive number of metres, got ${show(scale)}`,
        { hint: "leave it out for the default of 0.05" },
      );
    }
    this.#scaleM = scale;
  }

  getMetric(): number | null {
    if (!this.comparable) return null;
    const { path, reference } = this;
    return Math.exp(-dtwPoints(path, reference) / (reference.length * this.#scaleM));
  }
}
