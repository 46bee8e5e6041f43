import { checkComparable, type PairCounts, type PairOptions } from "./comparable.js";
import type { ComparedRun, EpisodeTrials, Trial } from "./read-run.js";

/** Sorts episode 9 before episode 10. */
const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** An episode with at least one valid result in both runs. */
export interface Pair {
  readonly key: string;
  readonly a: EpisodeTrials;
  readonly b: EpisodeTrials;
}

export interface PairedRuns {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  /** Sorted by key, so that intervals do not depend on the order in which episodes finished. */
  readonly pairs: readonly Pair[];
  /** Keys of shared episodes that are invalid in at least one run, in the same order. */
  readonly unjudged: readonly string[];
  readonly counts: PairCounts;
}

/**
 * Pairs the episodes of two runs by key, or throws if the runs are not comparable.
 */
export function pairRuns(a: ComparedRun, b: ComparedRun, options: PairOptions): PairedRuns {
  const pairs: Pair[] = [];
  const unjudged: string[] = [];
  let shared = 0;
  for (const [key, episode] of a.episodes) {
    const other = b.episodes.get(key);
    if (!other) continue;
    shared++;
    if (isJudged(episode) && isJudged(other)) pairs.push({ key, a: episode, b: other });
    else unjudged.push(key);
  }
  const counts = { shared, onlyA: a.episodes.size - shared, onlyB: b.episodes.size - shared };
  checkComparable(a, b, counts, options);
  pairs.sort((x, y) => byKey(x.key, y.key));
  return { a, b, pairs, unjudged: unjudged.sort(byKey), counts };
}

/** Tasks of both runs without a valid pair. */
export function unjudgedTasks({ a, pairs, unjudged }: PairedRuns): string[] {
  const tasks = new Set(unjudged.flatMap((key) => a.episodes.get(key)?.task ?? []));
  for (const pair of pairs) tasks.delete(pair.a.task);
  return [...tasks].sort();
}

export function judged({ trials }: EpisodeTrials): readonly Trial[] {
  return trials.filter(({ outcome }) => outcome !== "invalid");
}

function isJudged({ trials }: EpisodeTrials): boolean {
  return trials.some(({ outcome }) => outcome !== "invalid");
}

function byKey(x: string, y: string): number {
  const order = BY_NUMBER.compare(x, y);
  if (order !== 0 || x === y) return order;
  // The collator treats "1" and "01" as equal.
  return x < y ? -1 : 1;
}
