import type { MetricInfo } from "../../core/metric/base.js";
import { GoalDistanceMetric } from "../shared/goal-distance.js";

/**
 * How close the robot ever came to the goal: the least `distance_to_goal` of all records, including the
 * first.
 *
 * Metres, [0, inf), lower is better; never above `navigation_error`.
 *
 * Source: Anderson et al. 2018, Room-to-Room (arXiv:1711.07280), where `oracle_success` is based on it.
 */
export class OracleNavigationError extends GoalDistanceMetric {
  readonly info: MetricInfo = {
    name: "oracle_navigation_error",
    summary: "Least distance to the goal over the whole episode.",
    unit: "m",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["distance_to_goal"] },
  };

  getMetric(): number | null {
    return this.distance.least ?? null;
  }
}
