import { ConfigError } from "../core/errors.js";
import { checkCount } from "./arguments.js";
import { normalQuantile } from "./distributions.js";
import { DEFAULT_LEVEL, type Interval, tailOf } from "./interval.js";

/**
 * Wilson's score interval of a rate: the rates that a two-sided score test would not reject.
 *
 * Formula: with p = k/n and z the normal quantile of (1 + level)/2,
 *   (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
 * Range: inside [0, 1], and always around p.
 * Edge cases: n = 0 has no interval (null); k = 0 starts at exactly 0 and k = n ends at exactly 1, yet
 * neither has zero width, unlike the textbook p ± z √(p(1-p)/n).
 * Trap: the episodes are assumed to be independent. Where they share scenes, or were repeated, use
 * `wilsonOfRate` with an effective number of episodes.
 * Source: Wilson, JASA 22 (1927); recommended over its alternatives by Brown, Cai and DasGupta, "Interval
 * estimation for a binomial proportion", Statistical Science 16 (2001).
 */
export function wilsonInterval(
  successes: number,
  n: number,
  level: number = DEFAULT_LEVEL,
): Interval | null {
  checkCount(successes, "successes");
  checkCount(n, "n");
  if (successes > n) {
    throw new ConfigError("invalid_count", `${successes} successes out of ${n}`, {
      hint: "successes must be at most n; the arguments are (successes, n)",
    });
  }
  return n === 0 ? null : wilsonOfRate(successes / n, n, level);
}

/**
 * Wilson's interval of a rate `p` over `n` effective episodes, where neither p·n nor n need be whole
 * numbers; see effective-count.ts and repeats-interval.ts.
 */
export function wilsonOfRate(p: number, n: number, level: number = DEFAULT_LEVEL): Interval {
  const z = -normalQuantile(tailOf(level));
  const z2n = (z * z) / n;
  const centre = (p + z2n / 2) / (1 + z2n);
  const half = (z / (1 + z2n)) * Math.sqrt((p * (1 - p) + z2n / 4) / n);
  return [p === 0 ? 0 : Math.max(0, centre - half), p === 1 ? 1 : Math.min(1, centre + half)];
}
