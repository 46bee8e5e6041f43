import type { EpisodeLine, Outcome } from "../../core/interfaces/result.js";
import type { RunComparison } from "../../runs/compare/documents.js";
import type { CompareDocument, ComparedEpisode, ComparedSide } from "./documents.js";
import { episodeIdOf } from "./episode-id.js";

type Lines = AsyncIterable<EpisodeLine> | Iterable<EpisodeLine>;

/** @param a the lines of the baseline run */
export async function compareDocument(
  comparison: RunComparison,
  a: Lines,
  b: Lines,
): Promise<CompareDocument> {
  const [ofA, ofB] = [await repeatSums(a), await repeatSums(b)];
  const episodes: ComparedEpisode[] = [];
  for (const [key, sums] of ofA) {
    const other = ofB.get(key);
    if (!other || sums.judged === 0 || other.judged === 0) continue;
    episodes.push({
      key,
      task: sums.task,
      id: episodeIdOf(key, 0),
      a: sideOf(sums),
      b: sideOf(other),
    });
  }
  return { comparison, episodes };
}

/** Sums over the judged repeats of an episode. */
interface RepeatSums {
  readonly task: string;
  judged: number;
  succeeded: number;
  readonly metrics: Map<string, { sum: number; count: number }>;
}

async function repeatSums(lines: Lines): Promise<Map<string, RepeatSums>> {
  const byKey = new Map<string, RepeatSums>();
  for await (const { episode_key, task, outcome, metrics } of lines) {
    const sums = byKey.get(episode_key) ?? { task, judged: 0, succeeded: 0, metrics: new Map() };
    byKey.set(episode_key, sums);
    if (outcome === "invalid") continue;
    sums.judged++;
    if (outcome === "success") sums.succeeded++;
    for (const [name, value] of Object.entries(metrics)) {
      const total = sums.metrics.get(name) ?? { sum: 0, count: 0 };
      sums.metrics.set(name, total);
      if (value === null) continue;
      total.sum += value;
      total.count++;
    }
  }
  return byKey;
}

/** Means over the repeats, and success if more than half of them succeeded, as `compare` counts them. */
function sideOf({ judged, succeeded, metrics }: RepeatSums): ComparedSide {
  const outcome: Outcome = 2 * succeeded > judged ? "success" : "failure";
  const means = [...metrics].map(([name, { sum, count }]) => [
    name,
    count === 0 ? null : sum / count,
  ]);
  return { outcome, metrics: Object.fromEntries(means) };
}
