import type { StepRecord } from "../../core/interfaces/step.js";
import { stateOf } from "./state-of.js";

/** Follows `distance_to_goal` through an episode. Metres; undefined before the first record. */
export class GoalDistance {
  #start: number | undefined;
  #last: number | undefined;
  #least: number | undefined;

  /** At record 0, as the simulator gives it: what a shortest path has to cover. */
  get start(): number | undefined {
    return this.#start;
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** The nearest the robot ever was, the start included. */
  get least(): number | undefined {
    return this.#least;
  }

  reset(): void {
    this.#start = undefined;
    this.#last = undefined;
    this.#least = undefined;
  }

  update(record: StepRecord): void {
    const distance = stateOf(record, "distance_to_goal");
    this.#start ??= distance;
    this.#last = distance;
    this.#least = Math.min(this.#least ?? distance, distance);
  }
}
