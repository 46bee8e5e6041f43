import type { MetricSummary } from "../../../../src/core/interfaces/result.js";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { scaleOf } from "../../scale.js";

/** A run's tasks, worst first. */
export function worstFirst({ summary, metrics }: RunDocument): readonly string[] {
  const goodness = (task: string) => {
    const name = summary.primary_metrics[task] ?? "";
    const metric = summary.per_task[task]?.[name];
    return metric ? goodnessOf(metric, metrics[name]?.range) : -1;
  };
  return Object.keys(summary.per_task).sort((a, b) => goodness(a) - goodness(b));
}

/** Normalises a mean to [0, 1], where 0 is worst, because tasks may have different metrics. */
function goodnessOf(
  { mean, direction }: MetricSummary,
  range: readonly [number | null, number | null] | undefined,
): number {
  if (mean === null) return -1;
  const [low, high] = scaleOf(range, [mean]);
  const share = (mean - low) / (high - low);
  return direction === "lower" ? 1 - share : share;
}
