import { ConfigError, show } from "../core/errors.js";
import type { EpisodeLatency } from "../core/interfaces/result.js";
import { checkFinite } from "./arguments.js";
import { latencySketch } from "./latency-sketch.js";

/**
 * Linear-interpolated sample quantile, numpy's default.
 *
 * Formula: with x sorted and h = q (n - 1), the value is x[⌊h⌋] + (h - ⌊h⌋)(x[⌊h⌋ + 1] - x[⌊h⌋]).
 * Range: between the least and the greatest value; never decreasing in q.
 * Edge cases: no values, no quantile (null); one value is every quantile.
 * Source: definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50 (1996).
 */
export function quantile(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null;
  return quantileSorted(sorted(values), q);
}

/** The same for values that are sorted already, at least one. */
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
  // From the nearer end, or rounding could carry the result past it.
  return t < 0.5 ? low + t * (high - low) : high - (1 - t) * (high - low);
}

/** Several percentiles (0 to 100) for one sort; null when there are no values. */
export function percentiles(
  values: readonly number[],
  wanted: readonly number[],
): readonly number[] | null {
  if (values.length === 0) return null;
  const ascending = sorted(values);
  return wanted.map((p) => quantileSorted(ascending, p / 100));
}

/** The three percentiles that latencies are reported by; null when nothing was timed. */
export function latencySummary(latenciesMs: readonly number[]): EpisodeLatency | null {
  const n = latenciesMs.length;
  if (n === 0) return null;
  const ascending = sorted(latenciesMs);
  const at = (q: number) => quantileSorted(ascending, q);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), n, sketch: latencySketch(ascending) };
}

function sorted(values: readonly number[]): Float64Array {
  checkFinite(values);
  return new Float64Array(values).sort();
}
