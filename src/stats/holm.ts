import { ConfigError, show } from "../core/errors.js";

/**
 * Holm's step-down correction for testing several metrics at once. If every metric with an adjusted p
 * below α is called different, the probability of one or more false calls is at most α, however the
 * metrics depend on each other.
 *
 * Formula: for the sorted p(1) <= ... <= p(m), adjusted p(i) = max over j <= i of min(1, (m - j + 1) p(j)).
 * Range: [p, 1]; the ranking of the p-values and their indices in the list are kept.
 * Edge cases: an empty list stays empty; a single p is unchanged; equal p-values get equal results.
 * Source: Holm, Scandinavian Journal of Statistics 6 (1979).
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  const m = pValues.length;
  for (const [i, p] of pValues.entries()) {
    if (!(p >= 0 && p <= 1)) {
      throw new ConfigError("invalid_probability", `p-value ${i} is ${show(p)}`, {
        hint: "pass numbers from 0 to 1; leave out tests that have no p-value",
      });
    }
  }
  const order = pValues.map((p, index) => ({ p, index })).sort((x, y) => x.p - y.p);
  const adjusted = new Array<number>(m).fill(1);
  let greatest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    greatest = Math.max(greatest, Math.min(1, (m - rank) * p));
    adjusted[index] = greatest;
  }
  return adjusted;
}
