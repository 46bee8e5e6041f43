import { discreteFrechet } from "../../core/math/frechet.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { MetricInfo } from "../../core/metric/base.js";
import { EndEffectorMetric } from "../shared/end-effector.js";

/**
 * The worst deviation of the end-effector path P from the reference path R, under the best alignment of
 * the two from start to end: the discrete Fréchet distance.
 *
 *     min over monotone alignments of max over aligned pairs of |p - r|
 *
 * P: end-effector positions of the records. R: positions of `reference_data.trajectory.ee_pose`.
 * Orientation and timing are ignored. The discrete distance exceeds the continuous one by at most the
 * longest gap between neighbouring points of P or R.
 *
 * Metres, [0, inf), lower is better; 0 exactly when P and R agree up to repeated points.
 * Null when the episode has no reference trajectory.
 *
 * Source: Eiter and Mannila 1994, TU Wien CD-TR 94/64.
 */
export class EeFrechet extends EndEffectorMetric {
  readonly info: MetricInfo = {
    name: "ee_frechet",
    summary: "Worst deviation of the end-effector path from the reference (discrete Fréchet).",
    unit: "m",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["ee_pose"], reference: "trajectory" },
  };

  getMetric(): number | null {
    if (!this.comparable) return null;
    const { path, reference } = this;
    return discreteFrechet(path.length, reference.length, (i, j) =>
      distance3(path[i] as Vec3, reference[j] as Vec3),
    );
  }
}
