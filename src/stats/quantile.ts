import { ConfigError, show } from "../core/errors.js";
import type { EpisodeLatency } from "../core/interfaces/result.js";
import { checkFinite } from "./arguments.js";
import { latencySketch } from "./latency-sketch.js";

/**
 * Linear-interpolated sample quantile, numpy's default, of one or more values in ascending order.
 *
 * Formula: with h = q (n - 1), the value is x[⌊h⌋] + (h - ⌊h⌋)(x[⌊h⌋ + 1] - x[⌊h⌋]).
 * Range: between the least and the greatest value; never decreasing in q.
 * Edge cases: one value is every quantile.
 * Source: definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50 (1996).
 */
export function quantileSorted(ascending: Float64Array, q: number): number {
  if (!(q >= 0 && q <= 1)) {
    throw new ConfigError("invalid_quantile", `quantile is ${show(q)}`, {
      hint: "give a number from 0 to 1; the median is 0.5",
    });
  }
  const h = q * (ascending.length - 1);
  const below = Math.floor(h);
  const low = ascending[below] as number;
  const high = ascending[Math.min(below + 1, ascending.length - 1)] as number;
  const t = h - below;
  // Interpolating from the nearer end keeps rounding from carrying the result past it.
  return t < 0.5 ? low + t * (high - low) : high - (1 - t) * (high - low);
}

/** The three percentiles that latencies are reported by; null when nothing was timed. */
export function latencySummary(latenciesMs: readonly number[]): EpisodeLatency | null {
  const n = latenciesMs.length;
  if (n === 0) return null;
  checkFinite(latenciesMs);
  const ascending = new Float64Array(latenciesMs).sort();
  const at = (q: number) => quantileSorted(ascending, q);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), n, sketch: latencySketch(ascending) };
}
