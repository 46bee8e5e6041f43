import { readThreshold, THRESHOLD_HINT, type Threshold } from "../config/threshold.js";
import { ConfigError } from "../core/errors.js";
import type { MetricSummary, RunSummary } from "../core/interfaces/result.js";
import { suggestion } from "../core/registry.js";

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

/** Whether a run reaches a threshold; the form of `--json`. */
export interface ThresholdVerdict {
  readonly threshold: string;
  /** Null: over all tasks. */
  readonly task: string | null;
  readonly metric: string;
  readonly statistic: Threshold["statistic"];
  readonly comparison: ">=" | "<=";
  readonly required: number;
  /** Null if the metric has no value, or no interval. */
  readonly value: number | null;
  readonly passed: boolean;
}

export function verdictsOf(
  summary: Pick<RunSummary, "aggregated_metrics" | "per_task">,
  thresholds: readonly Threshold[],
): readonly ThresholdVerdict[] {
  return thresholds.map(({ text, task, metric, statistic, comparison, value: required }) => {
    const table = task === undefined ? summary.aggregated_metrics : summary.per_task[task];
    const found = table?.[metric];
    const value = found ? measured(found, statistic) : null;
    const lower = comparison === "=" ? found?.direction === "lower" : comparison === "<=";
    return {
      threshold: text,
      task: task ?? null,
      metric,
      statistic,
      comparison: lower ? "<=" : ">=",
      required,
      value,
      passed: value !== null && (lower ? value <= required : value >= required),
    };
  });
}

/** Sentences about the thresholds that were missed: `vln.success is 0.4, needs at least 0.5`. */
export function missedTexts(verdicts: readonly ThresholdVerdict[]): string[] {
  return verdicts.filter(({ passed }) => !passed).map(verdictText);
}

export function verdictText(verdict: ThresholdVerdict): string {
  const { value, comparison, required } = verdict;
  const name = targetOf(verdict);
  if (value === null) return `${name} has no value, needs ${required}`;
  return `${name} is ${rounded(value, required)}, needs ${comparison === "<=" ? "at most" : "at least"} ${required}`;
}

/** With the fewest digits, at least three, that keep it on its side of the required value. */
function rounded(value: number, required: number): number {
  for (let digits = 3; digits <= 16; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.sign(short - required) === Math.sign(value - required)) return short;
  }
  return value;
}

/** `vln.success.ci_low` */
export function targetOf({ task, metric, statistic }: ThresholdVerdict): string {
  return [task, metric, statistic === "mean" ? null : statistic]
    .filter((part) => part !== null)
    .join(".");
}

function measured({ mean, ci95 }: MetricSummary, statistic: Threshold["statistic"]): number | null {
  if (statistic === "mean") return mean;
  return ci95?.[statistic === "ci_low" ? 0 : 1] ?? null;
}
