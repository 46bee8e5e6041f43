import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";

/**
 * Whether the task's success condition held at any record, including the first.
 *
 * 0 or 1, higher is better; never below `manip_success`. State which of the two a table reports: for one
 * published policy the choice makes the difference between 29 % and 75 %.
 *
 * Source: success_once of ManiSkill3 (Tao et al. 2024, arXiv:2410.00425).
 */
export class SuccessOnce extends BaseMetric {
  readonly info: MetricInfo = {
    name: "success_once",
    summary: "The task's success condition held at some step.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "rate",
    needs: { state: ["success"] },
  };

  #success = false;

  reset(): void {
    this.#success = false;
  }

  update(record: StepRecord): void {
    this.#success ||= record.state.success === true;
  }

  getMetric(): number {
    return this.#success ? 1 : 0;
  }
}
