import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { type Rules, rulesOf } from "../../core/profiles.js";
import type { BaseTask } from "../../core/task/base.js";
import { GoalDistance } from "../shared/goal-distance.js";

/**
 * Whether the robot was at the goal at any record: success with an oracle stop rule.
 *
 *     oracle_success = min over records of distance_to_goal < success_distance   (strictly)
 *
 * The start counts. No stop is needed under any profile.
 *
 * 0 or 1, higher is better; never below `success`.
 *
 * Source: Anderson et al. 2018, Room-to-Room (arXiv:1711.07280).
 */
export class OracleSuccess extends BaseMetric {
  readonly info: MetricInfo = {
    name: "oracle_success",
    summary: "The robot was within the success distance of the goal at some step.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "rate",
    needs: { state: ["distance_to_goal"] },
  };

  readonly #distance = new GoalDistance();
  #rules: Rules | undefined;

  reset(_episode: BaseEpisode, task: BaseTask): void {
    this.#rules = rulesOf(task.taskType, task.config);
    this.#distance.reset();
  }

  update(record: StepRecord): void {
    this.#distance.update(record);
  }

  getMetric(): number {
    const { least } = this.#distance;
    if (!this.#rules || least === undefined) return 0;
    return least < this.#rules.successDistanceM ? 1 : 0;
  }
}
