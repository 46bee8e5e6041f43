import type { Frames } from "./frames.js";
import type { ImageStats } from "./image-stats.js";
import type { FeatureStats } from "./stats.js";

/** LeRobot's quantiles of numbers; policies such as π0.5 normalise by the first and the last. */
const QUANTILES = { q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99 } as const;

type Quantiles = Readonly<Record<keyof typeof QUANTILES, readonly number[]>>;

export type EpisodeStats = (FeatureStats | ImageStats) & Partial<Quantiles>;

/** The quantiles of each value over the frames, interpolated linearly as NumPy does. */
export function quantilesOf(frames: Frames): Quantiles {
  const columns = Array.from({ length: frames[0]?.length ?? 0 }, (_, k) =>
    Float64Array.from(frames, (frame) => frame[k] ?? 0).sort(),
  );
  const at = (q: number) => columns.map((sorted) => quantile(sorted, q));
  return {
    q01: at(QUANTILES.q01),
    q10: at(QUANTILES.q10),
    q50: at(QUANTILES.q50),
    q90: at(QUANTILES.q90),
    q99: at(QUANTILES.q99),
  };
}

function quantile(sorted: Float64Array, q: number): number {
  const place = q * (sorted.length - 1);
  const below = Math.floor(place);
  const [low = 0, high = low] = sorted.subarray(below, below + 2);
  return low + (high - low) * (place - below);
}

interface Totals {
  count: number;
  readonly isImage: boolean;
  readonly min: number[];
  readonly max: number[];
  readonly mean: number[];
  /** Sums of squared deviations from the mean. */
  readonly squares: number[];
  /** Means of the episodes' quantiles, weighted by their frames, as LeRobot aggregates them. */
  readonly quantiles: Map<string, number[]>;
}

/**
 * Statistics of a whole dataset from those of its episodes, as in LeRobot's `aggregate_feature_stats`. Variances are
 * combined by the method of Chan, Golub and LeVeque (1979).
 */
export class DatasetStats {
  readonly #features = new Map<string, Totals>();

  add(stats: Readonly<Record<string, EpisodeStats>>): void {
    for (const [name, own] of Object.entries(stats)) {
      const [count] = own.count;
      const known = this.#features.get(name);
      if (known) merge(known, own, count);
      else this.#features.set(name, first(own, count));
    }
  }

  toDict(): Record<string, Record<string, unknown>> {
    return Object.fromEntries([...this.#features].map(([name, totals]) => [name, dictOf(totals)]));
  }
}

function first(stats: EpisodeStats, count: number): Totals {
  return {
    count,
    isImage: stats.mean.some((value) => typeof value !== "number"),
    min: flat(stats.min),
    max: flat(stats.max),
    mean: flat(stats.mean),
    squares: flat(stats.std).map((std) => std * std * count),
    quantiles: new Map(quantilesIn(stats)),
  };
}

function merge(totals: Totals, stats: EpisodeStats, count: number): void {
  const [min, max, mean, std] = [stats.min, stats.max, stats.mean, stats.std].map(flat);
  const all = totals.count + count;
  for (const k of totals.mean.keys()) {
    totals.min[k] = Math.min(totals.min[k] ?? 0, min?.[k] ?? 0);
    totals.max[k] = Math.max(totals.max[k] ?? 0, max?.[k] ?? 0);
    const delta = (mean?.[k] ?? 0) - (totals.mean[k] ?? 0);
    totals.mean[k] = (totals.mean[k] ?? 0) + (delta * count) / all;
    totals.squares[k] =
      (totals.squares[k] ?? 0) +
      (std?.[k] ?? 0) ** 2 * count +
      (delta * delta * totals.count * count) / all;
  }
  for (const [name, values] of quantilesIn(stats)) {
    const known = totals.quantiles.get(name) ?? [];
    totals.quantiles.set(
      name,
      values.map((value, k) => ((known[k] ?? 0) * totals.count + value * count) / all),
    );
  }
  totals.count = all;
}

function dictOf({ count, isImage, min, max, mean, squares, quantiles }: Totals) {
  const shaped = (values: readonly number[]) =>
    isImage ? values.map((value) => [[value]]) : values;
  return {
    min: shaped(min),
    max: shaped(max),
    mean: shaped(mean),
    std: shaped(squares.map((sum) => Math.sqrt(sum / count))),
    count: [count],
    ...Object.fromEntries(quantiles),
  };
}

function quantilesIn({ q01, q10, q50, q90, q99 }: EpisodeStats): [string, number[]][] {
  return Object.entries({ q01, q10, q50, q90, q99 }).flatMap(([name, values]) =>
    values ? [[name, [...values]]] : [],
  );
}

function flat(values: readonly number[] | ImageStats["mean"]): number[] {
  return values.map((value) => (typeof value === "number" ? value : value[0][0]));
}
