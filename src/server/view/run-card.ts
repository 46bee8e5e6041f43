import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import type { Headline, RunCard } from "./documents.js";

/** @param id the folder's name, which may differ from the run id */
export function cardOf(
  id: string,
  info: RunInfo,
  summary: RunSummary,
  status: RunCard["status"],
): RunCard {
  return {
    id,
    benchmark: info.benchmark.name,
    agent: info.agent,
    kind: info.kind,
    status,
    started_at: info.started_at,
    finished_at: info.finished_at,
    seed: info.seed,
    headlines: headlinesOf(summary),
    episodes: summary.episodes,
    planned: plannedOf(info, summary),
    warnings: info.warnings.length,
  };
}

function headlinesOf({ primary_metrics, per_task }: RunSummary): Headline[] {
  return Object.entries(primary_metrics).flatMap(([task, metric]) => {
    const found = per_task[task]?.[metric];
    if (!found) return [];
    const { mean, ci95, count, n_invalid } = found;
    return { task, metric, mean, ci95, count, n_invalid };
  });
}

/** The size of a shard is only known after it has run. */
function plannedOf({ status, kind, data, selection, config }: RunInfo, summary: RunSummary) {
  if (status === "done" || kind === "score") return summary.episodes.total;
  if (!data || selection.shard !== undefined) return null;
  const { evaluation } = config;
  const repeats = isRecord(evaluation) ? Number(evaluation.repeats ?? 1) : 1;
  return Object.values(data).reduce((sum, { episodes }) => sum + episodes, 0) * repeats;
}
