import { errorMessage, RobotEvalError } from "../../../core/errors.js";
import { cleanLines } from "../../../core/text.js";
import type { TeamAgent } from "../gateway/team-agent.js";
import type { RetryingStore } from "../store/retrying-store.js";
import type { SubmissionLog } from "../submission-log.js";
import type { EvaluationOutcome } from "./evaluation-job.js";
import { incomplete, isComplete, whyNotRun } from "./verdict.js";

/** Reason of submissions that were running when the server was stopped. */
export const SERVER_STOPPED = "the server was stopped";

/** Maximum length of a failure's reason, part of which a policy may have chosen. */
const MOST_REASON = 1000;

export interface ResultRecorderOptions {
  readonly store: Pick<RetryingStore, "move" | "record" | "setCounted">;
  readonly log: Pick<SubmissionLog, "add">;
  readonly onFault: (error: unknown) => void;
}

/** An evaluation that has ended; `stopped` is the reason if it was stopped early. */
interface Ended {
  readonly agent: TeamAgent;
  readonly stopped: string | undefined;
  /** Faults of the host do not count as an attempt of the team. */
  readonly isHostFault: boolean;
}

/** Records the results of evaluations. */
export class ResultRecorder {
  constructor(private readonly options: ResultRecorderOptions) {}

  /** True if the submission is done, so that its team may see the score; false if it failed or was cancelled. */
  async finished(ended: Ended, outcome: EvaluationOutcome): Promise<boolean> {
    const { agent, stopped } = ended;
    const { store, log } = this.options;
    const { summary, runDir } = outcome;
    const complete = isComplete(summary);
    const reason = complete ? null : incomplete(summary, stopped);
    const state = complete ? "done" : "failed";
    // A submission that was complete when the server was stopped is ranked, and so counts.
    const counted = complete || isCounted(ended);
    if (!counted) await store.setCounted(agent.submissionId, false);
    const result = { complete, summary, state, reason, runDir } as const;
    const isKept = await store.record(agent.submissionId, result);
    const { episodes, status } = summary;
    const details = isKept
      ? { state, complete, reason, counted }
      : { state: "cancelled", complete: false };
    log.add("submission_finished", agent, { ...details, episodes, status });
    return isKept && complete;
  }

  /** Records an evaluation that failed. Returns the reason for the team, which reveals nothing hidden. */
  async failed(ended: Ended, error: unknown): Promise<string> {
    const { agent, stopped } = ended;
    const { store, log, onFault } = this.options;
    const reason = cleanLines(stopped ?? whyNotRun(error), MOST_REASON);
    const counted = isCounted(ended);
    const change = { reason, counted };
    const moved = await store.move(agent.submissionId, ["running"], "failed", change);
    const code = error instanceof RobotEvalError ? error.code : "internal_error";
    const state = moved ? "failed" : "cancelled";
    const details = { state, complete: false, reason, counted, code, error: errorMessage(error) };
    log.add("submission_finished", agent, details);
    if (stopped === undefined) onFault(error);
    return reason;
  }
}

function isCounted({ stopped, isHostFault }: Ended): boolean {
  return stopped !== SERVER_STOPPED && !isHostFault;
}
