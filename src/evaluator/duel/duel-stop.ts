import type { EarlyStop, EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";
import { episodeValue, type TaskStop } from "../record/task-stop.js";
import { ValueSequence } from "../record/value-sequence.js";
import type { DuelValue } from "./duel-state.js";

/** What a duel decides about one task of one of its runs. */
interface DuelSide {
  offer(key: string, value: DuelValue): void;
  /** The number of episodes, from the first of the order, that count. */
  readonly counted: number;
  /** Whether no further episode is needed. */
  readonly isOver: boolean;
}

export interface DuelStopOptions {
  readonly metric: string;
  readonly kind: "rate" | "mean";
  /** The other agents. */
  readonly against: readonly string[];
  readonly order: readonly string[];
  /** Episodes of the whole task; more than `order` has if only a recorded part is given. Default: those of `order`. */
  readonly of?: number | undefined;
  readonly repeats: number;
  readonly side: DuelSide;
}

/** Stops a task of a run where its duel is decided. Only episodes that were compared count. */
export class DuelStop implements TaskStop {
  readonly #options: DuelStopOptions;
  readonly #sequence: ValueSequence;
  readonly #place: ReadonlyMap<string, number>;
  readonly #waiting = new Map<string, EpisodeLine[]>();
  /** Episodes, from the first, whose lines have been given out. */
  #released = 0;

  constructor(options: DuelStopOptions) {
    this.#options = options;
    this.#sequence = new ValueSequence(options.kind === "mean" || options.repeats > 1);
    this.#place = new Map(options.order.map((key, i) => [key, i]));
  }

  get reached(): boolean {
    const { side, order, of = order.length } = this.#options;
    return side.isOver && side.counted < of;
  }

  offer(line: EpisodeLine): EpisodeLine[] {
    if (this.isBeyond(line)) return [];
    const { side, repeats, metric } = this.#options;
    const key = line.episode_key;
    const lines = [...(this.#waiting.get(key) ?? []), line].sort((a, b) => a.repeat - b.repeat);
    this.#waiting.set(key, lines);
    if (lines.length === repeats) {
      const solved = lines.filter(({ outcome }) => outcome === "success").length;
      side.offer(key, { value: episodeValue(lines, metric), isSolved: 2 * solved > repeats });
    }
    return this.ready();
  }

  ready(): EpisodeLine[] {
    const { side, order, metric } = this.#options;
    const released: EpisodeLine[] = [];
    while (this.#released < side.counted) {
      const key = order[this.#released] ?? "";
      const lines = this.#waiting.get(key);
      // A recorded run is given line by line, in the order in which its episodes ended.
      if (!lines) break;
      this.#waiting.delete(key);
      this.#released++;
      released.push(...lines);
      const value = episodeValue(lines, metric);
      if (value !== undefined) this.#sequence.add(value);
    }
    return released;
  }

  rest(): EpisodeLine[] {
    return this.#options.side.isOver ? [] : [...this.#waiting.values()].flat();
  }

  isBeyond({ episode_key }: Pick<EpisodeLine, "episode_key">): boolean {
    const { side } = this.#options;
    return side.isOver && (this.#place.get(episode_key) ?? 0) >= side.counted;
  }

  interval(): Interval | null {
    return this.#sequence.interval();
  }

  result(): EarlyStop {
    const { metric, against, order, of = order.length, side } = this.#options;
    return { metric, against, reached: this.reached, counted: side.counted, of };
  }
}
