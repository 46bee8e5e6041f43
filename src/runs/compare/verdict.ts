import { holmAdjust } from "../../stats/holm.js";
import type { MetricComparison, MetricVerdict } from "./documents.js";
import type { TestedMetric } from "./metrics.js";

/** Significance level, of adjusted p-values where they are adjusted. */
export const ALPHA = 0.05;

/**
 * Adjusts the p-values of the primary metrics of all tasks and of all runs that are compared with one baseline
 * together, because comparing many candidates yields false positives. The conclusions are about these. Other metrics
 * describe the difference and are not adjusted: their number depends on the benchmark's configuration, and would
 * otherwise decide whether a success rate differs significantly.
 */
export function judgeTogether(families: readonly (readonly TestedMetric[])[]): {
  readonly tests: number;
  readonly metrics: readonly MetricComparison[][];
} {
  const tested = families.flat().filter(({ row }) => row.primary && row.p !== null);
  const adjusted = holmAdjust(tested.map(({ row }) => row.p ?? 1));
  const holm = new Map(tested.map((metric, i) => [metric, adjusted[i] ?? 1]));
  // Holm's method tests the smallest p first. After the significant ones, the next metric is tested at α
  // divided by the number of remaining tests.
  const remaining = ALPHA / Math.max(1, adjusted.filter((p) => p >= ALPHA).length);
  const judge = (metric: TestedMetric): MetricComparison => {
    const { row, tellApart } = metric;
    const pHolm = holm.get(metric) ?? null;
    const p = row.primary ? pHolm : row.p;
    const significant = p !== null && p < ALPHA;
    return {
      ...row,
      p_holm: pHolm,
      significant,
      verdict: significant ? verdictOf(metric) : "unclear",
      tell_apart: significant ? null : tellApart(row.primary ? remaining : ALPHA),
    };
  };
  return { tests: tested.length, metrics: families.map((family) => family.map(judge)) };
}

function verdictOf({ row: { difference, direction } }: TestedMetric): MetricVerdict {
  if (direction === "higher") return difference > 0 ? "better" : "worse";
  if (direction === "lower") return difference < 0 ? "better" : "worse";
  return "differs";
}
