import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { GoalDistance } from "../shared/goal-distance.js";
import { pathEfficiency } from "../shared/path-efficiency.js";
import { PathLength } from "./path-length.js";

/**
 * SPL with the progress towards the goal in place of success, so that episodes that end near the goal
 * count too. No stop is required.
 *
 *     soft_spl = max(0, 1 - dtg / d0) * d0 / max(d0, L)
 *
 * dtg and d0 are `distance_to_goal` of the last and the first record, L is `path_length`.
 *
 * Range [0, 1], higher is better. Ending farther away than the start is 0, as is never moving.
 * d0 = 0 (the start is on the goal): 1 when it ends there with L = 0, else 0. d0 infinite: null.
 *
 * Source: Datta et al. 2020 (arXiv:2009.03231); Habitat-Lab's SoftSPL.
 */
export class SoftSpl extends BaseMetric {
  readonly info: MetricInfo = {
    name: "soft_spl",
    summary: "Progress towards the goal weighted by shortest over travelled path length.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: ["position", "distance_to_goal"] },
  };

  readonly #length = new PathLength();
  readonly #distance = new GoalDistance();

  reset(): void {
    this.#length.reset();
    this.#distance.reset();
  }

  update(record: StepRecord): void {
    this.#length.update(record);
    this.#distance.update(record);
  }

  getMetric(): number | null {
    const { start, last } = this.#distance;
    if (start === undefined || last === undefined) return null;
    const efficiency = pathEfficiency(start, this.#length.getMetric());
    if (efficiency === null) return null;
    if (start === 0) return last === 0 ? efficiency : 0;
    return Math.max(0, 1 - last / start) * efficiency;
  }
}
