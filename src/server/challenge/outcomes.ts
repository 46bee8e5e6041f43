import { errorMessage, RobotEvalError } from "../../core/errors.js";
import type { EvaluationOutcome } from "./evaluation-job.js";
import type { ChallengeStore } from "./store.js";
import type { SubmissionLog } from "./submission-log.js";
import type { TeamAgent } from "./team-agent.js";
import { incomplete, isComplete, whyNotRun } from "./verdict.js";

/** Why it ended, of what a server had under way when it was told to stop. */
export const SERVER_STOPPED = "the server was stopped";

export interface OutcomesOptions {
  readonly store: ChallengeStore;
  readonly log: SubmissionLog;
  readonly onFault: (error: unknown) => void;
}

/** An evaluation that is over, and why it was stopped before its end, where it was. */
interface Ended {
  readonly agent: TeamAgent;
  readonly stopped?: string;
}

/** Writes down what came of evaluations. */
export class Outcomes {
  readonly #options: OutcomesOptions;

  constructor(options: OutcomesOptions) {
    this.#options = options;
  }

  async finished({ agent, stopped }: Ended, outcome: EvaluationOutcome): Promise<void> {
    const { store, log } = this.#options;
    const { summary, runDir } = outcome;
    const complete = isComplete(summary);
    const reason = complete ? null : incomplete(summary, stopped);
    const state = complete ? "done" : "failed";
    // One that was just done when the server was stopped is ranked, and so counts.
    if (stopped === SERVER_STOPPED && !complete) await store.setCounted(agent.submissionId, false);
    const result = { complete, summary, state, reason, runDir } as const;
    const isKept = await store.recordResult(agent.submissionId, result);
    const { episodes, status } = summary;
    const details = isKept ? { state, complete, reason } : { state: "cancelled", complete: false };
    log.add("submission_finished", agent, { ...details, episodes, status });
  }

  /** It could not be carried out. Gives why, for the team, naming nothing that is hidden. */
  async failed({ agent, stopped }: Ended, error: unknown): Promise<string> {
    const { store, log, onFault } = this.#options;
    const reason = stopped ?? whyNotRun(error);
    const counted = stopped !== SERVER_STOPPED;
    const change = { reason, counted };
    const ended = await store.transition(agent.submissionId, ["running"], "failed", change);
    const code = error instanceof RobotEvalError ? error.code : "internal_error";
    const state = ended ? "failed" : "cancelled";
    const details = { state, complete: false, reason, code, error: errorMessage(error) };
    log.add("submission_finished", agent, details);
    if (stopped === undefined) onFault(error);
    return reason;
  }
}
