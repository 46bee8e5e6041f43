import { normalCdf, normalQuantile } from "./distributions.js";
import { DEFAULT_LEVEL, type Interval, tailOf } from "./interval.js";

/** True if values differ by no more than the rounding of a subtraction. */
export function areEqual(values: readonly number[]): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
}

/**
 * The interval of a mean where all n values are equal, of a metric with a finite range. A sample without spread does
 * not show that further values are equal too. Wilson's interval of "0 of n values differ" bounds the share that may
 * differ by u = z²/(n + z²), and a value that differs is between the ends of the range:
 *   [value - u (value - low), value + u (high - value)].
 *
 * Range: inside `range`, and never of zero width.
 * Edge cases: for values at an end of [0, 1] it is Wilson's interval of 0 or n of n. For differences of zero in
 * [-1, 1] it is Tango's interval of no discordant pair. Null if the range is infinite: nothing bounds the mean.
 */
export function equalValuesInterval(value: number, n: number, range: Interval): Interval | null {
  const [low, high] = range;
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  const z = normalQuantile(tailOf(DEFAULT_LEVEL));
  const share = (z * z) / (n + z * z);
  return [value - share * (value - low), value + share * (high - value)];
}

/**
 * Two-sided p of "the mean is zero" where all n values are equal; below 0.05 exactly where `equalValuesInterval`
 * excludes zero. Solving its end for z gives z² = n |value| / |end|, with the end of the range beyond zero.
 */
export function equalValuesTest(value: number, n: number, range: Interval): number {
  return 2 * normalCdf(-Math.sqrt((n * Math.abs(value)) / beyondZero(value, range)));
}

/** The sum that n equal values have to exceed for p < alpha. */
export function equalValuesThreshold(value: number, alpha: number, range: Interval): number {
  const z = normalQuantile(alpha / 2);
  return z * z * beyondZero(value, range);
}

function beyondZero(value: number, [low, high]: Interval): number {
  return value > 0 ? -low : high;
}
