import { DataError, RobotEvalError } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { SuccessJudge } from "../../core/rules/judge.js";
import type { BaseTask } from "../../core/task/base.js";
import type { ResolvedTask } from "../../registry/resolved-task.js";
import type { Trajectory } from "../directory/trajectory.js";

/** Judges recorded episodes again if the settings change their success rule. */
export class Rejudge {
  #count = 0;
  #ended = 0;

  /**
   * @param recorded the task as it was run
   * @param now the task with the requested settings
   */
  constructor(
    private readonly recorded: ResolvedTask,
    private readonly now: ResolvedTask,
  ) {}

  /** A caveat about the new verdicts; undefined if there is none. */
  get warning(): string | undefined {
    if (this.#ended === 0) return undefined;
    return `${this.now.name}: ${this.#ended} of ${this.#count} episodes ended when the recorded rule was satisfied; with the new rule they might have continued`;
  }

  /**
   * The records with the verdicts of the new rule; undefined if the rule is unchanged, so that the recorded verdicts
   * hold.
   *
   * @throws DataError if the records do not have the facts that the rule needs
   */
  records(trajectory: Trajectory, endReason: string): readonly StepRecord[] | undefined {
    const { episode, records, version } = trajectory;
    const [before, task] = [this.recorded.taskFor(episode), this.now.taskFor(episode)];
    if (rulesText(before) === rulesText(task)) return undefined;
    if (version === 1) {
      throw new DataError(
        "no_facts",
        "the run was recorded without facts (robot-eval-trajectory/1), so it cannot be judged by another rule",
        { hint: "keep success_criteria unchanged, or run the benchmark again" },
      );
    }
    const rule = JSON.stringify(task.reportedCriteria);
    if (records[0]?.facts?.reported && rule === JSON.stringify(before.reportedCriteria)) {
      throw new DataError(
        "only_reported",
        "the simulator judged this episode itself and recorded no facts, so it cannot be judged with another tolerance",
        {
          hint: "keep success_criteria unchanged, or write a rule that uses reported_success and flag",
        },
      );
    }
    this.#count++;
    if (endReason === "success") this.#ended++;
    const judge = new SuccessJudge(task);
    return records.map((record) => {
      const { state, facts } = judge.update(record);
      return facts === undefined ? { ...record, state } : { ...record, state, facts };
    });
  }
}

/** A task's success rule as text, for comparison. Settings without a valid rule are compared by their error. */
function rulesText(task: BaseTask): string {
  try {
    return JSON.stringify(task.successCriteria ?? null);
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    return `${error.describe()} ${JSON.stringify(task.config.success_criteria)}`;
  }
}
