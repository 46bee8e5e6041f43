import { ConfigError, DataError, show } from "../core/errors.js";
import { decisionThreshold, exceeds, logEvidence, lowerDifference } from "./discordant-pairs.js";
import type { Interval } from "./interval.js";
import { ConfidenceSequence } from "./sequential.js";

/** Which of two policies is better, or that they differ by less than the margin. */
export type PairedVerdict = "a" | "b" | "equivalent";

export interface PairedSequenceOptions {
  /** `rate`: values 0 and 1. `bounded`: values from 0 to 1. */
  readonly kind: "rate" | "bounded";
  /** The greatest number of pairs. */
  readonly maximum: number;
  /** Differences up to this one count as equivalent; undefined if equivalence is not tested. */
  readonly margin?: number | undefined;
}

/**
 * Compares two policies pair by pair, with a verdict that may be looked at after every pair: with probability 1 - α or
 * more, no wrong verdict is ever given in up to `maximum` pairs.
 *
 * - `rate`: the exact sequential test of discordant pairs, see `decisionThreshold`; the confidence sequence of the difference
 *   is from betting on pairs, see `logCapital`.
 * - `bounded`: hedged betting on the paired differences, see `ConfidenceSequence`. A policy is better when the confidence sequence
 *   of the difference excludes 0.
 *
 * `equivalent` means that the confidence sequence lies within the margin. The error α of each call may be part of a
 * correction for several comparisons; it must not depend on this comparison's values.
 *
 * Traps: pairs must be added in an order that was drawn beforehand. Values of a rate that are neither 0 nor 1 turn the
 * sequence into a bounded one.
 */
export class PairedSequence {
  readonly #differences: number[] = [];
  #bounded: ConfidenceSequence | undefined;
  #onlyA = 0;
  #onlyB = 0;
  #sumA = 0;
  #sumB = 0;

  constructor(private readonly options: PairedSequenceOptions) {
    const { margin } = options;
    if (margin !== undefined && !(margin > 0 && margin < 1)) {
      throw new ConfigError("bad_margin", `the margin is ${show(margin)}`, {
        hint: "give a difference between 0 and 1, such as 0.05",
      });
    }
    if (options.kind === "bounded") this.#bounded = new ConfidenceSequence("bounded");
  }

  get count(): number {
    return this.#differences.length;
  }

  get onlyA(): number {
    return this.#onlyA;
  }

  get onlyB(): number {
    return this.#onlyB;
  }

  /** Null before the first pair. */
  get means(): readonly [a: number, b: number] | null {
    const n = this.count;
    return n === 0 ? null : [this.#sumA / n, this.#sumB / n];
  }

  add(a: number, b: number): void {
    for (const value of [a, b]) {
      if (value >= 0 && value <= 1) continue;
      throw new DataError("value_out_of_range", `a value of pair ${this.count} is ${show(value)}`, {
        hint: "pass values from 0 to 1; scale a metric by its range",
      });
    }
    this.#sumA += a;
    this.#sumB += b;
    const difference = b - a;
    this.#differences.push(difference);
    if (difference > 0) this.#onlyB++;
    if (difference < 0) this.#onlyA++;
    if (this.#bounded) this.#bounded.add(scaled(difference));
    else if (!isOutcome(a) || !isOutcome(b)) {
      this.#bounded = new ConfidenceSequence("bounded");
      for (const seen of this.#differences) this.#bounded.add(scaled(seen));
    }
  }

  /** Undefined if nothing is decided with an error of at most `alpha`. */
  verdict(alpha: number): PairedVerdict | undefined {
    const { margin = Number.POSITIVE_INFINITY } = this.options;
    if (this.#bounded) {
      const [low, high] = this.interval(alpha);
      if (low > 0) return "b";
      if (high < 0) return "a";
      return low > -margin && high < margin && margin < 1 ? "equivalent" : undefined;
    }
    if (this.#isDecided(alpha)) return this.#onlyB > this.#onlyA ? "b" : "a";
    if (margin >= 1) return undefined;
    const { counts, mirrored } = this.#counts();
    const isWithin = exceeds(counts, -margin, alpha / 2) && exceeds(mirrored, -margin, alpha / 2);
    return isWithin ? "equivalent" : undefined;
  }

  /** The confidence sequence of the difference B - A; [-1, 1] before the first pair. */
  interval(alpha: number): Interval {
    if (this.#bounded) {
      const [low, high] = this.#bounded.interval(alpha);
      return [2 * low - 1, 2 * high - 1];
    }
    const { counts, mirrored } = this.#counts();
    const low = lowerDifference(counts, alpha / 2);
    const high = -lowerDifference(mirrored, alpha / 2);
    // The exact test alone decides about 0, so that the interval excludes 0 exactly where there is a verdict.
    if (!this.#isDecided(alpha)) return [Math.min(low, 0), Math.max(high, 0)];
    return this.#onlyB > this.#onlyA ? [Math.max(low, 0), high] : [low, Math.min(high, 0)];
  }

  #isDecided(alpha: number): boolean {
    const threshold = decisionThreshold(this.options.maximum, alpha);
    return logEvidence(this.#onlyA, this.#onlyB) >= threshold;
  }

  #counts() {
    const [onlyA, onlyB] = [this.#onlyA, this.#onlyB];
    const equal = this.count - onlyA - onlyB;
    return { counts: { onlyA, onlyB, equal }, mirrored: { onlyA: onlyB, onlyB: onlyA, equal } };
  }
}

function isOutcome(value: number): boolean {
  return value === 0 || value === 1;
}

/** Maps [-1, 1] to [0, 1]. */
function scaled(difference: number): number {
  return (difference + 1) / 2;
}
