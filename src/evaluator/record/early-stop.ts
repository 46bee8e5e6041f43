import type { EarlyStop, EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { episodeValue, type TaskStop } from "./task-stop.js";
import { ValueSequence } from "./value-sequence.js";

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
export class EarlyStopTask implements TaskStop {
  readonly #options: EarlyStopOptions;
  readonly #sequence: ValueSequence;
  readonly #place: ReadonlyMap<string, number>;
  /** Lines whose predecessors in the order are still missing. */
  readonly #waiting = new Map<string, EpisodeLine[]>();
  /** Leading episodes of the order with all their repeats present. */
  #counted = 0;
  #reached = false;

  constructor(options: EarlyStopOptions) {
    this.#options = options;
    this.#sequence = new ValueSequence(options.kind === "mean" || options.repeats > 1);
    this.#place = new Map(options.order.map((key, i) => [key, i]));
  }

  get reached(): boolean {
    return this.#reached;
  }

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

  /** No other run has a say. */
  ready(): EpisodeLine[] {
    return [];
  }

  rest(): EpisodeLine[] {
    return this.#reached ? [] : [...this.#waiting.values()].flat();
  }

  isBeyond({ episode_key }: Pick<EpisodeLine, "episode_key">): boolean {
    return this.#reached && (this.#place.get(episode_key) ?? 0) >= this.#counted;
  }

  interval(): Interval | null {
    return this.#sequence.interval();
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
    const value = episodeValue(lines, metric);
    if (value === undefined) return;
    this.#sequence.add(value);
    if (this.#sequence.count < minEpisodes) return;
    const [low, high] = this.#sequence.interval() ?? [0, 1];
    this.#reached = (high - low) / 2 <= halfWidth;
  }
}
