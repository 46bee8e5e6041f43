import type { MetricInfo } from "../../core/metric/base.js";
import { PathMetric } from "../shared/path-metric.js";

/**
 * Total deviation of the travelled path P from the reference path R: dynamic time warping.
 *
 *     DTW(P, R) = min over monotone alignments of the sum of d(p, r) over aligned pairs
 *
 * Exact, no window. P skips consecutive identical positions. The profile chooses R, and whether d is
 * Euclidean or the scene's shortest-path distance (see PathMetric).
 *
 * Metres, [0, inf), lower is better; grows with the number of points, so compare `ndtw` across
 * episodes. Null when the episode has no reference path.
 * Traps: published VLN-CE numbers use the approximate fastdtw (radius 1), which is never below this.
 * A profile with scene distances but no scene is a DataError; there is no fallback to straight lines.
 *
 * Source: Sakoe and Chiba 1978; for navigation, Ilharco et al. 2019 (arXiv:1907.05446).
 *
 * @example
 * getTask("vln", { metrics: ["dtw"] }).getMetrics(); // [DTW]
 */
export class Dtw extends PathMetric {
  readonly info: MetricInfo = {
    name: "dtw",
    summary: "Total deviation from the reference path under the best alignment.",
    unit: "m",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["position"], reference: "path" },
  };

  getMetric(): number | null {
    return this.comparable ? this.dtw() : null;
  }
}
