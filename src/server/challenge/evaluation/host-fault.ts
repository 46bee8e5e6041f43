import { RobotEvalError } from "../../../core/errors.js";
import type { EvaluationOutcome } from "./evaluation-job.js";
import { isComplete, TEAM_ERRORS } from "./verdict.js";

/** The outcome of one attempt to evaluate a submission. */
export type Attempt =
  | { readonly outcome: EvaluationOutcome; readonly error?: undefined }
  | { readonly error: unknown; readonly outcome?: undefined };

/** A fault of the host; it does not count as an attempt of the team. */
export interface HostFault {
  /** True if another attempt may succeed. */
  readonly isRetried: boolean;
}

/**
 * Decides whether an attempt failed through the host: its disk, simulator, data or workers. Callers do not ask about
 * attempts that the team or an organiser stopped.
 *
 * @param isMisfit true if the evaluator rejected the policy itself
 */
export function hostFault(attempt: Attempt, isMisfit: boolean): HostFault | undefined {
  if (isMisfit) return undefined;
  if (!attempt.outcome) {
    const { error } = attempt;
    const isTeams = error instanceof RobotEvalError && TEAM_ERRORS.has(error.code);
    return isTeams ? undefined : { isRetried: true };
  }
  const { summary } = attempt.outcome;
  if (isComplete(summary)) return undefined;
  const { agent: agents = 0, ...hosts } = summary.faults;
  if (Object.values(hosts).some((count) => count > 0)) return { isRetried: true };
  // This server did not cancel it: an operator cancelled the run on the cluster.
  if (summary.status === "cancelled") return { isRetried: false };
  // Workers could not prepare the run, or never leased it.
  return agents === 0 ? { isRetried: true } : undefined;
}
