import { ConfigError, show } from "../core/errors.js";
import { quantileSorted } from "./quantile.js";

/** Both ends belong to the interval. */
export type Interval = readonly [low: number, high: number];

export interface ResamplingOptions {
  /** The same seed gives exactly the same interval. */
  readonly seed: number;
  /** With 2,000, the ends of a 95 % interval vary by about 3 % of its half width between seeds. */
  readonly resamples?: number;
  readonly level?: number;
}

export const DEFAULT_LEVEL = 0.95;
export const DEFAULT_RESAMPLES = 2000;

/** The half of `1 - level` that an equal-tailed interval leaves out on each side. */
export function tailOf(level: number): number {
  if (!(level > 0 && level < 1)) {
    throw new ConfigError("invalid_level", `confidence level is ${show(level)}`, {
      hint: "give a number between 0 and 1, such as 0.95",
    });
  }
  return (1 - level) / 2;
}

/**
 * Equal-tailed percentile interval of bootstrap replicates (Efron and Tibshirani 1993, ch. 13).
 * Sorts the replicates in place.
 */
export function percentileInterval(replicates: Float64Array, level: number): Interval {
  const tail = tailOf(level);
  replicates.sort();
  return [quantileSorted(replicates, tail), quantileSorted(replicates, 1 - tail)];
}
