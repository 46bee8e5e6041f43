/** The value of a predicate, its threshold, and whether it holds. */
export interface Measurement {
  readonly value: number;
  readonly threshold: number;
  /** The side of the threshold that holds, including the threshold itself. */
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
 * Value 1 or 0 with threshold 1.
 *
 * @example
 * isTrue(false); // { value: 0, threshold: 1, bound: "at_least", holds: false }
 */
export function isTrue(holds: boolean): Measurement {
  return atLeast(holds ? 1 : 0, 1);
}
