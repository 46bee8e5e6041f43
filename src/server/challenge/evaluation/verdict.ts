import { RobotEvalError } from "../../../core/errors.js";
import type { RunSummary } from "../../../core/interfaces/result.js";
import type { EvaluationOutcome } from "./evaluation-job.js";

/**
 * True if a result may be ranked: every episode was run and judged. An episode that the agent broke off after an action
 * is judged as a failure; one without any action is invalid. So disconnecting early gains nothing.
 */
export function isComplete({ status, episodes }: Pick<RunSummary, "status" | "episodes">): boolean {
  return status === "done" && episodes.invalid === 0 && episodes.total > 0;
}

/** The reason why a result is not ranked, for its team. */
export function incomplete(
  { status, episodes, faults }: Pick<RunSummary, "status" | "episodes" | "faults">,
  stopped: string | undefined,
): string {
  const judged = episodes.success + episodes.failure;
  const why =
    stopped ??
    (status === "done"
      ? `${episodes.invalid} episodes are invalid (${faultsText(faults)})`
      : "it was given up, since the agent began no more of them or serves fewer sessions than are asked for");
  return `not complete, ${judged} episodes were judged: ${why}`;
}

function faultsText(faults: Readonly<Record<string, number>>): string {
  const names: Readonly<Record<string, string>> = { agent: "the agent's fault" };
  const texts = Object.entries(faults).map(
    ([fault, count]) => `${count} ${names[fault] ?? "the server's fault"}`,
  );
  return texts.join(", ") || "of unknown cause";
}

/** Errors about the policy itself. Their texts name no episode, so the team may read them. */
const TEAM_ERRORS = new Set(["convention_mismatch", "missing_sensor", "busy"]);

/** The reason why an evaluation failed, for its team. */
export function whyNotRun(error: unknown): string {
  if (error instanceof RobotEvalError && TEAM_ERRORS.has(error.code)) return error.message;
  return "the evaluation could not be carried out; the organisers have been told";
}

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
