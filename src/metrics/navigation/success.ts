import type { BaseEpisode } from "../../core/episode/base.js";
import { STOP } from "../../core/interfaces/action.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { type Rules, rulesOf } from "../../core/profiles.js";
import type { BaseTask } from "../../core/task/base.js";
import { GoalDistance } from "../shared/goal-distance.js";

/**
 * Whether the episode ended at the goal.
 *
 *     success = last distance_to_goal < success_distance   (strictly)
 *
 * and, if the profile requires it (`habitat`, `vlnce`), the last action was `stop`: an agent that reaches
 * the step limit at the goal has not declared that it arrived. The distance is the task's
 * `success_distance`, or else the profile's. `goals.radius` is not read, as in Habitat.
 *
 * 0 or 1, higher is better. 0 if the goal is unreachable from the last position (infinite distance).
 *
 * Source: Anderson et al. 2018, "On Evaluation of Embodied Navigation Agents" (arXiv:1807.06757);
 * radii as in Habitat-Lab, VLN-CE and Room-to-Room, see the profiles.
 *
 * @example
 * getTask("vln", { metrics: ["success"] }).getMetrics(); // [NavigationSuccess]
 */
export class NavigationSuccess extends BaseMetric {
  readonly info: MetricInfo = {
    name: "success",
    summary: "The episode ended within the success distance of the goal.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "rate",
    gatedBySuccess: true,
    needs: { state: ["distance_to_goal"] },
  };

  readonly #distance = new GoalDistance();
  #rules: Rules | undefined;
  #stopped = false;

  reset(_episode: BaseEpisode, task: BaseTask): void {
    this.#rules = rulesOf(task.taskType, task.config);
    this.#distance.reset();
    this.#stopped = false;
  }

  update(record: StepRecord): void {
    this.#distance.update(record);
    this.#stopped = record.action === STOP;
  }

  getMetric(): number {
    const { last } = this.#distance;
    if (!this.#rules || last === undefined) return 0;
    if (this.#rules.stopRequired && !this.#stopped) return 0;
    return last < this.#rules.successDistanceM ? 1 : 0;
  }
}
