import { studentTQuantile } from "./distributions.js";
import { DEFAULT_LEVEL, tailOf } from "./interval.js";
import { meanOf, sceneEstimate, sharesScenes } from "./mean-estimate.js";

/**
 * The number of independent episodes whose mean would be as uncertain as the mean of these, which share scenes: the
 * variance of the values divided by the mean's squared standard error over scenes. The result is multiplied by
 * (t(n-1)/t(K-1))², the squared t quantiles of n - 1 and of K - 1 degrees of freedom, because the standard error of
 * K scenes is a poor estimate when K is small.
 *
 * Range: at most n.
 * Edge cases: n where episodes do not share scenes, where all values are equal, and where all scenes have the same
 * mean, because the data then show no effect of the scenes.
 * Source: Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts
 * estimated from survey data", Survey Methodology 24 (1998); with Wilson's interval: Franco, Little, Louis and Slud,
 * Journal of Survey Statistics and Methodology 7 (2019).
 */
export function effectiveCount(values: readonly number[], scenes?: readonly string[]): number {
  const n = values.length;
  const shared = scenes && sharesScenes(scenes) ? sceneEstimate(values, scenes) : null;
  if (!shared) return n;
  const mean = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  // Rounding of the mean leaves a little of a variance that is zero.
  if (!(squares > 1e-12) || !(shared.standardError > 1e-12)) return n;
  const tail = tailOf(DEFAULT_LEVEL);
  const factor = studentTQuantile(tail, n - 1) / studentTQuantile(tail, shared.df);
  return Math.min(n, ((factor / shared.standardError) ** 2 * squares) / n);
}
