import { checkCount } from "./arguments.js";
import { logBinomial } from "./special-functions.js";

/**
 * Exact McNemar test: do two runs on the same episodes succeed equally often?
 *
 * `b` counts the episodes that only the first run solved, `c` those that only the second did; episodes
 * with equal outcomes carry no information. If the runs are equally good, b is binomial(b + c, 1/2).
 * Formula: p = min(1, 2 P(X <= min(b, c))), X ~ Binomial(b + c, 1/2).
 * Range: (0, 1]; symmetric in b and c. The sum is computed relative to its largest term, and that term
 * in logarithms, so p has twelve correct digits down to the smallest double (ten at a million pairs);
 * below about 1e-308 it is 0.
 * Edge cases: no discordant pair, p = 1; b = c, p = 1.
 * Source: McNemar, Psychometrika 12 (1947); the exact form as in Fagerland, Lydersen and Laake, BMC
 * Medical Research Methodology 13 (2013).
 */
export function mcnemarExact(b: number, c: number): number {
  checkCount(b, "b");
  checkCount(c, "c");
  const n = b + c;
  const k = Math.min(b, c);
  if (b === c) return 1;
  // Neighbouring terms have the ratio j / (n - j + 1) < 1, so the sum is complete at the first negligible one.
  let sum = 1;
  let term = 1;
  for (let j = k; j > 0 && term > Number.EPSILON * 1e-3 * sum; j--) {
    term *= j / (n - j + 1);
    sum += term;
  }
  const logP = logBinomial(n, k) - (n - 1) * Math.LN2 + Math.log(sum);
  return Math.min(1, Math.exp(logP));
}
