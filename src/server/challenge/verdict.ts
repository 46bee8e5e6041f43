import { RobotEvalError } from "../../core/errors.js";
import type { RunSummary } from "../../core/interfaces/result.js";

/**
 * Whether a result may be ranked: every episode was run and judged. One that its agent broke off after an action is
 * judged, as a failure; one that it never began is not, so that hanging up in time gains nothing.
 */
export function isComplete({ status, episodes }: Pick<RunSummary, "status" | "episodes">): boolean {
  return status === "done" && episodes.invalid === 0 && episodes.total > 0;
}

/** Why a result is not ranked, for its team. */
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

/** Errors about the policy itself, whose words name no episode. */
const TELLING = new Set(["convention_mismatch", "missing_sensor", "busy"]);

/** Why an evaluation could not be carried out, for its team. */
export function whyNotRun(error: unknown): string {
  if (error instanceof RobotEvalError && TELLING.has(error.code)) return error.message;
  return "the evaluation could not be carried out; the organisers have been told";
}
