import type { EarlyStop, EpisodeLine } from "../../core/interfaces/result.js";
import { episodeValue, type StopOptions, TaskStop } from "../record/task-stop.js";
import type { DuelValue } from "./duel-state.js";

/** What a duel decides about one task of one of its runs. */
interface DuelSide {
  offer(key: string, value: DuelValue): void;
  /** The number of episodes, from the first of the order, that count. */
  readonly counted: number;
  /** Whether no further episode is needed. */
  readonly isOver: boolean;
}

interface DuelStopOptions extends StopOptions {
  /** The other agents. */
  readonly against: readonly string[];
  /** Episodes of the whole task; more than `order` has if only a recorded part is given. Default: those of `order`. */
  readonly of?: number | undefined;
  readonly side: DuelSide;
}

/** Stops a task of a run where its duel is decided. Only episodes that were compared count. */
export class DuelStop extends TaskStop<DuelStopOptions> {
  get reached(): boolean {
    const { order, of = order.length } = this.options;
    return this.isOver && this.counted < of;
  }

  result(): EarlyStop {
    const { metric, against, order, of = order.length } = this.options;
    return { metric, against, reached: this.reached, counted: this.counted, of };
  }

  protected get counted(): number {
    return this.options.side.counted;
  }

  protected get isOver(): boolean {
    return this.options.side.isOver;
  }

  protected get countsNext(): boolean {
    return this.released < this.counted;
  }

  protected override onWhole(lines: readonly EpisodeLine[]): void {
    const { side, repeats, metric } = this.options;
    const solved = lines.filter(({ outcome }) => outcome === "success").length;
    const value = { value: episodeValue(lines, metric), isSolved: 2 * solved > repeats };
    side.offer(lines[0]?.episode_key ?? "", value);
  }
}
