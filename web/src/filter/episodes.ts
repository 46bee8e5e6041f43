import type { EpisodeRow } from "../../../src/server/view/documents.js";
import type { FilterLanguage } from "./match.js";
import { type Order, ordered } from "./order.js";

/** The filter fields of episodes, given the run's metrics. */
export function episodeLanguage(metrics: readonly string[]): FilterLanguage<EpisodeRow> {
  return {
    texts: {
      outcome: (row) => row.outcome,
      scene: (row) => row.scene,
      end: (row) => row.end_reason,
      task: (row) => row.task,
      episode: (row) => [row.key, row.id],
      fault: (row) => row.fault ?? "none",
    },
    numbers: {
      ...Object.fromEntries(
        metrics.map((name) => [name.toLowerCase(), (row: EpisodeRow) => row.metrics[name] ?? null]),
      ),
      steps: (row) => row.steps,
      latency: (row) => row.latency_p50_ms,
      wall: (row) => row.wall_ms,
      repeat: (row) => row.repeat,
    },
    words: (row) => `${row.key} ${row.scene} ${row.end_reason} ${row.explanation}`,
  };
}

const OUTCOME_ORDER = { failure: 0, invalid: 1, success: 2 } as const;

/** Sorts episodes by a column; `outcome` puts failures first. */
export function orderEpisodes(rows: readonly EpisodeRow[], order: Order): EpisodeRow[] {
  const { column, descending } = order;
  const read = COLUMNS[column] ?? ((row: EpisodeRow) => row.metrics[column] ?? null);
  return ordered(rows, read, descending);
}

const COLUMNS: Readonly<Record<string, (row: EpisodeRow) => string | number | null>> = {
  outcome: (row) => OUTCOME_ORDER[row.outcome],
  episode: (row) => row.key,
  task: (row) => row.task,
  scene: (row) => row.scene,
  end: (row) => row.end_reason,
  steps: (row) => row.steps,
  latency: (row) => row.latency_p50_ms,
  wall: (row) => row.wall_ms,
};
