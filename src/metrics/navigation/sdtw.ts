import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricContext, type MetricInfo } from "../../core/metric/base.js";
import type { BaseTask } from "../../core/task/base.js";
import { Ndtw } from "./ndtw.js";
import { NavigationSuccess } from "./success.js";

/**
 * Success weighted by how well the path follows the reference.
 *
 *     sDTW = success * nDTW
 *
 * Both factors are this platform's metrics under the task's profile. The reference implementation
 * (google-research r4r) counts an end at exactly the success distance as success (<=); here, as in
 * `success` and in Room-to-Room's own evaluation, it is not (<).
 *
 * Range [0, 1], higher is better; never above `success` or `ndtw`.
 * Null when the episode has no reference path, whether it succeeded or not.
 *
 * Source: Ilharco et al. 2019 (arXiv:1907.05446).
 */
export class Sdtw extends BaseMetric {
  readonly info: MetricInfo = {
    name: "sdtw",
    summary: "Success weighted by the closeness of the path to the reference path.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    gatedBySuccess: true,
    needs: { state: ["position", "distance_to_goal"], reference: "path" },
  };

  readonly #success = new NavigationSuccess();
  readonly #ndtw = new Ndtw();

  reset(episode: BaseEpisode, task: BaseTask, context?: MetricContext): void {
    this.#success.reset(episode, task);
    this.#ndtw.reset(episode, task, context);
  }

  update(record: StepRecord): void {
    this.#success.update(record);
    this.#ndtw.update(record);
  }

  getMetric(): number | null {
    const ndtw = this.#ndtw.getMetric();
    return ndtw === null ? null : this.#success.getMetric() * ndtw;
  }
}
