import { Random } from "../core/math/random.js";
import { checkFinite, checkResamples } from "./arguments.js";
import {
  DEFAULT_LEVEL,
  DEFAULT_RESAMPLES,
  type Interval,
  percentileInterval,
  type ResamplingOptions,
} from "./interval.js";

/**
 * Percentile bootstrap of the mean: draw n values with replacement, take their mean, and repeat; the
 * interval holds the middle `level` of those means.
 *
 * Range: between the least and the greatest value, so a metric's own bounds are kept.
 * Edge cases: no values, no interval (null). Equal values, or a single value, give zero width: the data
 * show no spread, which does not prove that there is none.
 * Trap: the values are assumed to be independent; for episodes that share scenes see
 * cluster-bootstrap.ts. On skewed values the interval covers a little less than its level: 92-93 % for
 * exponential values at n = 50, and more as n grows.
 * Source: Efron, Annals of Statistics 7 (1979); Efron and Tibshirani, An Introduction to the
 * Bootstrap (1993), ch. 13.
 */
export function bootstrapMean(
  values: readonly number[],
  options: ResamplingOptions,
): Interval | null {
  const { seed, resamples = DEFAULT_RESAMPLES, level = DEFAULT_LEVEL } = options;
  checkFinite(values);
  checkResamples(resamples);
  const n = values.length;
  const first = values[0];
  if (first === undefined) return null;
  // The sum of n equal values divided by n may differ from the value by rounding.
  if (values.every((value) => value === first)) return [first, first];
  const random = new Random(seed);
  const packed = Float64Array.from(values);
  const means = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += packed[random.below(n)] as number;
    means[r] = sum / n;
  }
  return percentileInterval(means, level);
}
