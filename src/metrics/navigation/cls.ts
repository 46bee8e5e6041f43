import type { MetricInfo } from "../../core/metric/base.js";
import { distanceToAny } from "../../core/scene/scene-point.js";
import { PathMetric } from "../shared/path-metric.js";

/**
 * Coverage weighted by length score: how much of the reference path R the travelled path P covers,
 * reduced if P is longer or shorter than that coverage requires. The order in which P visits the points
 * of R does not matter.
 *
 *     PC  = mean over r in R of exp(-d(r, P) / success_distance),   d(r, P) = min over p of d(r, p)
 *     EL  = PC * len(R)
 *     LS  = EL / (EL + |EL - len(P)|)
 *     CLS = PC * LS
 *
 * len() sums the ground distance d between consecutive points. P, R and d are as in `dtw`.
 *
 * Range [0, 1], higher is better. If EL and len(P) are both 0 (R is a single point and the robot never
 * moved), LS = 1; if only EL is 0, CLS is 0. Null when the episode has no reference path.
 * Trap: not symmetric, and the doctests of the reference implementation pass their variable named
 * `reference` as the prediction.
 *
 * Source: Jain et al. 2019, "Stay on the Path" (arXiv:1905.12255).
 */
export class Cls extends PathMetric {
  readonly info: MetricInfo = {
    name: "cls",
    summary: "Coverage of the reference path, weighted by the match of the path lengths.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: ["position"], reference: "path" },
  };

  getMetric(): number | null {
    if (!this.comparable) return null;
    const coverage = this.#coverage();
    const expected = coverage * this.length(this.reference);
    const travelled = this.length(this.path);
    if (expected === 0 && travelled === 0) return coverage;
    return coverage * (expected / (expected + Math.abs(expected - travelled)));
  }

  #coverage(): number {
    let sum = 0;
    for (const place of this.reference) {
      sum += Math.exp(-distanceToAny(this.ground, place, this.path) / this.successDistanceM);
    }
    return sum / this.reference.length;
  }
}
