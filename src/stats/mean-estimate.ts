import { checkFinite } from "./arguments.js";
import { clusterTotals } from "./clusters.js";
import { studentTQuantile, studentTTwoSided } from "./distributions.js";
import { DEFAULT_LEVEL, type Interval, tailOf } from "./interval.js";

/** A mean with its standard error, whose t quantiles have `df` degrees of freedom. */
export interface MeanEstimate {
  readonly mean: number;
  readonly standardError: number;
  readonly df: number;
}

/**
 * The mean of independent values: standard error √(s²/n), s² with n - 1.
 *
 * Edge case: fewer than two values have no spread, hence no estimate (null).
 * Source: Student, Biometrika 6 (1908).
 */
export function independentEstimate(values: readonly number[]): MeanEstimate | null {
  checkFinite(values);
  const n = values.length;
  if (n < 2) return null;
  const mean = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, standardError: Math.sqrt(squares / (n - 1) / n), df: n - 1 };
}

/**
 * The mean over episodes that share scenes. The standard error is √(K/(K-1) Σ(S - c·mean)²) / n over the K
 * scenes with sum S and count c. With scenes of equal size it is that of the mean of the scene means.
 *
 * Edge case: null below two scenes, because one scene says nothing about how scenes differ.
 * Source: Liang and Zeger, Biometrika 73 (1986); Cameron and Miller, "A practitioner's guide to
 * cluster-robust inference", Journal of Human Resources 50 (2015).
 */
export function sceneEstimate(
  values: readonly number[],
  scenes: readonly string[],
): MeanEstimate | null {
  checkFinite(values);
  const { sums, counts } = clusterTotals(values, scenes);
  const k = sums.length;
  if (k < 2) return null;
  const mean = meanOf(values);
  let squares = 0;
  for (let i = 0; i < k; i++) {
    squares += ((sums[i] as number) - (counts[i] as number) * mean) ** 2;
  }
  const standardError = Math.sqrt((k / (k - 1)) * squares) / values.length;
  return { mean, standardError, df: k - 1 };
}

/**
 * The mean of episodes' values, with the estimate over scenes where episodes share them, and the independent one
 * where its 95 % interval is wider. Scenes whose means are equal by chance have a standard error of zero, and that
 * of few scenes is often too small, so they never make the interval narrower than independent episodes would.
 */
export function estimateMean(
  values: readonly number[],
  scenes?: readonly string[],
): MeanEstimate | null {
  const independent = independentEstimate(values);
  if (!scenes || !independent || !sharesScenes(scenes)) return independent;
  const shared = sceneEstimate(values, scenes);
  return shared && halfWidth(shared) > halfWidth(independent) ? shared : independent;
}

/** True if there are several scenes, and some have several episodes. */
export function sharesScenes(scenes: readonly string[]): boolean {
  const count = new Set(scenes).size;
  return count > 1 && count < scenes.length;
}

/** Student's t interval of an estimated mean. */
export function studentInterval(estimate: MeanEstimate, level: number = DEFAULT_LEVEL): Interval {
  const half = halfWidth(estimate, level);
  return [estimate.mean - half, estimate.mean + half];
}

/** Two-sided p of "the mean is zero"; below 1 - level exactly where `studentInterval` excludes zero. */
export function studentTest({ mean, standardError, df }: MeanEstimate): number {
  return mean === 0 ? 1 : studentTTwoSided(mean / standardError, df);
}

function halfWidth({ standardError, df }: MeanEstimate, level: number = DEFAULT_LEVEL): number {
  return -studentTQuantile(tailOf(level), df) * standardError;
}

export function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
