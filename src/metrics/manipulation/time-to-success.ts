import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { timeOf } from "../shared/state-of.js";

/**
 * How long the task took: simulated seconds from reset until the success condition first held.
 *
 * Seconds, [0, inf), lower is better. Null when it never held, so the mean is over successful episodes
 * only: report it together with `success_once`. The policy's inference time is not included.
 * 0 when the condition holds at the start.
 *
 * Source: our own; the condition is the one of `success_once`.
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
