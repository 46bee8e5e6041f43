import type { Interval } from "../../stats/interval.js";
import { ConfidenceSequence } from "../../stats/sequential.js";

/**
 * The confidence sequence of a metric's values. A metric may call itself a rate and have other values than 0 and 1 (see
 * `meanInterval`); it is then a bounded one.
 */
export class ValueSequence {
  readonly #values: number[] = [];
  #sequence: ConfidenceSequence;

  constructor(private isBounded: boolean) {
    this.#sequence = new ConfidenceSequence(isBounded ? "bounded" : "rate");
  }

  get count(): number {
    return this.#sequence.count;
  }

  add(value: number): void {
    this.#values.push(value);
    const isOutcome = value === 0 || value === 1;
    if (isOutcome || this.isBounded) {
      this.#sequence.add(value);
      return;
    }
    this.isBounded = true;
    this.#sequence = new ConfidenceSequence("bounded");
    for (const seen of this.#values) this.#sequence.add(seen);
  }

  /** Null before the first value. */
  interval(): Interval | null {
    return this.#sequence.count === 0 ? null : this.#sequence.interval();
  }
}
