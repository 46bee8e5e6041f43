/** What a predicate found: a number, what it is compared with, and whether that holds. */
export interface Measurement {
  readonly value: number;
  readonly threshold: number;
  /** Which side of the threshold holds; the threshold itself does. */
  readonly bound: "at_least" | "at_most";
  readonly holds: boolean;
}

export function atLeast(value: number, threshold: number): Measurement {
  return { value, threshold, bound: "at_least", holds: value >= threshold };
}

export function atMost(value: number, threshold: number): Measurement {
  return { value, threshold, bound: "at_most", holds: value <= threshold };
}

/** 1 or 0, needs 1. */
export function isTrue(holds: boolean): Measurement {
  return atLeast(holds ? 1 : 0, 1);
}
