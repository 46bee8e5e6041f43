import type { RunDocument } from "../../../../src/server/view/documents.js";

/** A metric that has its own column. */
interface MetricColumn {
  readonly metric: string;
  readonly note: string;
  /** Shown on a phone too. */
  readonly primary: boolean;
}

export interface EpisodeColumns {
  readonly metrics: readonly MetricColumn[];
}

/**
 * All metrics of the selected task. For several tasks there would be dozens, so only the metrics that all tasks share,
 * and those in the filter or the sort order.
 */
export function episodeColumns(
  { summary, metrics }: RunDocument,
  task: string | undefined,
  asked: string,
): EpisodeColumns {
  const tasks = task ? [task] : Object.keys(summary.per_task);
  const uses = new Map<string, number>();
  for (const name of tasks) {
    for (const metric of Object.keys(summary.per_task[name] ?? {}))
      uses.set(metric, (uses.get(metric) ?? 0) + 1);
  }
  const primary = new Set(tasks.map((name) => summary.primary_metrics[name] ?? ""));
  const words = new Set(asked.toLowerCase().split(/[^\w.-]+/));
  const wanted = [...uses].filter(
    ([metric, count]) => count === tasks.length || words.has(metric.toLowerCase()),
  );
  return {
    metrics: wanted
      .map(([metric]) => ({
        metric,
        note: metrics[metric]?.summary ?? metric,
        // With several tasks, their primary metrics would be too many for a phone.
        primary: primary.size === 1 && primary.has(metric),
      }))
      .sort((a, b) => Number(primary.has(b.metric)) - Number(primary.has(a.metric))),
  };
}
