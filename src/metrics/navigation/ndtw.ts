import type { MetricInfo } from "../../core/metric/base.js";
import { PathMetric } from "../shared/path-metric.js";

/**
 * How well the travelled path P follows the reference path R: DTW, normalised.
 *
 *     nDTW = exp(-DTW(P, R) / (|R| * success_distance))
 *
 * |R| is the number of reference points, so the density of R matters: the `vlnce` profile uses the
 * dense ground-truth locations, as VLN-CE does. P, R and the ground distance are as in `dtw`.
 *
 * Range [0, 1], higher is better; 1 exactly when P and R agree up to repeated points.
 * Null when the episode has no reference path.
 * Traps: published VLN-CE numbers use approximate DTW; InternNav's VLN-PE "ndtw" is another formula.
 *
 * Source: Ilharco et al. 2019 (arXiv:1907.05446).
 */
export class Ndtw extends PathMetric {
  readonly info: MetricInfo = {
    name: "ndtw",
    summary: "Closeness of the travelled path to the reference path, normalised.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: ["position"], reference: "path" },
  };

  getMetric(): number | null {
    if (!this.comparable) return null;
    return Math.exp(-this.dtw() / (this.reference.length * this.successDistanceM));
  }
}
