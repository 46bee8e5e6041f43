import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { GoalDistance } from "../shared/goal-distance.js";

/**
 * How near the robot ever came to the goal: the least `distance_to_goal` of all records, the start
 * included.
 *
 * Metres, [0, inf), lower is better; never above `navigation_error`.
 *
 * Source: Anderson et al. 2018, Room-to-Room (arXiv:1711.07280), where `oracle_success` judges it.
 */
export class OracleNavigationError extends BaseMetric {
  readonly info: MetricInfo = {
    name: "oracle_navigation_error",
    summary: "Least distance to the goal over the whole episode.",
    unit: "m",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["distance_to_goal"] },
  };

  readonly #distance = new GoalDistance();

  reset(): void {
    this.#distance.reset();
  }

  update(record: StepRecord): void {
    this.#distance.update(record);
  }

  getMetric(): number | null {
    return this.#distance.least ?? null;
  }
}
