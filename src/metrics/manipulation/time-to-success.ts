import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { timeOf } from "../shared/state-of.js";

/**
 * How long the task took: simulated seconds from reset until the success predicate first held.
 *
 * Seconds, [0, inf), lower is better. Null when it never held, so a mean is over the successful
 * episodes only: read it beside `success_once`. The time that the policy needed to think is not in it.
 * 0 when the predicate holds at the start.
 *
 * Source: our own; the predicate is the one of `success_once`.
 */
export class TimeToSuccess extends BaseMetric {
  readonly info: MetricInfo = {
    name: "time_to_success",
    summary: "Simulated time until the success condition first held.",
    unit: "s",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["success", "time_s"] },
  };

  #timeS: number | null = null;

  reset(): void {
    this.#timeS = null;
  }

  update(record: StepRecord): void {
    if (this.#timeS === null && record.state.success === true) this.#timeS = timeOf(record);
  }

  getMetric(): number | null {
    return this.#timeS;
  }
}
