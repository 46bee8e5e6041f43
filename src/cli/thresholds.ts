import { readThreshold, THRESHOLD_HINT, type Threshold } from "../config/threshold.js";
import { ConfigError } from "../core/errors.js";
import type { RunInfo, RunSummary } from "../core/interfaces/result.js";
import { isRecord } from "../core/record.js";
import { suggestion } from "../core/registry.js";
import { missedTexts, type ThresholdVerdict, verdictsOf } from "../runs/thresholds.js";
import { say } from "./output.js";

/** Names of the metrics of each task. */
export type ReportedMetrics = Readonly<Record<string, readonly string[]>>;

/**
 * Reads values of `--threshold`, or of the benchmark's `evaluation.thresholds`; the run must have the tasks and metrics.
 *
 * @param where the place of the texts, for errors
 */
export function parseThresholds(
  texts: readonly string[] = [],
  reported: ReportedMetrics,
  where = "--threshold",
): readonly Threshold[] {
  return texts.map((text) => {
    const threshold = readThreshold(text);
    const wrong = (message: string, hint: string) =>
      new ConfigError("bad_threshold", message, { where, hint });
    if (!threshold) throw wrong(`"${text}" is not a threshold`, THRESHOLD_HINT);
    const { task, metric } = threshold;
    const tasks = Object.keys(reported);
    const all = [...new Set(Object.values(reported).flat())];
    if (task !== undefined && !tasks.includes(task)) {
      // The last name was meant as a statistic: `success.median`.
      const [last, ...before] = task.split(".").reverse();
      const isTask = before.length === 0 || tasks.includes(before.reverse().join("."));
      if (last !== undefined && isTask && all.includes(last) && !all.includes(metric)) {
        throw wrong(`"${text}": a metric has no statistic "${metric}"`, THRESHOLD_HINT);
      }
      throw wrong(`"${text}": this run has no task "${task}"`, suggestion(task, tasks));
    }
    const metrics = task === undefined ? all : (reported[task] ?? []);
    if (metrics.includes(metric)) return threshold;
    const who = task === undefined ? "this run" : task;
    throw wrong(`${who} does not report the metric "${metric}"`, suggestion(metric, metrics));
  });
}

/** The thresholds of a recorded run's benchmark. */
export function recordedThresholds({ config }: Pick<RunInfo, "config">): readonly string[] {
  const { evaluation } = config;
  const own = isRecord(evaluation) ? evaluation.thresholds : undefined;
  return Array.isArray(own) ? own.map(String) : [];
}

/** Prints the missed thresholds and returns all verdicts; the exit code is 4 if one was missed. */
export function tellVerdicts(
  summary: RunSummary,
  thresholds: readonly Threshold[],
): readonly ThresholdVerdict[] {
  const verdicts = verdictsOf(summary, thresholds);
  const missed = missedTexts(verdicts);
  for (const text of missed) say(`threshold missed: ${text}`);
  if (missed.length > 0) process.exitCode = 4;
  return verdicts;
}

/** The verdicts as a field of `--json`; nothing if there is no threshold. */
export function withVerdicts<T extends RunSummary>(
  results: T,
  thresholds: readonly Threshold[],
): T & { readonly thresholds?: readonly ThresholdVerdict[] } {
  if (thresholds.length === 0) return results;
  return { ...results, thresholds: verdictsOf(results, thresholds) };
}
