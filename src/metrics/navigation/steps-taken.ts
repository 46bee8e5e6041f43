import type { BaseEpisode } from "../../core/episode/base.js";
import { STOP } from "../../core/interfaces/action.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { type Rules, rulesOf } from "../../core/profiles.js";
import type { BaseTask } from "../../core/task/base.js";

/**
 * How many actions the agent took: the number of records with an action that does not
 * continue the last one. The profile decides whether
 * `stop` counts: Habitat and VLN-CE count it, the graph evaluations (valan) do not.
 *
 * A whole number, [0, inf). Neither direction is better.
 *
 * Source: VLN-CE's StepsTaken (Krantz et al. 2020, arXiv:2004.02857).
 */
export class StepsTaken extends BaseMetric {
  readonly info: MetricInfo = {
    name: "steps_taken",
    summary: "Number of actions the agent took.",
    unit: "1",
    direction: "none",
    range: [0, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: [] },
  };

  #rules: Rules | undefined;
  #count = 0;

  reset(_episode: BaseEpisode, task: BaseTask): void {
    this.#rules = rulesOf(task.taskType, task.config);
    this.#count = 0;
  }

  update(record: StepRecord): void {
    if (record.action === null || record.continued) return;
    if (record.action === STOP && !this.#rules?.countsStop) return;
    this.#count++;
  }

  getMetric(): number {
    return this.#count;
  }
}
