import { checkFinite, checkSameLength } from "./arguments.js";
import { normalQuantile, studentTQuantile } from "./distributions.js";
import { effectiveCount } from "./effective-count.js";
import { DEFAULT_LEVEL, tailOf } from "./interval.js";
import { meanOf } from "./mean-estimate.js";
import { type MeanInterval, type MeanIntervalOptions, meanInterval } from "./mean-interval.js";
import { wilsonOfRate } from "./wilson.js";

export interface RepeatsInterval extends MeanInterval {
  /** The mean over episodes of each episode's mean over its repeats; null when there are no values. */
  readonly mean: number | null;
}

/**
 * The 95 % interval of a metric's mean where episodes were run several times. Each group of `groups` holds
 * the values of one episode, `options.clusters` the scene of each group.
 *
 * What is estimated: the mean over episodes of an episode's mean over repeats. Episodes weigh equally,
 * however many of their repeats have a value; those without any value are left out.
 *
 * - A rate (every value 0 or 1): `wilson_repeats`, Wilson's interval with an effective number of
 *   independent episodes, see `effectiveRepeats`; where episodes share scenes, reduced by the share of
 *   the episodes that is effective, see `effectiveCount`.
 * - Any other mean: `meanInterval` of the episodes' means, with the method that it chooses.
 *
 * Why not Wilson over all values: repeats of an episode are correlated. In the simulation of
 * repeats-interval.test.ts (40 episodes of 5 repeats) it covers 73 to 92 %.
 * Why not Wilson over episodes: it covers 99 to 100 %, so it is wider than necessary.
 */
export function repeatsInterval(
  groups: readonly (readonly number[])[],
  options: MeanIntervalOptions,
): RepeatsInterval {
  const { clusters } = options;
  for (const [i, group] of groups.entries()) checkFinite(group, `groups[${i}]`);
  if (clusters) checkSameLength(groups, clusters, "groups", "cluster names");
  const filled = groups.filter((group) => group.length > 0);
  if (filled.length === 0) return { interval: null, method: "none", mean: null };
  const means = filled.map(meanOf);
  const mean = meanOf(means);
  const scenes = clusters?.filter((_, i) => (groups[i]?.length ?? 0) > 0);

  if (options.kind === "rate" && filled.every((group) => group.every(isOutcome))) {
    const values = filled.reduce((sum, group) => sum + group.length, 0);
    const share = effectiveCount(means, scenes) / means.length;
    const interval = wilsonOfRate(mean, share * effectiveRepeats(means, mean, values));
    return { interval, method: "wilson_repeats", mean };
  }
  return { ...meanInterval(means, { ...options, kind: "mean", clusters: scenes }), mean };
}

/**
 * The number of independent outcomes whose rate would be as uncertain as this mean: p(1-p) divided by
 * the mean's squared standard error s²/n, where s² is the variance of the n episodes' means. The result
 * is multiplied by (z/t)², t with n - 1 degrees of freedom, because s is a poor estimate when n is
 * small: without this factor five episodes of twenty repeats cover only 85 to 90 %.
 *
 * Range: from n, where all repeats of each episode agree, to the number of values, where repeats are
 * independent.
 * Edge case: if all episodes have the same mean, s² is zero and the result is n, the minimum.
 * Source: Korn and Graubard, "Confidence intervals for proportions with small expected number of
 * positive counts estimated from survey data", Survey Methodology 24 (1998); with Wilson's interval:
 * Franco, Little, Louis and Slud, Journal of Survey Statistics and Methodology 7 (2019).
 */
function effectiveRepeats(means: readonly number[], p: number, values: number): number {
  const n = means.length;
  if (means.every((mean) => mean === means[0])) return n;
  let squares = 0;
  for (const mean of means) squares += (mean - p) ** 2;
  const tail = tailOf(DEFAULT_LEVEL);
  const shrink = normalQuantile(tail) / studentTQuantile(tail, n - 1);
  const count = ((p * (1 - p)) / (squares / (n - 1) / n)) * shrink * shrink;
  return Math.min(Math.max(count, n), values);
}

function isOutcome(value: number): boolean {
  return value === 0 || value === 1;
}
