/** Seconds' worth of messages that may come at once. */
const BURST_S = 5;

/**
 * Tells a flood from a quick policy. Every question that is asked allows one message more, so that an answer never
 * counts however fast it comes; what answers nothing draws on an allowance that fills slowly.
 */
export class FloodMeter {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #now: () => number;
  #allowance: number;
  #answers = 0;
  #at: number;

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perMs = perSecond / 1000;
    this.#burst = perSecond * BURST_S;
    this.#now = now;
    this.#allowance = this.#burst;
    this.#at = now();
  }

  /** A question was asked. */
  asked(): void {
    this.#answers++;
  }

  /** A message came; false when it was one too many. */
  came(): boolean {
    if (this.#answers > 0) {
      this.#answers--;
      return true;
    }
    const now = this.#now();
    this.#allowance = Math.min(this.#burst, this.#allowance + (now - this.#at) * this.#perMs);
    this.#at = now;
    this.#allowance--;
    return this.#allowance >= 0;
  }
}
