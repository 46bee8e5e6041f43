import type { MetricInfo } from "../../core/metric/base.js";
import { GoalDistanceMetric } from "../shared/goal-distance.js";

/**
 * How far from the goal the episode ended: `distance_to_goal` of the last record, along the scene's
 * shortest path to the nearest of several goals. Whether the agent stopped does not matter.
 *
 * Metres, [0, inf), lower is better. Infinite if no path leads from the last position to the goal; the
 * scorer reports that as null.
 *
 * Source: Anderson et al. 2018, Room-to-Room (arXiv:1711.07280). Habitat calls it `distance_to_goal`.
 */
export class NavigationError extends GoalDistanceMetric {
  readonly info: MetricInfo = {
    name: "navigation_error",
    summary: "Distance to the goal where the episode ended.",
    unit: "m",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["distance_to_goal"] },
  };

  getMetric(): number | null {
    return this.distance.last ?? null;
  }
}
