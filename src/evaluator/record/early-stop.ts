import type { EarlyStop, EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { ConfidenceSequence } from "../../stats/sequential.js";

export interface EarlyStopOptions {
  readonly metric: string;
  readonly kind: "rate" | "mean";
  readonly halfWidth: number;
  /** Valid episodes required before a task may stop. */
  readonly minEpisodes: number;
  /** Episode keys in the drawn order. */
  readonly order: readonly string[];
  readonly repeats: number;
}

/**
 * Decides when a task's primary metric is known precisely enough. Episodes count in the drawn order, not in the
 * order in which they end: fast episodes differ from slow ones, and the stopping point must not depend on the
 * number of workers.
 */
export class EarlyStopTask {
  readonly #options: EarlyStopOptions;
  #sequence: ConfidenceSequence;
  /** Metric values counted so far. */
  readonly #values: number[] = [];
  readonly #place: ReadonlyMap<string, number>;
  /** Lines whose predecessors in the order are still missing. */
  readonly #waiting = new Map<string, EpisodeLine[]>();
  /** Leading episodes of the order with all their repeats present. */
  #counted = 0;
  #reached = false;
  #isBounded: boolean;

  constructor(options: EarlyStopOptions) {
    this.#options = options;
    this.#isBounded = options.kind === "mean" || options.repeats > 1;
    this.#sequence = new ConfidenceSequence(this.#isBounded ? "bounded" : "rate");
    this.#place = new Map(options.order.map((key, i) => [key, i]));
  }

  get reached(): boolean {
    return this.#reached;
  }

  /** @returns the lines that now count, in order */
  offer(line: EpisodeLine): EpisodeLine[] {
    if (this.isBeyond(line)) return [];
    const { order, repeats } = this.#options;
    const waiting = this.#waiting.get(line.episode_key) ?? [];
    this.#waiting.set(line.episode_key, [...waiting, line]);
    const released: EpisodeLine[] = [];
    while (!this.#reached) {
      const key = order[this.#counted];
      const lines = key === undefined ? undefined : this.#waiting.get(key);
      if (key === undefined || !lines || lines.length < repeats) break;
      this.#waiting.delete(key);
      released.push(...lines.sort((a, b) => a.repeat - b.repeat));
      this.#counted++;
      this.#see(lines);
    }
    return released;
  }

  /** Lines that still wait for predecessors. A cancelled run counts them, too. */
  rest(): EpisodeLine[] {
    return this.#reached ? [] : [...this.#waiting.values()].flat();
  }

  /** Whether an episode lies after the stopping point. */
  isBeyond({ episode_key }: Pick<EpisodeLine, "episode_key">): boolean {
    return this.#reached && (this.#place.get(episode_key) ?? 0) >= this.#counted;
  }

  /** An anytime-valid interval; null before the first valid episode. */
  interval(): Interval | null {
    return this.#sequence.count === 0 ? null : this.#sequence.interval();
  }

  result(): EarlyStop {
    const { metric, halfWidth, order } = this.#options;
    return {
      metric,
      half_width: halfWidth,
      reached: this.#reached,
      counted: this.#counted,
      of: order.length,
    };
  }

  #see(lines: readonly EpisodeLine[]): void {
    const { metric, minEpisodes, halfWidth } = this.#options;
    const values = lines.flatMap(({ outcome, metrics }) =>
      outcome === "invalid" ? [] : [metrics[metric] ?? []].flat(),
    );
    if (values.length === 0) return;
    this.#add(values.reduce((sum, value) => sum + value, 0) / values.length);
    if (this.#sequence.count < minEpisodes) return;
    const [low, high] = this.#sequence.interval();
    this.#reached = (high - low) / 2 <= halfWidth;
  }

  /** A metric may call itself a rate and have other values than 0 and 1 (see `meanInterval`). */
  #add(value: number): void {
    this.#values.push(value);
    const isOutcome = value === 0 || value === 1;
    if (isOutcome || this.#isBounded) {
      this.#sequence.add(value);
      return;
    }
    this.#isBounded = true;
    this.#sequence = new ConfidenceSequence("bounded");
    for (const seen of this.#values) this.#sequence.add(seen);
  }
}
