import type { StepRecord } from "../../core/interfaces/step.js";

/** Steps a second where the simulator has no clock and nobody names a rate. */
export const DEFAULT_FPS = 4;

/** Reads a simulator's clock off the first two records of an episode. */
export class StepClock {
  readonly #times: number[] = [];

  add({ time_s }: StepRecord): void {
    if (time_s !== undefined && this.#times.length < 2) this.#times.push(time_s);
  }

  /** Steps a second, to a millionth; undefined where the simulator has no clock. */
  get rate(): number | undefined {
    const [first, second] = this.#times;
    if (first === undefined || second === undefined || second <= first) return undefined;
    return Number((1 / (second - first)).toFixed(6));
  }
}
