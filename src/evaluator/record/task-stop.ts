import type { EarlyStop, EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { ValueSequence } from "./value-sequence.js";

export interface StopOptions {
  readonly metric: string;
  readonly kind: "rate" | "mean";
  /** Episode keys in the drawn order. */
  readonly order: readonly string[];
  readonly repeats: number;
}

/**
 * Decides when a task of a run stops, and which of its lines count until then. Episodes count in the drawn order, not
 * in the order in which they end: fast episodes differ from slow ones, and the stopping point must not depend on the
 * number of workers.
 */
export abstract class TaskStop<Options extends StopOptions = StopOptions> {
  protected readonly sequence: ValueSequence;
  readonly #place: ReadonlyMap<string, number>;
  /** Lines of the episodes that do not count yet. */
  readonly #waiting = new Map<string, EpisodeLine[]>();
  #released = 0;

  constructor(protected readonly options: Options) {
    this.sequence = new ValueSequence(options.kind === "mean" || options.repeats > 1);
    this.#place = new Map(options.order.map((key, i) => [key, i]));
  }

  /** Whether the task stops before its last episode. */
  abstract readonly reached: boolean;
  abstract result(): EarlyStop;
  /** The number of episodes, from the first of the order, that count. */
  protected abstract readonly counted: number;
  /** Whether no further episode is needed. */
  protected abstract readonly isOver: boolean;
  /** Whether the next episode of the order counts once it has all its repeats. */
  protected abstract readonly countsNext: boolean;
  /** Called when an episode has all its repeats. */
  protected onWhole?(lines: readonly EpisodeLine[]): void;
  /** Called when an episode's value has been added to the sequence. */
  protected onValue?(): void;

  /** Episodes, from the first, whose lines have been given out. */
  protected get released(): number {
    return this.#released;
  }

  /** @returns the lines that now count, in order */
  offer(line: EpisodeLine): EpisodeLine[] {
    if (this.isBeyond(line)) return [];
    const key = line.episode_key;
    const lines = [...(this.#waiting.get(key) ?? []), line].sort((a, b) => a.repeat - b.repeat);
    this.#waiting.set(key, lines);
    if (lines.length === this.options.repeats) this.onWhole?.(lines);
    return this.ready();
  }

  /** Lines that count since the last call, because of a result of another run. */
  ready(): EpisodeLine[] {
    const { order, repeats, metric } = this.options;
    const released: EpisodeLine[] = [];
    while (this.countsNext) {
      const key = order[this.#released] ?? "";
      const lines = this.#waiting.get(key);
      if (!lines || lines.length < repeats) break;
      this.#waiting.delete(key);
      this.#released++;
      released.push(...lines);
      const value = episodeValue(lines, metric);
      if (value === undefined) continue;
      this.sequence.add(value);
      this.onValue?.();
    }
    return released;
  }

  /** Lines that still wait for others. A cancelled run counts them, too. */
  rest(): EpisodeLine[] {
    return this.isOver ? [] : [...this.#waiting.values()].flat();
  }

  /** Whether an episode lies after the stopping point. */
  isBeyond({ episode_key }: Pick<EpisodeLine, "episode_key">): boolean {
    return this.isOver && (this.#place.get(episode_key) ?? 0) >= this.counted;
  }

  /** An anytime-valid interval; null before the first valid episode. */
  interval(): Interval | null {
    return this.sequence.interval();
  }
}

/** The mean of a metric over the valid repeats of an episode; undefined if there is none. */
export function episodeValue(lines: readonly EpisodeLine[], metric: string): number | undefined {
  const values = lines.flatMap(({ outcome, metrics }) =>
    outcome === "invalid" ? [] : [metrics[metric] ?? []].flat(),
  );
  return values.length === 0
    ? undefined
    : values.reduce((sum, value) => sum + value, 0) / values.length;
}
