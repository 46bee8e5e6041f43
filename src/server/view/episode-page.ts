import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { EpisodePage, EpisodeRow } from "./documents.js";
import { episodeIdOf } from "./episode-id.js";
import type { EpisodeIndex } from "./episode-index.js";

/** Rows per page: about 1 MB of JSON, 100 kB compressed. */
const PAGE_ROWS = 2000;

/** At least 1: a run without episodes has an empty page. */
function pagesOf(index: EpisodeIndex): number {
  return Math.max(1, Math.ceil(index.count / PAGE_ROWS));
}

/** Undefined beyond the last page. */
export async function episodePage(
  index: EpisodeIndex,
  n: number,
): Promise<EpisodePage | undefined> {
  const pages = pagesOf(index);
  if (n >= pages) return undefined;
  const lines = await index.lines(n * PAGE_ROWS, (n + 1) * PAGE_ROWS);
  return { rows: lines.map(rowOf), pages };
}

function rowOf(line: EpisodeLine): EpisodeRow {
  return {
    id: episodeIdOf(line.episode_key, line.repeat),
    key: line.episode_key,
    repeat: line.repeat,
    task: line.task,
    scene: line.scene_id,
    outcome: line.outcome,
    fault: line.fault ?? null,
    end_reason: line.end_reason,
    metrics: line.metrics,
    steps: line.steps,
    wall_ms: line.wall_ms,
    latency_p50_ms: line.agent_latency_ms?.p50 ?? null,
    explanation: line.explanation,
    recorded: line.trajectory !== null,
    video: line.video ?? null,
  };
}
