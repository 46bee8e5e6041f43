import type { IntervalMethod } from "../core/interfaces/result.js";
import { checkFinite, checkSameLength } from "./arguments.js";
import { effectiveCount } from "./effective-count.js";
import { areEqual, equalValuesInterval } from "./equal-values.js";
import { checkedRange, clip, type Interval } from "./interval.js";
import { estimateMean, meanOf, sharesScenes, studentInterval } from "./mean-estimate.js";
import { wilsonOfRate } from "./wilson.js";

export interface MeanIntervalOptions {
  readonly kind: "rate" | "mean";
  /** The scene of each value. */
  readonly clusters?: readonly string[] | undefined;
  /** Lowest and highest possible value of the metric; intervals are cut to it. Default: no limits. */
  readonly range?: Interval | undefined;
}

export interface MeanInterval {
  readonly interval: Interval | null;
  readonly method: IntervalMethod;
}

/**
 * The 95 % interval of a metric's mean, by the method that suits the values:
 *
 * - a rate (every value 0 or 1): Wilson, `wilson`; where episodes share scenes, on the effective number of episodes,
 *   `wilson_scenes`;
 * - a mean: Student's t, `student_t`; where episodes share scenes, on the scenes' totals, `cluster_t`;
 * - a mean of equal values: `equal_values`, or `none` if the metric's range is infinite.
 *
 * Edge cases: no values, and a mean of a single value: no interval, `none`. A metric of kind `rate` with
 * values other than 0 and 1 is treated as a mean. A range that a value exceeds is ignored.
 * Trap: with a single scene the interval holds for that scene only. With two or three scenes it is wide; adding
 * scenes narrows it, adding episodes in the same scenes does not.
 */
export function meanInterval(
  values: readonly number[],
  options: MeanIntervalOptions,
): MeanInterval {
  const { clusters, kind } = options;
  checkFinite(values);
  const range = checkedRange(options.range, values);
  if (clusters) checkSameLength(values, clusters, "values", "cluster names");
  const n = values.length;
  const [first] = values;
  if (first === undefined) return { interval: null, method: "none" };
  const shared = clusters !== undefined && sharesScenes(clusters);

  if (kind === "rate" && values.every((value) => value === 0 || value === 1)) {
    const interval = wilsonOfRate(meanOf(values), effectiveCount(values, clusters));
    return { interval, method: shared ? "wilson_scenes" : "wilson" };
  }
  if (n > 1 && areEqual(values)) {
    const interval = equalValuesInterval(first, n, range);
    return { interval, method: interval ? "equal_values" : "none" };
  }
  const estimate = estimateMean(values, clusters);
  if (!estimate) return { interval: null, method: "none" };
  const interval = clip(studentInterval(estimate), range);
  return { interval, method: shared ? "cluster_t" : "student_t" };
}
