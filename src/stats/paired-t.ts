import { studentTTwoSided } from "./distributions.js";
import { pairedDifferences } from "./paired-differences.js";

export interface PairedTTest {
  /** Mean difference in standard errors; ±infinity when every pair differs by the same amount. */
  readonly t: number;
  readonly df: number;
  /** Two-sided. */
  readonly p: number;
  /** Second run minus first. */
  readonly meanDifference: number;
}

/**
 * Student's paired t test: is the mean difference, second run minus first, zero?
 *
 * Formula: t = d̄ / √(s²/n), s² the variance of the differences with n - 1; p = P(|T| >= |t|) with
 * n - 1 degrees of freedom.
 * Edge cases: fewer than two pairs, no test (null). Differences without variance: p = 1 and t = 0 when
 * they are all zero, else p = 0 and t = ±infinity.
 * Source: Student, Biometrika 6 (1908).
 */
export function pairedT(first: readonly number[], second: readonly number[]): PairedTTest | null {
  const differences = pairedDifferences(first, second);
  const n = differences.length;
  const df = n - 1;
  const one = differences[0];
  if (one === undefined || n < 2) return null;
  if (differences.every((d) => d === one)) {
    if (one === 0) return { t: 0, df, p: 1, meanDifference: 0 };
    return { t: Math.sign(one) * Number.POSITIVE_INFINITY, df, p: 0, meanDifference: one };
  }
  let sum = 0;
  for (const d of differences) sum += d;
  const meanDifference = sum / n;
  let squares = 0;
  for (const d of differences) squares += (d - meanDifference) ** 2;
  const t = meanDifference / Math.sqrt(squares / df / n);
  return { t, df, p: studentTTwoSided(t, df), meanDifference };
}
