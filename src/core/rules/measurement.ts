/** What a predicate found: a number, what it is compared with, and whether that holds. */
export interface Measurement {
  readonly value: number;
  readonly threshold: number;
  /** Which side of the threshold holds; the threshold itself does. */
  readonly bound: "at_least" | "at_most";
  readonly holds: boolean;
}

/**
 * Measures a condition that holds from a threshold upwards.
 *
 * @example
 * atLeast(0.12, 0.1).holds; // true
 */
export function atLeast(value: number, threshold: number): Measurement {
  return { value, threshold, bound: "at_least", holds: value >= threshold };
}

/**
 * Measures a condition that holds up to a threshold.
 *
 * @example
 * atMost(0.12, 0.1).holds; // false
 */
export function atMost(value: number, threshold: number): Measurement {
  return { value, threshold, bound: "at_most", holds: value <= threshold };
}

/**
 * Measures a condition without a number: 1 or 0, with the threshold 1.
 *
 * @example
 * isTrue(false); // { value: 0, threshold: 1, bound: "at_least", holds: false }
 */
export function isTrue(holds: boolean): Measurement {
  return atLeast(holds ? 1 : 0, 1);
}
