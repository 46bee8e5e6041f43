import { ConfigError, show } from "../core/errors.js";

/**
 * Holm's step-down correction for testing several metrics at once: whoever calls a metric different
 * when its adjusted p is below α is wrong about any of them with probability at most α, however the
 * metrics depend on each other.
 *
 * Formula: for the sorted p(1) <= ... <= p(m), adjusted p(i) = max over j <= i of min(1, (m - j + 1) p(j)).
 * Range: [p, 1]; the order of the p-values is kept, and so are their places in the list.
 * Edge cases: an empty list stays empty; a single p is unchanged; equal p-values get equal results.
 * Source: Holm, Scandinavian Journal of Statistics 6 (1979).
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  const m = pValues.length;
  for (const [i, p] of pValues.entries()) {
    if (!(p >= 0 && p <= 1)) {
      throw new ConfigError("invalid_probability", `p-value ${i} is ${show(p)}`, {
        hint: "p-values lie from 0 to 1; leave out tests that could not be made",
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
