import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import { isRecord } from "../../core/record.js";
import { FLAGS } from "../../core/rules/facts.js";
import type { BaseTask } from "../../core/task/base.js";

/**
 * Whether the task's success condition held when the episode ended: `success` of the last record. The
 * task defines the condition (grasped, lifted, placed, ... and for how long).
 *
 * For a state without `success`, in an episode whose criteria are `grasp_and_lift`:
 *
 *     success = object_grasped and object_lifted and object_placed
 *
 * 0 or 1, higher is better. It differs from `success_once` only when success does not end the episode
 * (`terminate_on_success: false`) and the condition no longer holds at the end.
 *
 * Source: success_at_end of ManiSkill3 (Tao et al. 2024, arXiv:2410.00425).
 *
 * @example
 * const metric = new ManipulationSuccess();
 * const goals = { success_criteria: { type: "grasp_and_lift" } };
 * const episode = new BaseEpisode({ episodeId: "1", taskType: "pick_place", sceneId: "table", goals });
 * metric.reset(episode, getTask("pick_place", {}));
 * metric.update({ object_grasped: true, object_lifted: true, object_placed: true });
 * metric.getMetric(); // 1
 */
export class ManipulationSuccess extends BaseMetric {
  readonly info: MetricInfo = {
    name: "manip_success",
    summary: "The task's success condition held at the end of the episode.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "rate",
    gatedBySuccess: true,
    needs: { state: ["success"] },
  };

  #success = false;
  #readsFlags = false;

  reset({ goals }: BaseEpisode, _task: BaseTask): void {
    this.#success = false;
    const { success_criteria } = goals;
    this.#readsFlags = isRecord(success_criteria) && success_criteria.type === "grasp_and_lift";
  }

  /** @param step a record, or only its state, such as the three flags */
  update(step: StepRecord | StepState): void {
    const state: StepState = isStepRecord(step) ? step.state : step;
    this.#success =
      state.success === undefined
        ? this.#readsFlags && FLAGS.every((flag) => state[flag] === true)
        : state.success === true;
  }

  getMetric(): number {
    return this.#success ? 1 : 0;
  }
}

function isStepRecord(step: StepRecord | StepState): step is StepRecord {
  return isRecord(step.state);
}
