import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";

/**
 * Whether the task's success condition held when the episode ended: `success` of the last record. The
 * task defines the condition (grasped, lifted, placed, ... and for how long).
 *
 * 0 or 1, higher is better. It differs from `success_once` only when success does not end the episode
 * (`terminate_on_success: false`) and the condition no longer holds at the end.
 *
 * Source: success_at_end of ManiSkill3 (Tao et al. 2024, arXiv:2410.00425).
 *
 * @example
 * getTask("pick_place", { metrics: ["manip_success"] }).getMetrics(); // [ManipulationSuccess]
 */
export class ManipulationSuccess extends BaseMetric {
  readonly info: MetricInfo = {
    name: "manip_success",
    summary: "The task's success condition held at the end of the episode.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "rate",
    gatedBySuccess: true,
    needs: { state: ["success"] },
  };

  #success = false;

  reset(): void {
    this.#success = false;
  }

  update(record: StepRecord): void {
    this.#success = record.state.success === true;
  }

  getMetric(): number {
    return this.#success ? 1 : 0;
  }
}
