import { ConfigError, DataError, show } from "../core/errors.js";
import { DEFAULT_LEVEL, type Interval } from "./interval.js";
import { logBeta } from "./special-functions.js";

const ALPHA = 1 - DEFAULT_LEVEL;

/**
 * A 95 % confidence sequence of a mean: with probability 0.95, the intervals after all values contain the
 * true mean simultaneously. A run may therefore check after each value and stop when the interval is
 * narrow enough. An interval for a fixed n must not be used this way: checked after each of 2,000 values,
 * Wilson's excludes the true rate at least once in more than half of all runs.
 *
 * - `rate`, values 0 and 1: the beta-binomial mixture, see `RateSequence`.
 * - `bounded`, values from 0 to 1: hedged betting, see `BoundedSequence`. Scale a metric by its range.
 *
 * Edge case: before the first value the interval is [0, 1] and the mean null.
 * Traps: it is wider than a fixed-n interval: 1.6 times at 100 values, 1.7 (rate) to 2 times (bounded) at
 * 1,000. The order of the values must not depend on their size: not the order in which episodes finish
 * (failures may be quicker), nor scene by scene, but one shuffled beforehand. Repeats of an episode are
 * not independent: add their mean as one bounded value.
 * Source: Ville's inequality, "Étude critique de la notion de collectif" (1939); Darling and Robbins,
 * PNAS 58 (1967); Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49 (2021).
 */
export class ConfidenceSequence {
  readonly #sequence: RateSequence | BoundedSequence;
  #count = 0;
  #sum = 0;

  constructor(private readonly kind: "rate" | "bounded") {
    this.#sequence = kind === "rate" ? new RateSequence() : new BoundedSequence();
  }

  get count(): number {
    return this.#count;
  }

  get mean(): number | null {
    return this.#count === 0 ? null : this.#sum / this.#count;
  }

  add(value: number): void {
    if (!(value >= 0 && value <= 1)) {
      throw new DataError("value_out_of_range", `value ${this.#count} is ${show(value)}`, {
        hint: "pass values from 0 to 1; scale a metric by its range",
      });
    }
    if (this.kind === "rate" && value !== 0 && value !== 1) {
      throw new ConfigError("not_a_rate", `value ${this.#count} of a rate is ${show(value)}`, {
        hint: 'pass 0 or 1, or use the kind "bounded" for values between',
      });
    }
    this.#sequence.add(value);
    this.#count++;
    this.#sum += value;
  }

  /** @param alpha the probability that any of the intervals excludes the true mean */
  interval(alpha: number = ALPHA): Interval {
    const [low, high] = this.#sequence.interval(alpha);
    const { mean } = this;
    // The bets weigh early values more than the mean does, so on drifting values the interval may miss it.
    return mean === null ? [low, high] : [Math.min(low, mean), Math.max(high, mean)];
  }
}

/** Prior weight of the mixture, in values; the sequence is tightest at about ten times as many values. */
const PRIOR = 10;

/**
 * Robbins' mixture: the likelihood of S successes and F failures, averaged over rates with a Beta weight
 * around p, divided by their likelihood at p. With g = 10,
 *   M(p) = B(gp + S, g(1-p) + F) / (B(gp, g(1-p)) p^S (1-p)^F).
 * At the true p it is a martingale that starts at 1, so it ever reaches 1/α with probability at most α.
 * The interval holds the p with M(p) < 1/α.
 *
 * These p form an interval because ln M is convex: it is a sum of ln(g + j/p) over j < S, of the same in F
 * and 1-p, and of terms without p. The interval contains the mean, where M <= 1.
 * Source: Robbins, Annals of Mathematical Statistics 41 (1970); with this weight Howard, Ramdas, McAuliffe
 * and Sekhon, Annals of Statistics 49 (2021).
 */
class RateSequence {
  #successes = 0;
  #failures = 0;

  add(value: number): void {
    if (value === 1) this.#successes++;
    else this.#failures++;
  }

  interval(alpha: number): Interval {
    const s = this.#successes;
    const f = this.#failures;
    return [lowerRate(s, f, alpha), 1 - lowerRate(f, s, alpha)];
  }
}

/** The p in [0, S/n] where M(p) = 1/α, by bisection; 0 if M is below 1/α on all of it. */
function lowerRate(successes: number, failures: number, alpha: number): number {
  if (successes === 0) return 0;
  let low = 0;
  let high = successes / (successes + failures);
  while (high - low > 1e-12) {
    const p = (low + high) / 2;
    if (logMixture(successes, failures, p) < -Math.log(alpha)) high = p;
    else low = p;
  }
  return low;
}

function logMixture(successes: number, failures: number, p: number): number {
  const a = PRIOR * p;
  const b = PRIOR - a;
  const mixed = logBeta(a + successes, b + failures) - logBeta(a, b);
  return mixed - successes * Math.log(p) - failures * Math.log1p(-p);
}

/** Candidate means are 0, 0.001, ... 1. The interval's ends are rounded outwards to these. */
const CELLS = 1000;

/** The largest share of the capital that a bet may risk. */
const MAX_SHARE = 0.5;

/**
 * Two capital processes for every candidate mean m, one betting on values above it, one on values below:
 *   up(m) = Π (1 + min(λ, c/m)(x - m)),  down(m) = Π (1 - min(λ, c/(1-m))(x - m)),  c = 1/2.
 * At the true mean both are martingales for any λ chosen from earlier values, so each ever reaches 2/α
 * times its start with probability at most α/2. The interval holds the m where neither does.
 * The bets λ = √(2 ln(2/α) / (σ² t ln(1 + t))) estimate σ² from the earlier values, with a prior of one
 * value of mean 1/2 and variance 1/4, so that values of small variance soon give a narrow interval.
 *
 * up falls and down rises with m, so the excluded m lie at the ends. A mean between two candidates is
 * judged by the outer one: rounding widens the interval and never excludes the true mean. A capital that
 * leaves the range of doubles stays at 0 or infinity; infinity excludes m for good, which Ville's
 * inequality allows.
 * Cost: 2,000 multiplications per value, and constant memory.
 * Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86
 * (2024), sec. 4. Its empirical Bernstein sequence needs a few sums only, but is 1.1 to 1.9 times as
 * wide at 100 values.
 */
class BoundedSequence {
  readonly #up = new Float64Array(CELLS + 1).fill(1);
  readonly #down = new Float64Array(CELLS + 1).fill(1);
  #count = 0;
  #sum = 0.5;
  #squares = 0.25;

  add(x: number): void {
    const t = ++this.#count;
    const bet = Math.sqrt((2 * Math.log(2 / ALPHA)) / (this.#squares * Math.log(1 + t)));
    const up = this.#up;
    const down = this.#down;
    for (let i = 0; i <= CELLS; i++) {
      const m = i / CELLS;
      up[i] = (up[i] as number) * (1 + Math.min(bet, MAX_SHARE / m) * (x - m));
      down[i] = (down[i] as number) * (1 - Math.min(bet, MAX_SHARE / (1 - m)) * (x - m));
    }
    this.#sum += x;
    this.#squares += (x - this.#sum / (t + 1)) ** 2;
  }

  interval(alpha: number): Interval {
    let low = 0;
    while (low < CELLS && (this.#up[low + 1] as number) >= 2 / alpha) low++;
    let high = CELLS;
    while (high > 0 && (this.#down[high - 1] as number) >= 2 / alpha) high--;
    return [low / CELLS, high / CELLS];
  }
}
