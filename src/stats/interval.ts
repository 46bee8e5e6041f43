import { ConfigError, show } from "../core/errors.js";

/** Both ends belong to the interval. */
export type Interval = readonly [low: number, high: number];

export const DEFAULT_LEVEL = 0.95;

/** The half of `1 - level` that an equal-tailed interval leaves out on each side. */
export function tailOf(level: number): number {
  if (!(level > 0 && level < 1)) {
    throw new ConfigError("invalid_level", `confidence level is ${show(level)}`, {
      hint: "give a number between 0 and 1, such as 0.95",
    });
  }
  return (1 - level) / 2;
}

const UNLIMITED: Interval = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** The metric's range; no limits if it is unknown, or if a value is outside and so disproves it. */
export function checkedRange(range: Interval | undefined, values: readonly number[]): Interval {
  if (!range || values.some((value) => value < range[0] || value > range[1])) return UNLIMITED;
  return range;
}

export function clip([low, high]: Interval, range: Interval): Interval {
  return [Math.max(low, range[0]), Math.min(high, range[1])];
}
