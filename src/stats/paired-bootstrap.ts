import { bootstrapMean } from "./bootstrap.js";
import type { Interval, ResamplingOptions } from "./interval.js";
import { pairedDifferences } from "./paired-differences.js";

/**
 * Percentile bootstrap of the mean paired difference, second run minus first. Whole pairs are
 * drawn, so what makes an episode hard for both runs cancels out.
 *
 * Edge cases: no pairs, no interval (null); the same difference everywhere gives zero width.
 * Trap: the pairs count as independent.
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), ch. 8 and 13.
 */
export function pairedBootstrap(
  first: readonly number[],
  second: readonly number[],
  options: ResamplingOptions,
): Interval | null {
  return bootstrapMean(pairedDifferences(first, second), options);
}
