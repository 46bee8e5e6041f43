import { DataError, RobotEvalError } from "../../core/errors.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import { SuccessJudge } from "../../core/rules/judge.js";
import type { BaseTask } from "../../core/task/base.js";
import type { ResolvedTask } from "../../registry/resolved-task.js";
import type { Trajectory } from "../directory/trajectory.js";

/** Judges recorded episodes again where the settings make another success rule of theirs. */
export class Rejudge {
  #count = 0;
  #ended = 0;

  /**
   * @param recorded the task as it was run
   * @param now the same with the settings that are asked for
   */
  constructor(
    private readonly recorded: ResolvedTask,
    private readonly now: ResolvedTask,
  ) {}

  /** What limits the new verdicts; undefined where none was made. */
  get warning(): string | undefined {
    if (this.#ended === 0) return undefined;
    return `${this.now.name}: ${this.#ended} of ${this.#count} episodes ended when the rule of the run held; by the rule that judges them now they might have gone on`;
  }

  /**
   * The records with the verdicts of the rule that holds now; undefined where it is the rule of the run, whose
   * verdicts are recorded.
   *
   * @throws DataError where the records do not have the facts for it
   */
  records(trajectory: Trajectory, endReason: string): readonly StepRecord[] | undefined {
    const { episode, records, version } = trajectory;
    const [before, task] = [this.recorded.taskFor(episode), this.now.taskFor(episode)];
    if (rulesText(before) === rulesText(task)) return undefined;
    if (version === 1) {
      throw new DataError(
        "no_facts",
        "the run was recorded without facts (robot-eval-trajectory/1), so another rule cannot judge it",
        { hint: "leave success_criteria as they were, or run the benchmark again" },
      );
    }
    const rule = JSON.stringify(task.reportedCriteria);
    if (records[0]?.facts?.reported && rule === JSON.stringify(before.reportedCriteria)) {
      throw new DataError(
        "only_reported",
        "the simulator judged this episode itself and recorded no facts, so another tolerance cannot judge it",
        {
          hint: "leave success_criteria as they were, or write a rule of reported_success and flag",
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

/** What success means by a task's settings, to be compared; goals that no rule fits compare too. */
function rulesText(task: BaseTask): string {
  try {
    return JSON.stringify(task.successCriteria ?? null);
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    return `${error.describe()} ${JSON.stringify(task.config.success_criteria)}`;
  }
}
