import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";

/**
 * How many steps were blocked, completely or partly: the number of records whose `collided` is true.
 *
 * The simulator decides what a collision is. Habitat's rule: the squared distance moved plus 1e-5 is
 * less than the squared distance asked for. So turning never collides, and sliding along a wall does.
 *
 * A whole number, [0, inf), lower is better. A record without `collided` counts as free, so that
 * simulators without collisions (a navigation graph) can omit the field.
 *
 * Source: Habitat-Lab's Collisions (Savva et al. 2019, arXiv:1904.01201).
 */
export class Collisions extends BaseMetric {
  readonly info: MetricInfo = {
    name: "collisions",
    summary: "Number of steps in which the robot was blocked.",
    unit: "1",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: [] },
  };

  #count = 0;

  reset(): void {
    this.#count = 0;
  }

  update(record: StepRecord): void {
    if (record.state.collided === true) this.#count++;
  }

  getMetric(): number {
    return this.#count;
  }
}
