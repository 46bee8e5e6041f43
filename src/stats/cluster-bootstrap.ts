import { Random } from "../core/math/random.js";
import { checkFinite, checkResamples } from "./arguments.js";
import { clusterTotals } from "./clusters.js";
import {
  DEFAULT_LEVEL,
  DEFAULT_RESAMPLES,
  type Interval,
  percentileInterval,
  type ResamplingOptions,
} from "./interval.js";

/**
 * Percentile bootstrap of the mean over episodes that share scenes: K scenes are drawn with
 * replacement out of K, each with all its episodes, and the mean is taken over the episodes drawn
 * (so large scenes weigh more, as they do in the mean itself).
 *
 * Why: the outcomes of episodes in one scene are correlated. Drawing episodes one by one treats all n as
 * independent and gives too narrow an interval: in the simulation of coverage.soak.test.ts (30 scenes
 * of 10 episodes, intra-scene correlation 0.3) it covers 68 % instead of 95 %.
 *
 * Edge cases: no values, no interval (null). One scene: null, because one scene says nothing about how
 * scenes differ. Equal values give zero width.
 * Trap: with few clusters this interval is too narrow as well. The standard deviation of the replicates
 * is √((K-1)/K) of the standard error, and their percentiles are used in place of t quantiles with K - 1
 * degrees of freedom. A 95 % interval therefore covers P(|T| < 1.96 √((K-1)/K)): 0.85 at 5 clusters,
 * 0.90 at 10, 0.94 at 30.
 * Source: Davison and Hinkley, Bootstrap Methods and their Application (1997), 3.8; few clusters:
 * Cameron, Gelbach and Miller, Review of Economics and Statistics 90 (2008).
 */
export function clusterBootstrapMean(
  values: readonly number[],
  clusters: readonly string[],
  options: ResamplingOptions,
): Interval | null {
  const { seed, resamples = DEFAULT_RESAMPLES, level = DEFAULT_LEVEL } = options;
  checkFinite(values);
  checkResamples(resamples);
  const { sums, counts } = clusterTotals(values, clusters);
  const k = sums.length;
  const first = values[0];
  if (first === undefined || k < 2) return null;
  if (values.every((value) => value === first)) return [first, first];
  const random = new Random(seed);
  const means = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < k; i++) {
      const drawn = random.below(k);
      sum += sums[drawn] as number;
      count += counts[drawn] as number;
    }
    means[r] = sum / count;
  }
  return percentileInterval(means, level);
}
