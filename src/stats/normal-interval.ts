import { checkFinite } from "./arguments.js";
import { clusterTotals } from "./clusters.js";
import { studentTQuantile } from "./distributions.js";
import { DEFAULT_LEVEL, type Interval, tailOf } from "./interval.js";

/**
 * Student's t interval of the mean: mean ± t √(s²/n), s² with n - 1, t with n - 1 degrees of freedom.
 *
 * Used for very many values, where it agrees with the bootstrap at the cost of one pass.
 * Edge cases: fewer than two values have no spread, hence no interval (null); equal values give zero
 * width. On few and skewed values it may reach outside the metric's range; the bootstrap does not.
 * Source: Student, Biometrika 6 (1908).
 */
export function normalInterval(
  values: readonly number[],
  level: number = DEFAULT_LEVEL,
): Interval | null {
  checkFinite(values);
  const tail = tailOf(level);
  const n = values.length;
  const first = values[0];
  if (first === undefined || n < 2) return null;
  if (values.every((value) => value === first)) return [first, first];
  const mean = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return around(mean, Math.sqrt(squares / (n - 1) / n), n - 1, tail);
}

/**
 * Student's t interval of the mean where episodes share scenes. The standard error is
 * √(K/(K-1) Σ(S - c·mean)²) / n over the K scenes with sum S and count c, and t has K - 1 degrees of
 * freedom. With scenes of equal size this is the t interval of the scene means.
 *
 * Edge cases: as for `normalInterval`, with scenes in place of values: null below two scenes.
 * Source: Liang and Zeger, Biometrika 73 (1986); Cameron and Miller, "A practitioner's guide to
 * cluster-robust inference", Journal of Human Resources 50 (2015).
 */
export function clusterNormalInterval(
  values: readonly number[],
  clusters: readonly string[],
  level: number = DEFAULT_LEVEL,
): Interval | null {
  checkFinite(values);
  const tail = tailOf(level);
  const { sums, counts } = clusterTotals(values, clusters);
  const k = sums.length;
  const first = values[0];
  if (first === undefined || k < 2) return null;
  if (values.every((value) => value === first)) return [first, first];
  const mean = meanOf(values);
  let squares = 0;
  for (let i = 0; i < k; i++) {
    squares += ((sums[i] as number) - (counts[i] as number) * mean) ** 2;
  }
  return around(mean, Math.sqrt((k / (k - 1)) * squares) / values.length, k - 1, tail);
}

function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function around(mean: number, standardError: number, df: number, tail: number): Interval {
  const half = -studentTQuantile(tail, df) * standardError;
  return [mean - half, mean + half];
}
