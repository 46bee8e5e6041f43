import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import type { BaseTask } from "../../core/task/base.js";
import { GoalDistance } from "../shared/goal-distance.js";
import { pathEfficiency } from "../shared/path-efficiency.js";
import { PathLength } from "./path-length.js";
import { NavigationSuccess } from "./success.js";

/**
 * Success weighted by path length: a success counts less the longer the detour was.
 *
 *     SPL = S * d0 / max(d0, L)
 *
 * S is `success` under the task's profile, L is `path_length`, and d0 is `distance_to_goal` of record 0
 * as the simulator measured it, not a value of the dataset such as `info.geodesic_distance`.
 *
 * Range [0, 1], higher is better; never above `success`.
 * d0 = 0 (the start is on the goal): 1 with success and L = 0, else 0. d0 infinite: null, and the
 * scorer marks the episode invalid before that (`unreachable_goal`).
 *
 * Source: Anderson et al. 2018 (arXiv:1807.06757).
 *
 * @example
 * getTask("vln", { metrics: ["spl"] }).getMetrics(); // [SPL]
 */
export class Spl extends BaseMetric {
  readonly info: MetricInfo = {
    name: "spl",
    summary: "Success weighted by shortest over travelled path length.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    gatedBySuccess: true,
    needs: { state: ["position", "distance_to_goal"] },
  };

  readonly #success = new NavigationSuccess();
  readonly #length = new PathLength();
  readonly #distance = new GoalDistance();

  reset(episode: BaseEpisode, task: BaseTask): void {
    this.#success.reset(episode, task);
    this.#length.reset();
    this.#distance.reset();
  }

  update(record: StepRecord): void {
    this.#success.update(record);
    this.#length.update(record);
    this.#distance.update(record);
  }

  getMetric(): number | null {
    const { start } = this.#distance;
    if (start === undefined) return null;
    const efficiency = pathEfficiency(start, this.#length.getMetric());
    return efficiency === null ? null : this.#success.getMetric() * efficiency;
  }
}
