import type { Threshold } from "../config/threshold.js";
import type { RunInfo, RunSummary } from "../core/interfaces/result.js";
import { isRecord } from "../core/record.js";
import { missedTexts, type ThresholdVerdict, verdictsOf } from "../runs/thresholds.js";
import { say } from "./output.js";

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
