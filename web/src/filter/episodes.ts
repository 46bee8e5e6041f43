import type { EpisodeRow } from "../../../src/server/view/documents.js";
import type { FilterLanguage } from "./match.js";
import { type Order, ordered } from "./order.js";

/** What an episode can be filtered by, given the run's metrics. */
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

const BAD_FIRST = { failure: 0, invalid: 1, success: 2 } as const;

/** `outcome` puts failures first; other columns go by their own values. */
export function orderEpisodes(rows: readonly EpisodeRow[], order: Order): EpisodeRow[] {
  return ordered(rows, (row) => columnValue(row, order.column), order.descending);
}

function columnValue(row: EpisodeRow, column: string): string | number | null {
  switch (column) {
    case "outcome":
      return BAD_FIRST[row.outcome];
    case "episode":
      return row.key;
    case "task":
      return row.task;
    case "scene":
      return row.scene;
    case "end":
      return row.end_reason;
    case "steps":
      return row.steps;
    case "latency":
      return row.latency_p50_ms;
    case "wall":
      return row.wall_ms;
    default:
      return row.metrics[column] ?? null;
  }
}
