/** Burst size in seconds of the sustained rate. */
const BURST_S = 5;

/**
 * Detects floods without penalising fast policies. Each request to the agent allows one more message, so answers are
 * never limited; other messages draw on a token bucket.
 */
export class FloodMeter {
  readonly #perMs: number;
  readonly #burst: number;
  #allowance: number;
  #answers = 0;
  #at: number;

  constructor(
    perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#perMs = perSecond / 1000;
    this.#burst = perSecond * BURST_S;
    this.#allowance = this.#burst;
    this.#at = now();
  }

  /** Counts a request sent to the agent. */
  asked(): void {
    this.#answers++;
  }

  /** Counts a received message; false if it exceeds the limit. */
  received(): boolean {
    if (this.#answers > 0) {
      this.#answers--;
      return true;
    }
    const now = this.now();
    this.#allowance = Math.min(this.#burst, this.#allowance + (now - this.#at) * this.#perMs);
    this.#at = now;
    this.#allowance--;
    return this.#allowance >= 0;
  }
}
