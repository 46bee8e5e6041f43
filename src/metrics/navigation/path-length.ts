import type { StepRecord } from "../../core/interfaces/step.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { stateOf } from "../shared/state-of.js";

/**
 * How far the robot travelled: the sum of Euclidean 3-D distances between consecutive records'
 * positions. On a graph that is the sum of the lengths of the edges used.
 *
 * Metres, [0, inf). Neither direction is better: an agent that never moves has the shortest path.
 * 0 for a single record.
 *
 * Source: the L of SPL, Anderson et al. 2018 (arXiv:1807.06757); "TL" in Room-to-Room tables.
 */
export class PathLength extends BaseMetric {
  readonly info: MetricInfo = {
    name: "path_length",
    summary: "Length of the travelled path.",
    unit: "m",
    direction: "none",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["position"] },
  };

  #last: Vec3 | undefined;
  #sum = 0;

  reset(): void {
    this.#last = undefined;
    this.#sum = 0;
  }

  update(record: StepRecord): void {
    const position = stateOf(record, "position");
    if (this.#last) this.#sum += distance3(this.#last, position);
    this.#last = position;
  }

  getMetric(): number {
    return this.#sum;
  }
}
