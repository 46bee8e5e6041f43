import { ConfigError, show } from "../core/errors.js";
import { normalQuantile, studentTQuantile } from "./distributions.js";
import type { MeanEstimate } from "./mean-estimate.js";
import type { PairedOutcomes } from "./tango.js";

export interface PowerOptions {
  /** Level of the two-sided test; divide it by the number of tests if Holm's correction follows. */
  readonly alpha?: number;
  /** The probability of finding a difference as large as assumed; above one half. */
  readonly power?: number;
}

export interface TellApart {
  /** Total number of pairs; null when the mean difference is zero, because no number would suffice. */
  readonly needed: number | null;
  /** Pairs needed beyond those given; 0 when they suffice. */
  readonly more: number | null;
  /**
   * The smallest absolute mean difference that the given pairs would find with this power; null if they are too few
   * for any difference that the metric's range allows.
   */
  readonly detectable: number | null;
}

/** Above this number of pairs the normal replaces Student's t; that costs two or three pairs of accuracy. */
const LARGE = 100_000;

/**
 * How many pairs are needed to tell two runs apart by a t test, assuming that the estimated mean difference d and its
 * standard error e over n pairs are the true ones: the least n' with
 *   |d| >= (t(1 - α/2) + t(power)) e √(n/n').
 * The degrees of freedom grow with n': further pairs come from further scenes, as many per scene as now.
 *
 * Accuracy: at α = 0.05 within one pair of the exact answer by the noncentral t.
 * Trap: d is an estimate, and its error matters far more than that of the formula: a difference that was
 * overestimated twofold gives a quarter of the pairs.
 * Source: Lachin, "Introduction to sample size determination and power analysis for clinical trials",
 * Controlled Clinical Trials 2 (1981).
 *
 * @param largest the largest possible difference of the metric
 */
export function tellMeansApart(
  { mean, standardError, df }: MeanEstimate,
  n: number,
  largest = Number.POSITIVE_INFINITY,
  options: PowerOptions = {},
): TellApart {
  const { alpha, power } = checked(options);
  const sd = standardError * Math.sqrt(n);
  const detectable = (pairs: number) => {
    const freedom = Math.max(1, ((df + 1) * pairs) / n - 1);
    const standardErrors = quantile(freedom, 1 - alpha / 2) + quantile(freedom, power);
    return (standardErrors * sd) / Math.sqrt(pairs);
  };
  const needed = leastPairs(2, (pairs) => detectable(pairs) <= Math.abs(mean));
  return tellApart(needed, n, detectable(n), largest);
}

/**
 * The same for paired outcomes and McNemar's score test. With ψ the share of discordant pairs,
 *   |d| √n' >= z(1 - α/2) √ψ + z(power) √(ψ - d²),
 * and n' divided by the share of the pairs that is effective where they share scenes. A detectable difference above ψ
 * takes more discordant pairs than there are; ψ is then that difference.
 *
 * Accuracy: the score test's exact power at the number given was computed for 16 pairs of rates, see power.test.ts.
 * Source: Connor, Biometrics 43 (1987).
 *
 * @param effective the effective number of pairs
 */
export function tellRatesApart(
  { onlyFirst, onlySecond, n }: PairedOutcomes,
  effective: number,
  options: PowerOptions = {},
): TellApart {
  const { alpha, power } = checked(options);
  const [zAlpha, zPower] = [normalQuantile(1 - alpha / 2), normalQuantile(power)];
  const observed = (onlyFirst + onlySecond) / n;
  const missing = (difference: number, pairs: number) => {
    const share = Math.max(observed, difference);
    const spread = Math.sqrt(Math.max(0, share - difference * difference));
    return zAlpha * Math.sqrt(share) + zPower * spread - difference * Math.sqrt(pairs);
  };
  const difference = Math.abs(onlySecond - onlyFirst) / n;
  const needed = leastPairs(1, (pairs) => missing(difference, (pairs * effective) / n) <= 0);
  return tellApart(
    needed,
    n,
    leastDifference((d) => missing(d, effective) <= 0),
    1,
  );
}

function tellApart(
  needed: number | null,
  n: number,
  detectable: number,
  largest: number,
): TellApart {
  return {
    needed,
    more: needed === null ? null : Math.max(0, needed - n),
    detectable: detectable <= largest ? detectable : null,
  };
}

function quantile(df: number, p: number): number {
  return df > LARGE ? normalQuantile(p) : studentTQuantile(p, df);
}

/** The least difference in (0, 1] for which the monotone `suffices` is true; infinite if none is. */
function leastDifference(suffices: (difference: number) => boolean): number {
  if (!suffices(1)) return Number.POSITIVE_INFINITY;
  let [low, high] = [0, 1];
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The least whole number >= `least` for which the monotone `suffices` is true; null beyond 2^53. */
function leastPairs(least: number, suffices: (pairs: number) => boolean): number | null {
  if (suffices(least)) return least;
  let low = least;
  let high = 2 * least;
  while (!suffices(high)) {
    if (high > Number.MAX_SAFE_INTEGER / 2) return null;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function checked({ alpha = 0.05, power = 0.8 }: PowerOptions) {
  checkBetween(alpha, 0, "alpha");
  checkBetween(power, 0.5, "power");
  return { alpha, power };
}

function checkBetween(value: number, least: number, name: string): void {
  if (!(value > least && value < 1)) {
    throw new ConfigError("invalid_probability", `${name} is ${show(value)}`, {
      hint: `give a number between ${least} and 1; usual values are alpha 0.05 and power 0.8`,
    });
  }
}
