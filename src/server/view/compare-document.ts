import type { EpisodeLine, Outcome } from "../../core/interfaces/result.js";
import type { RunComparison } from "../../runs/compare/documents.js";
import type { CompareDocument, ComparedEpisode, ComparedSide } from "./documents.js";
import { episodeIdOf } from "./episode-id.js";

type Lines = AsyncIterable<EpisodeLine> | Iterable<EpisodeLine>;

/** @param a the lines of the run that the other is held against */
export async function compareDocument(
  comparison: RunComparison,
  a: Lines,
  b: Lines,
): Promise<CompareDocument> {
  const [ofA, ofB] = [await tallies(a), await tallies(b)];
  const episodes: ComparedEpisode[] = [];
  for (const [key, tally] of ofA) {
    const other = ofB.get(key);
    if (!other || tally.judged === 0 || other.judged === 0) continue;
    episodes.push({
      key,
      task: tally.task,
      id: episodeIdOf(key, 0),
      a: sideOf(tally),
      b: sideOf(other),
    });
  }
  return { comparison, episodes };
}

/** The judged repeats of an episode, added up. */
interface Tally {
  readonly task: string;
  judged: number;
  succeeded: number;
  readonly metrics: Map<string, { sum: number; count: number }>;
}

async function tallies(lines: Lines): Promise<Map<string, Tally>> {
  const byKey = new Map<string, Tally>();
  for await (const { episode_key, task, outcome, metrics } of lines) {
    const tally = byKey.get(episode_key) ?? { task, judged: 0, succeeded: 0, metrics: new Map() };
    byKey.set(episode_key, tally);
    if (outcome === "invalid") continue;
    tally.judged++;
    if (outcome === "success") tally.succeeded++;
    for (const [name, value] of Object.entries(metrics)) {
      const total = tally.metrics.get(name) ?? { sum: 0, count: 0 };
      tally.metrics.set(name, total);
      if (value === null) continue;
      total.sum += value;
      total.count++;
    }
  }
  return byKey;
}

/** With repeats, means, and what more than half of them were: as the comparison counts them. */
function sideOf({ judged, succeeded, metrics }: Tally): ComparedSide {
  const outcome: Outcome = 2 * succeeded > judged ? "success" : "failure";
  const means = [...metrics].map(([name, { sum, count }]) => [
    name,
    count === 0 ? null : sum / count,
  ]);
  return { outcome, metrics: Object.fromEntries(means) };
}
