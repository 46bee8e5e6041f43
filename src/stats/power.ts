import { ConfigError, show } from "../core/errors.js";
import { checkFinite } from "./arguments.js";
import { normalQuantile, studentTQuantile } from "./distributions.js";

export interface PowerOptions {
  /** Of the two-sided test; divide it by the number of tests if Holm's correction follows. */
  readonly alpha?: number;
  /** The probability of finding a difference as large as assumed; above one half. */
  readonly power?: number;
}

export interface TellApart {
  /** Total number of pairs; null when the mean difference is zero, because no number would suffice. */
  readonly needed: number | null;
  /** Pairs needed beyond those given; 0 when they suffice. */
  readonly more: number | null;
  /** The smallest absolute mean difference that the given pairs would find with this power. */
  readonly detectable: number;
}

/** Above this number of pairs the normal replaces Student's t; that costs two or three pairs of accuracy. */
const LARGE = 100_000;

/**
 * How many pairs of episodes are needed to tell two runs apart, assuming that the mean difference d and
 * the standard deviation s of the given differences (second run minus first) are the true ones: the
 * least n with
 *   |d| >= (t(1 - α/2) + t(power)) s/√n,  t with n - 1 degrees of freedom.
 *
 * Rates: where every difference is -1, 0 or 1 the test is McNemar's exact one, which is discrete. 1/n is
 * added on the right as a continuity correction, and at least as many discordant pairs are required as
 * give p < α when all point the same way (six at 0.05).
 *
 * Accuracy: at α = 0.05 within one pair of the exact answer by the noncentral t. For rates the exact test
 * has a power of 0.79 to 0.92 at the number given, from 40 pairs on; with fewer it may be less, 0.73 at 15.
 * Edge cases: null below two pairs, and when all differences are zero: then neither d nor s is known.
 * Equal differences have no spread: two pairs suffice for a t test.
 * Trap: d is an estimate, and its error matters far more than that of the formula: a difference that was
 * overestimated twofold gives a quarter of the pairs. Pairs are assumed to be independent, so the
 * additional ones must come from as many different scenes.
 * Source: Lachin, "Introduction to sample size determination and power analysis for clinical trials",
 * Controlled Clinical Trials 2 (1981); McNemar's: Connor, Biometrics 43 (1987).
 */
export function episodesToTellApart(
  differences: readonly number[],
  options: PowerOptions = {},
): TellApart | null {
  const { alpha = 0.05, power = 0.8 } = options;
  checkBetween(alpha, 0, "alpha");
  checkBetween(power, 0.5, "power");
  checkFinite(differences, "differences");
  const n = differences.length;
  if (n < 2 || differences.every((d) => d === 0)) return null;

  const { mean, sd } = meanAndSpread(differences);
  const discordant = differences.filter((d) => d !== 0).length / n;
  const isRate = differences.every((d) => d === 0 || Math.abs(d) === 1);
  const least = isRate ? Math.ceil(fewestDiscordant(alpha) / discordant) : 2;
  const detectable = (pairs: number) => {
    const standardErrors = quantile(pairs, 1 - alpha / 2) + quantile(pairs, power);
    return (standardErrors * sd) / Math.sqrt(pairs) + (isRate ? 1 / pairs : 0);
  };
  const needed = leastPairs(least, (pairs) => detectable(pairs) <= Math.abs(mean));
  return {
    needed,
    more: needed === null ? null : Math.max(0, needed - n),
    detectable: detectable(n),
  };
}

function quantile(pairs: number, p: number): number {
  return pairs > LARGE ? normalQuantile(p) : studentTQuantile(p, pairs - 1);
}

/** McNemar's p of k pairs that all point the same way is 2^(1-k): the least k where it is below α. */
function fewestDiscordant(alpha: number): number {
  return Math.floor(1 - Math.log2(alpha)) + 1;
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

function meanAndSpread(values: readonly number[]): { mean: number; sd: number } {
  const first = values[0] as number;
  if (values.every((value) => value === first)) return { mean: first, sd: 0 };
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}

function checkBetween(value: number, least: number, name: string): void {
  if (!(value > least && value < 1)) {
    throw new ConfigError("invalid_probability", `${name} is ${show(value)}`, {
      hint: `give a number between ${least} and 1; usual values are alpha 0.05 and power 0.8`,
    });
  }
}
