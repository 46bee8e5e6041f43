import type { BaseEpisode } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric, type MetricInfo } from "../../core/metric/base.js";
import type { BaseTask } from "../../core/task/base.js";
import { stateOf } from "../shared/state-of.js";

/**
 * Progress through the task's stages: the share of stages reached, counted in order and up to the first
 * that was not (pick and place: reached, grasped, lifted, placed, released).
 *
 *     completion_rate = (number of leading stages reached at any record) / (number of stages)
 *
 * The order is that of the task's `stages` if it lists them, else of the keys of the first record's
 * `stages`. A stage counts once it was reached at any step, even if it does not hold later. Stages after
 * a skipped one do not count.
 *
 * Range [0, 1], higher is better. Null when the task has no stages.
 *
 * Source: our own. Related: CALVIN counts the completed leading part of a chain of tasks (Mees et
 * al. 2022, arXiv:2112.03227); BEHAVIOR and VLABench count satisfied conditions in any order.
 *
 * @example
 * getTask("pick_place", { metrics: ["completion_rate"] }).getMetrics(); // [CompletionRate]
 */
export class CompletionRate extends BaseMetric {
  readonly info: MetricInfo = {
    name: "completion_rate",
    summary: "Share of the task's stages that were reached, in order.",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "mean",
    needs: { state: ["stages"] },
  };

  #stages: readonly string[] | undefined;
  readonly #reached = new Set<string>();

  reset(_episode: BaseEpisode, task: BaseTask): void {
    this.#stages = this.#stagesOf(task);
    this.#reached.clear();
  }

  update(record: StepRecord): void {
    const stages = stateOf(record, "stages");
    this.#stages ??= Object.keys(stages);
    for (const [stage, holds] of Object.entries(stages)) if (holds) this.#reached.add(stage);
  }

  getMetric(): number | null {
    const stages = this.#stages ?? [];
    if (stages.length === 0) return null;
    const missed = stages.findIndex((stage) => !this.#reached.has(stage));
    return (missed === -1 ? stages.length : missed) / stages.length;
  }

  /** `BaseTask` declares no `stages`, so the property is checked at run time. */
  #stagesOf(task: BaseTask): readonly string[] | undefined {
    if (!("stages" in task) || !Array.isArray(task.stages) || task.stages.length === 0) {
      return undefined;
    }
    return task.stages.every((stage) => typeof stage === "string") ? task.stages : undefined;
  }
}
