import type { LatencySketch, LatencySummary } from "../core/interfaces/result.js";

/** Greatest relative error of a percentile taken from a sketch. */
const ACCURACY = 0.02;
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY);
const LOG_GAMMA = Math.log(GAMMA);
/** Shorter latencies are counted as this many milliseconds. */
const LEAST_MS = 1e-3;

/**
 * Counts of latencies in buckets, each 4 % wider than the one before. Percentiles of episodes cannot be
 * combined into those of a run, but these counts can be added, and a percentile of the sum is off by at
 * most 2 %.
 *
 * Source: Masson, Rim and Lee, "DDSketch: a fast and fully-mergeable quantile sketch with relative-error
 * guarantees", PVLDB 12 (2019).
 */
export function latencySketch(ascendingMs: Float64Array): LatencySketch {
  const sketch: Record<string, number> = {};
  let [current, count] = [Number.NaN, 0];
  for (const ms of ascendingMs) {
    const bucket = Math.ceil(Math.log(Math.max(ms, LEAST_MS)) / LOG_GAMMA);
    // Sorted input fills the buckets in order.
    if (bucket !== current) {
      if (count > 0) sketch[current] = count;
      [current, count] = [bucket, 0];
    }
    count++;
  }
  if (count > 0) sketch[current] = count;
  return sketch;
}

/** Adds up sketches and gives the percentiles of all their latencies. */
export class LatencyAggregate {
  readonly #counts = new Map<number, number>();
  #total = 0;

  add(sketch: LatencySketch): void {
    for (const [bucket, count] of Object.entries(sketch)) {
      this.#counts.set(Number(bucket), (this.#counts.get(Number(bucket)) ?? 0) + count);
      this.#total += count;
    }
  }

  summary(): LatencySummary | null {
    if (this.#total === 0) return null;
    const buckets = [...this.#counts].sort(([a], [b]) => a - b);
    const at = (q: number) => {
      let left = q * (this.#total - 1);
      for (const [bucket, count] of buckets) {
        left -= count;
        if (left < 0) return (2 * GAMMA ** bucket) / (GAMMA + 1);
      }
      return Number.NaN;
    };
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99), n: this.#total };
  }
}
