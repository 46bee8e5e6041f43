import type { Interval } from "../../stats/interval.js";
import { comparePairs } from "../../stats/paired-comparison.js";
import { ConfidenceSequence } from "../../stats/sequential.js";
import { judged, type Pair } from "../compare/pair.js";
import type { EpisodeTrials } from "../compare/read-run.js";
import { drawnRank } from "../summary/drawn-rank.js";
import type { StressMeasure } from "./documents.js";

/** Share of an episode's valid repeats that succeed. */
export function successOf(episode: EpisodeTrials): number {
  const trials = judged(episode);
  return trials.filter(({ outcome }) => outcome === "success").length / trials.length;
}

/**
 * The scene of each episode, by which intervals are widened. The episodes of a task with a single scene count as
 * independent, as they do in the task's own numbers: that scene says nothing about how scenes differ.
 */
export function clustersOf(
  episodes: readonly { readonly key: string; readonly task: string; readonly scene: string }[],
): string[] {
  const scenes = new Map<string, Set<string>>();
  for (const { task, scene } of episodes) {
    scenes.set(task, (scenes.get(task) ?? new Set()).add(scene));
  }
  return episodes.map(({ key, task, scene }) => ((scenes.get(task)?.size ?? 0) > 1 ? scene : key));
}

const NOTHING: StressMeasure = {
  n: 0,
  baseline: null,
  success: null,
  difference: null,
  ci95: null,
  ci_method: "none",
  test: null,
  p: null,
  lost: 0,
  gained: 0,
};

export interface MeasureOptions {
  /** Whether values are means over repeats. */
  readonly repeated: boolean;
  /** Seed of the drawn order, if the level stopped early. */
  readonly stoppedSeed?: number | undefined;
}

/** Success of the same episodes unperturbed (`a`) and perturbed (`b`). */
export function measure(
  pairs: readonly Pair[],
  { repeated, stoppedSeed }: MeasureOptions,
): StressMeasure {
  if (pairs.length === 0) return NOTHING;
  const before = pairs.map(({ a }) => successOf(a));
  const after = pairs.map(({ b }) => successOf(b));
  const scenes = clustersOf(pairs.map(({ key, a }) => ({ key, ...a })));
  const compared = comparePairs(before, after, { scenes, range: [0, 1], repeated });
  const differences = after.map((y, i) => y - (before[i] ?? 0));
  const stopped = stoppedSeed !== undefined;
  return {
    n: pairs.length,
    baseline: mean(before),
    success: mean(after),
    difference: mean(after) - mean(before),
    ci95: stopped ? sequentialInterval(pairs, differences, stoppedSeed) : compared.interval,
    ci_method: stopped ? "sequential" : compared.method,
    test: compared.test,
    p: compared.p,
    lost: differences.filter((d) => d < 0).length,
    gained: differences.filter((d) => d > 0).length,
  };
}

/** An interval that is valid at any stopping time, over the differences in the order in which episodes were drawn. */
function sequentialInterval(
  pairs: readonly Pair[],
  differences: readonly number[],
  seed: number,
): Interval {
  const drawn = pairs.map(({ key }, i) => ({
    rank: drawnRank(seed, key),
    difference: differences[i] ?? 0,
  }));
  drawn.sort((x, y) => x.rank - y.rank);
  const sequence = new ConfidenceSequence("bounded");
  for (const { difference } of drawn) sequence.add((1 + difference) / 2);
  const [low, high] = sequence.interval();
  return [2 * low - 1, 2 * high - 1];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
