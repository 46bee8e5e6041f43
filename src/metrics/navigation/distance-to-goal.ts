import type { MetricInfo } from "../../core/metric/base.js";
import { NavigationError } from "./navigation-error.js";

/**
 * Habitat's name for `navigation_error`: the distance to the goal at the last record. The value is the
 * same; both names exist because published tables use either.
 *
 * Metres, [0, inf), lower is better. Edge cases as in `navigation_error`.
 *
 * Source: Habitat-Lab's DistanceToGoal (Savva et al. 2019, arXiv:1904.01201).
 */
export class DistanceToGoal extends NavigationError {
  override readonly info: MetricInfo = {
    name: "distance_to_goal",
    summary: "Distance to the goal where the episode ended (Habitat's name).",
    unit: "m",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: ["distance_to_goal"] },
  };
}
