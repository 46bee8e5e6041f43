import { normalCdf, normalQuantile } from "./distributions.js";
import { DEFAULT_LEVEL, type Interval, tailOf } from "./interval.js";

/** Pairs of outcomes; effective numbers need not be whole. */
export interface PairedOutcomes {
  /** Pairs in which only the first run has a 1. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** All pairs. */
  readonly n: number;
}

/**
 * McNemar's score test: do two runs on the same episodes succeed equally often? Two-sided p of
 *   z = (c - b) / √(b + c),
 * b and c the pairs that only the first and only the second run solved.
 *
 * Why not the exact test: it is conservative, and no interval of the difference corresponds to it.
 * Trap: the score test's error exceeds 5 % in very small samples whose pairs are nearly all discordant: up to 12.5 % of
 * four pairs and 7.8 % of five. It is at most 5.4 % where up to half of the pairs are discordant (power.test.ts).
 * Edge case: no discordant pair, p = 1.
 * Source: McNemar, Psychometrika 12 (1947); the comparison of both: Fagerland, Lydersen and Laake, BMC Medical
 * Research Methodology 13 (2013).
 */
export function mcnemarScore({ onlyFirst, onlySecond }: PairedOutcomes): number {
  if (onlyFirst === onlySecond) return 1;
  return 2 * normalCdf(-Math.abs(onlySecond - onlyFirst) / Math.sqrt(onlyFirst + onlySecond));
}

/**
 * Tango's score interval of the difference of two paired rates, second minus first: the differences Δ that the
 * score test does not reject,
 *   |c - b - nΔ| <= z √(n (2q + Δ(1 - Δ))),
 * where q is the maximum likelihood estimate of the share of pairs that only the first run solves, given Δ. At Δ = 0
 * this is McNemar's score test, so the interval excludes 0 exactly where that has p < 1 - level.
 *
 * Range: inside [-1, 1] and around (c - b)/n; never of zero width.
 * Edge case: no discordant pair gives ±z²/(n + z²).
 * Source: Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
 * design", Statistics in Medicine 17 (1998).
 */
export function tangoInterval(pairs: PairedOutcomes, level: number = DEFAULT_LEVEL): Interval {
  const { onlyFirst, onlySecond, n } = pairs;
  const swapped = { onlyFirst: onlySecond, onlySecond: onlyFirst, n };
  const z = -normalQuantile(tailOf(level));
  const low = upperEnd(swapped, z);
  return [low === 0 ? 0 : -low, upperEnd(pairs, z)];
}

/** The greatest Δ that is not rejected, by bisection: the statistic falls as Δ grows. */
function upperEnd({ onlyFirst: b, onlySecond: c, n }: PairedOutcomes, z: number): number {
  let low = (c - b) / n;
  let high = 1;
  while (high - low > 1e-12) {
    const delta = (low + high) / 2;
    const linear = (2 * n - c + b) * delta - b - c;
    const root = Math.sqrt(linear * linear + 8 * n * b * delta * (1 - delta));
    const q = (root - linear) / (4 * n);
    const variance = n * (2 * q + delta * (1 - delta));
    if (c - b - n * delta >= -z * Math.sqrt(Math.max(0, variance))) low = delta;
    else high = delta;
  }
  return high;
}
