import type { RunResults } from "../core/interfaces/result.js";
import type { EvaluationEvent } from "../evaluator/record/events.js";
import { interruptible } from "./interrupt.js";
import { printData, printJson, say } from "./output.js";
import { Progress } from "./progress.js";
import { type ReportWish, writeReports } from "./report-wishes.js";
import { resultText, whereText } from "./results.js";
import { missedThresholds, type Threshold } from "./thresholds.js";

/** A run with a larger share of invalid episodes fails, unless the user sets another limit. */
const DEFAULT_INVALID_SHARE = 0.1;

export interface CourseTools {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: EvaluationEvent) => void;
}

/** What the user requires of the results. */
export interface Demands {
  readonly json?: boolean | undefined;
  readonly thresholds: readonly Threshold[];
  readonly reports?: readonly ReportWish[] | undefined;
  /** Allowed share of invalid episodes; a tenth if undefined. */
  readonly allowedInvalid: number | undefined;
  /** Command that continues an unfinished run; `resume` if absent. */
  readonly goOnWith?: string | undefined;
}

/**
 * Runs episodes with progress and Ctrl-C handling, and reports the results; used by `run` and `resume`.
 *
 * @param words what the first Ctrl-C does
 * @param started true if it does so from the beginning, before anything is written
 */
export async function runCourse(
  work: (tools: CourseTools) => Promise<RunResults>,
  demands: () => Demands,
  words = "stopping after the episodes under way",
  started = false,
): Promise<RunResults> {
  const progress = new Progress();
  // Nothing is written before the start, and connecting to a policy may take long.
  const interrupt = interruptible(words, () => started);
  try {
    const results = await work({
      signal: interrupt.signal,
      onEvent: (event) => {
        started = true;
        progress.onEvent(event);
      },
    });
    progress.finish();
    await tell(results, demands());
    return results;
  } finally {
    interrupt.release();
  }
}

async function tell(
  results: RunResults,
  { json, thresholds, reports = [], allowedInvalid, goOnWith }: Demands,
): Promise<void> {
  if (json) printJson(results);
  else printData(resultText(results));
  const missed = missedThresholds(results, thresholds);
  for (const text of missed) say(`threshold missed: ${text}`);
  process.exitCode = exitCode(results, allowedInvalid ?? DEFAULT_INVALID_SHARE, missed.length);
  if (results.run_dir !== null) await writeReports(results.run_dir, reports, missed);
  if (results.status !== "done" && results.run_dir !== null) {
    const retry = results.episodes.invalid > 0 ? " --retry-invalid" : "";
    say(`go on with it: ${goOnWith ?? `robot-eval resume ${results.run_dir}${retry}`}`);
  }
  say(whereText(results));
}

function exitCode(results: RunResults, allowedInvalid: number, missed: number): number {
  if (results.status === "cancelled") return 130;
  if (results.status === "failed") {
    say("the run was given up: the agent is not there");
    return 3;
  }
  const { invalid, total } = results.episodes;
  if (invalid > allowedInvalid * total) {
    say(
      `too many invalid episodes: ${invalid} of ${total} (allowed: a share of ${allowedInvalid})`,
    );
    return 3;
  }
  return missed > 0 ? 4 : 0;
}
