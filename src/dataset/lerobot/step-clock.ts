import type { StepRecord } from "../../core/interfaces/step.js";

/** Steps per second if the simulator has no clock and no rate is configured. */
export const DEFAULT_FPS = 4;

/** Derives the step rate from the simulation times of an episode's first two records. */
export class StepClock {
  readonly #times: number[] = [];

  add({ time_s }: StepRecord): void {
    if (time_s !== undefined && this.#times.length < 2) this.#times.push(time_s);
  }

  /** Steps per second, rounded to 1e-6; undefined if the simulator has no clock. */
  get rate(): number | undefined {
    const [first, second] = this.#times;
    if (first === undefined || second === undefined || second <= first) return undefined;
    return Number((1 / (second - first)).toFixed(6));
  }
}
