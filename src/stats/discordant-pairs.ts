import { logBeta } from "./special-functions.js";

/** Parameter of the distribution of the coin's chance. */
const PRIOR = 0.75;
const LOG_PRIOR_BETA = logBeta(PRIOR, PRIOR);

/**
 * A sequential test of whether two policies succeed equally often, from the pairs that only one of them solved.
 *
 * At equal rates every discordant pair is a fair coin, whatever else the pairs have in common. For x pairs that only A
 * solved and y that only B solved, the e-value is the likelihood ratio of a coin whose chance has a Beta(a, a) distribution:
 *   M = 2^(x+y) B(a + x, a + y) / B(a, a),  a = 3/4.
 * At equal rates M is a martingale that starts at 1, so it ever reaches 1/α with probability at most α, however often
 * it is checked (Ville). With a known greatest number of pairs the exact probability of ever reaching a threshold
 * follows from a recursion over the coin's paths. `decisionThreshold` is the least threshold for which it is at most α,
 * which is lower than 1/α: 14.7 instead of 20 for 500 pairs and α = 0.05.
 *
 * a = 3/4 gave the least median of pairs among 1/2, 3/4, 1, 3/2, 2, 5 and 10 and mixtures of them, over gaps of 0.1 to 0.4
 * at a correlation of 0.42; the differences are a few per cent.
 *
 * Edge case: six discordant pairs are the least that any valid two-sided test at 0.05 needs.
 * Source: Ville (1939); Robbins, Annals of Mathematical Statistics 41 (1970); exact boundaries by recursion: Armitage,
 * McPherson and Rowe, JRSS A 132 (1969).
 */
export function logEvidence(onlyA: number, onlyB: number): number {
  const mixed = logBeta(PRIOR + onlyA, PRIOR + onlyB) - LOG_PRIOR_BETA;
  return (onlyA + onlyB) * Math.LN2 + mixed;
}

/** Bisection steps; the threshold is accurate to 1e-5 of its logarithm. */
const STEPS = 20;

/** More pairs than this use Ville's threshold: the recursion would take seconds and gain little. */
const MOST_EXACT = 20_000;

const known = new Map<string, number>();

/**
 * ln of the threshold that `logEvidence` ever reaches with probability at most `alpha`, in at most `pairs` pairs.
 * Cost: 0.1 s for 2,000 pairs; remembered.
 */
export function decisionThreshold(pairs: number, alpha: number): number {
  const ville = -Math.log(alpha);
  if (pairs > MOST_EXACT) return ville;
  const key = `${pairs} ${alpha}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  let low = 0;
  let high = ville;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (crossingProbability(pairs, middle) <= alpha) high = middle;
    else low = middle;
  }
  known.set(key, high);
  return high;
}

/**
 * The probability that `logEvidence` reaches a threshold within the given number of tosses of a fair coin: a recursion over
 * the distribution of the lead |y - x| among paths that have not reached it.
 */
export function crossingProbability(tosses: number, threshold: number): number {
  // By symmetry only leads from 0 are kept: lead 1 is reached from lead 0 by either side.
  let now = new Float64Array(tosses + 2);
  let next = new Float64Array(tosses + 2);
  now[0] = 1;
  let crossed = 0;
  // The least lead that reaches the threshold; it grows with the number of tosses, by at most one each.
  let bound = 1;
  for (let n = 1; n <= tosses; n++) {
    bound = Math.max(1, bound - 1);
    if ((bound - n) % 2 !== 0) bound++;
    while (bound <= n && logEvidence((n + bound) / 2, (n - bound) / 2) < threshold) bound += 2;
    const most = Math.min(n, bound);
    next.fill(0, 0, most + 2);
    for (let lead = (n - 1) % 2; lead <= most; lead += 2) {
      const p = now[lead] as number;
      if (p === 0) continue;
      if (lead === 0) next[1] = (next[1] as number) + p;
      else {
        next[lead - 1] = (next[lead - 1] as number) + p / 2;
        next[lead + 1] = (next[lead + 1] as number) + p / 2;
      }
    }
    for (let lead = bound; lead <= most + 1; lead++) {
      crossed += next[lead] as number;
      next[lead] = 0;
    }
    [now, next] = [next, now];
  }
  return crossed;
}

/** Counts of pairs by who solved them. */
export interface PairCounts {
  readonly onlyA: number;
  readonly onlyB: number;
  /** Solved by both or by neither. */
  readonly equal: number;
}

/** Shares of the capital that the bets of `logCapital` risk, as a uniform mixture. */
const SHARES = Array.from({ length: 64 }, (_, i) => (i + 0.5) / 64);

/**
 * ln of the capital of a gambler who bets that the difference B - A is more than m:
 *   mean over shares f of Π (1 + f (D - m) / (1 + m)),  D = 1, 0 or -1.
 * If the true difference is at most m, this is a nonnegative supermartingale that starts at 1. It falls with m.
 * Source: Waudby-Smith and Ramdas, JRSS B 86 (2024), sec. 4 and 6.
 */
export function logCapital({ onlyA, onlyB, equal }: PairCounts, m: number): number {
  let most = Number.NEGATIVE_INFINITY;
  const logs = SHARES.map((share) => {
    const log =
      onlyB * Math.log1p((share * (1 - m)) / (1 + m)) +
      equal * Math.log1p((-share * m) / (1 + m)) +
      onlyA * Math.log1p(-share);
    most = Math.max(most, log);
    return log;
  });
  const sum = logs.reduce((total, log) => total + Math.exp(log - most), 0);
  return most + Math.log(sum / logs.length);
}

/** Whether the difference B - A is ever shown to be more than m, with an error of at most `alpha`. */
export function exceeds(counts: PairCounts, m: number, alpha: number): boolean {
  return m <= -1 || logCapital(counts, m) >= -Math.log(alpha);
}

/** The lower end of a confidence sequence of the difference B - A with an error of at most `alpha`, by bisection. */
export function lowerDifference(counts: PairCounts, alpha: number): number {
  const n = counts.onlyA + counts.onlyB + counts.equal;
  let low = -1;
  let high = n === 0 ? -1 : (counts.onlyB - counts.onlyA) / n;
  while (high - low > 1e-9) {
    const m = (low + high) / 2;
    if (exceeds(counts, m, alpha)) low = m;
    else high = m;
  }
  return low;
}
