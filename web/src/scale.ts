import type { MetricNote } from "../../src/server/view/documents.js";

type Span = readonly [number, number];

/** The ends of a metric's axis: its range if it is bounded, or else the extent of the numbers. */
export function scaleOf(
  range: MetricNote["range"] | undefined,
  numbers: readonly (number | null | undefined)[],
): Span {
  const finite = numbers.filter(
    (value): value is number => typeof value === "number" && Number.isFinite(value),
  );
  const low = range?.[0] ?? Math.min(0, ...finite);
  const high = range?.[1] ?? Math.max(0, ...finite);
  return low < high ? [low, high] : [low, low + 1];
}

/** A symmetric scale around 0. */
export function scaleAroundZero(numbers: readonly number[]): Span {
  const reach = Math.max(...numbers.map(Math.abs), 0) || 1;
  return [-reach, reach];
}

/** The span from the least to the greatest number, with a margin around a single value. */
export function extentOf(numbers: readonly number[]): Span {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of numbers) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}
