import { ConfigError } from "../core/errors.js";
import type { RunSummary } from "../core/interfaces/result.js";
import { suggestion } from "../core/registry.js";
import { say } from "./output.js";

/** A metric and the value that its mean must reach. */
export interface Threshold {
  readonly metric: string;
  readonly value: number;
}

/** Parses values of `--threshold` such as `success=0.5`; the run must report the metrics. */
export function parseThresholds(
  texts: readonly string[] = [],
  reported: readonly string[],
): readonly Threshold[] {
  return texts.map((text) => parseThreshold(text, reported));
}

function parseThreshold(text: string, reported: readonly string[]): Threshold {
  const [metric = "", value, ...more] = text.split("=");
  const number = Number(value);
  if (value === undefined || value.trim() === "" || more.length > 0 || Number.isNaN(number)) {
    throw new ConfigError("bad_threshold", `"${text}" is not a threshold`, {
      where: "--threshold",
      hint: "write metric=value, for example success=0.5",
    });
  }
  if (!reported.includes(metric)) {
    throw new ConfigError("bad_threshold", `this run does not report the metric "${metric}"`, {
      where: "--threshold",
      hint: suggestion(metric, reported),
    });
  }
  return { metric, value: number };
}

/** Prints the missed thresholds and returns their descriptions; the exit code is then 4. */
export function tellMissed(summary: RunSummary, thresholds: readonly Threshold[]): string[] {
  const missed = missedThresholds(summary, thresholds);
  for (const text of missed) say(`threshold missed: ${text}`);
  if (missed.length > 0) process.exitCode = 4;
  return missed;
}

/** Describes missed thresholds. A metric for which less is better must not exceed its threshold. */
export function missedThresholds(summary: RunSummary, thresholds: readonly Threshold[]): string[] {
  return thresholds.flatMap(({ metric, value }) => {
    const found = summary.aggregated_metrics[metric];
    const mean = found?.mean ?? null;
    if (mean === null) return [`${metric} has no value, needs ${value}`];
    const lower = found?.direction === "lower";
    const met = lower ? mean <= value : mean >= value;
    return met ? [] : [`${metric} is ${mean}, needs ${lower ? "at most" : "at least"} ${value}`];
  });
}
