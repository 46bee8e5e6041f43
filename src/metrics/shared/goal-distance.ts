import type { StepRecord } from "../../core/interfaces/step.js";
import { BaseMetric } from "../../core/metric/base.js";
import { stateOf } from "./state-of.js";

/** Tracks `distance_to_goal` over an episode. Metres; undefined before the first record. */
export class GoalDistance {
  /** Length of the shortest path at record 0, as the simulator gives it. */
  start: number | undefined;
  last: number | undefined;
  /** The least of all records, including the first. */
  least: number | undefined;

  reset(): void {
    this.start = undefined;
    this.last = undefined;
    this.least = undefined;
  }

  update(record: StepRecord): void {
    const distance = stateOf(record, "distance_to_goal");
    this.start ??= distance;
    this.last = distance;
    this.least = Math.min(this.least ?? distance, distance);
  }
}

/** A metric that follows nothing but the distance to the goal. */
export abstract class GoalDistanceMetric extends BaseMetric {
  protected readonly distance = new GoalDistance();

  reset(): void {
    this.distance.reset();
  }

  update(record: StepRecord): void {
    this.distance.update(record);
  }
}
