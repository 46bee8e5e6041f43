import { join } from "node:path";
import type { Threshold } from "../config/threshold.js";
import type { RunResults, SensorNames } from "../core/interfaces/result.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import { sensorNames, sensorText } from "../evaluator/plan/sensors.js";
import type { EvaluationEvent } from "../evaluator/record/events.js";
import { FILES } from "../runs/directory/run-files.js";
import { missedTexts, parseThresholds, type ThresholdVerdict } from "../runs/thresholds.js";
import { withInterrupt } from "./interrupt.js";
import { printResult, say } from "./output.js";
import { Progress } from "./progress.js";
import type { ResultFlags } from "./result-options.js";
import { resultText, whereText } from "./results.js";
import { tellVerdicts, withVerdicts } from "./thresholds.js";

/** A run with a larger share of invalid episodes fails, unless the user sets another limit. */
const DEFAULT_INVALID_SHARE = 0.1;

/** Maximum number of films that are listed. */
const SHOWN_FILMS = 10;

/** What the user requires of a run's results, by flags and in the benchmark. */
export class ResultRequirements {
  thresholds: readonly Threshold[] = [];
  /** Allowed share of invalid episodes. */
  allowedInvalid = DEFAULT_INVALID_SHARE;

  constructor(readonly flags: ResultFlags) {}

  /** What the policy receives, by task. */
  sensors: SensorNames = {};

  /**
   * Checks the thresholds against the plan's metrics, takes what the flags leave open from its benchmark, and says what
   * the policy receives.
   */
  readonly onPlan = ({ tasks, loaded, shard }: RunPlan): void => {
    const reported = Object.fromEntries(tasks.map(({ task }) => [task.name, task.metricNames]));
    const { thresholds } = loaded.config.evaluation;
    const where = loaded.locate(["evaluation", "thresholds"]);
    const own = parseThresholds(thresholds, reported, where);
    this.thresholds = [
      // A shard has some of the episodes only; `merge` checks the thresholds of the benchmark.
      ...(shard === undefined ? own : []),
      ...parseThresholds(this.flags.threshold, reported),
    ];
    this.allowedInvalid =
      this.flags.failOnInvalid ?? loaded.config.evaluation.fail_on_invalid ?? DEFAULT_INVALID_SHARE;
    this.sensors = sensorNames(tasks);
    for (const { task, simulator, sensors } of tasks) {
      if (simulator) say(`${task.name}: the policy receives ${sensorText(sensors)}`);
    }
  };
}

export interface RunTools {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: EvaluationEvent) => void;
  readonly onNotice: (text: string) => void;
}

export interface ProgressOptions {
  /** Describes to the user what the first Ctrl-C does. */
  readonly onInterrupt?: string;
  /** True if the first Ctrl-C does so from the beginning, before anything is written. */
  readonly isStarted?: boolean;
  /** Command that continues an unfinished run; `resume` if absent. */
  readonly continueWith?: string;
}

/** Runs episodes with progress and Ctrl-C handling, and reports the results. */
export async function runWithProgress(
  requirements: ResultRequirements,
  work: (tools: RunTools) => Promise<RunResults>,
  options: ProgressOptions = {},
): Promise<void> {
  const { onInterrupt = "stopping after the episodes under way", continueWith } = options;
  const progress = new Progress();
  // Nothing is written before the start, and connecting to a policy may take long.
  let { isStarted = false } = options;
  const films: string[] = [];
  await withInterrupt(
    onInterrupt,
    async (signal) => {
      const results = await work({
        signal,
        onNotice: say,
        onEvent: (event) => {
          isStarted = true;
          progress.onEvent(event);
          if (event.type === "episode" && event.line.video !== undefined) {
            films.push(event.line.video);
          }
        },
      });
      progress.finish();
      await tellResults(results, requirements, continueWith, films);
    },
    () => isStarted,
  );
}

async function tellResults(
  results: RunResults,
  { flags, thresholds, allowedInvalid, sensors }: ResultRequirements,
  continueWith: string | undefined,
  films: readonly string[],
): Promise<void> {
  printResult(flags.json, { ...withVerdicts(results, thresholds), sensors }, resultText);
  const verdicts = tellVerdicts(results, thresholds);
  process.exitCode = exitCode(results, allowedInvalid, missedTexts(verdicts).length);
  const { run_dir, status, episodes } = results;
  if (run_dir !== null) {
    await writeReports(run_dir, flags.report, verdicts);
    for (const text of filmLines(run_dir, films)) say(text);
  }
  if (run_dir !== null && status !== "done") {
    const retry = episodes.invalid > 0 ? " --retry-invalid" : "";
    say(`continue it: ${continueWith ?? `robot-eval resume ${run_dir}${retry}`}`);
  }
  say(whereText(results));
}

/** @param films paths in the run directory */
function filmLines(runDir: string, films: readonly string[]): string[] {
  const shown = films.toSorted().slice(0, SHOWN_FILMS);
  const more = films.length - shown.length;
  return [
    ...shown.map((name) => `film: ${join(runDir, name)}`),
    ...(more > 0 ? [`and ${more} more films in ${join(runDir, FILES.videos)}`] : []),
  ];
}

async function writeReports(
  runDir: string,
  requested: ResultFlags["report"] = [],
  thresholds: readonly ThresholdVerdict[],
): Promise<void> {
  if (requested.length === 0) return;
  const { writeReport } = await import("../runs/report/write.js");
  for (const { to, out } of requested) {
    const { file, text } = await writeReport(runDir, { to, out, thresholds });
    // stdout already has the summary.
    say(file === null ? text : `${to} report: ${file}`);
  }
}

function exitCode(results: RunResults, allowedInvalid: number, missed: number): number {
  if (results.status === "cancelled") return 130;
  if (results.status === "failed") {
    say(`the run was given up: ${results.given_up ?? "no episode could run"}`);
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
