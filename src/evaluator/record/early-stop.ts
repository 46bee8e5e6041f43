import type { EarlyStop } from "../../core/interfaces/result.js";
import { type StopOptions, TaskStop } from "./task-stop.js";

export interface EarlyStopOptions extends StopOptions {
  readonly halfWidth: number;
  /** Valid episodes required before a task may stop. */
  readonly minEpisodes: number;
}

/** Stops a task when its primary metric is known precisely enough. */
export class EarlyStopTask extends TaskStop<EarlyStopOptions> {
  #reached = false;

  get reached(): boolean {
    return this.#reached;
  }

  result(): EarlyStop {
    const { metric, halfWidth, order } = this.options;
    return {
      metric,
      half_width: halfWidth,
      reached: this.#reached,
      counted: this.counted,
      of: order.length,
    };
  }

  protected get counted(): number {
    return this.released;
  }

  protected get isOver(): boolean {
    return this.#reached;
  }

  protected get countsNext(): boolean {
    return !this.#reached;
  }

  protected override onValue(): void {
    const { minEpisodes, halfWidth } = this.options;
    if (this.sequence.count < minEpisodes) return;
    const [low, high] = this.sequence.interval() ?? [0, 1];
    this.#reached = (high - low) / 2 <= halfWidth;
  }
}
