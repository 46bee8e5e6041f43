import type { Condition } from "../../../core/interfaces/step.js";
import type { Facts } from "./facts.js";

/** Whether an episode is won, and how near to it. Spread into a step's state, hence the keys on disk. */
export interface Verdict {
  readonly conditions: readonly Condition[];
  /** Those that hold now. */
  readonly stages: Readonly<Record<string, boolean>>;
  /** All conditions have held for long enough. */
  readonly success: boolean;
  /** The object or fixture that the task is about. */
  readonly target?: string;
  /** Metres from the end effector to the target's surface or handle. */
  readonly reach_m?: number;
  /** Metres that the target's lowest point is above where it started. */
  readonly lift_m?: number;
  /** The three that the original design names. The first two were true once; the third holds now. */
  readonly object_grasped?: boolean;
  readonly object_lifted?: boolean;
  readonly object_placed?: boolean;
}

/** Says of one episode, control step by control step, how far it has come. Sees facts and nothing else. */
export interface Judge {
  /** The objects and fixtures whose facts it reads. */
  readonly watches: readonly string[];
  reset(): void;
  update(facts: Facts): Verdict;
}

/** Control steps that the conditions have to hold in a row: half a second at 20 Hz. */
export const HOLD_STEPS = 10;

export function atLeast(name: string, value: number, threshold: number): Condition {
  return { name, value, threshold, holds: value >= threshold };
}

export function atMost(name: string, value: number, threshold: number): Condition {
  return { name, value, threshold, holds: value <= threshold };
}

export function allHold(conditions: readonly Condition[]): boolean {
  return conditions.every(({ holds }) => holds);
}

/** Counts for how long something has held without a break. */
export class Steady {
  #steps = 0;

  reset(): void {
    this.#steps = 0;
  }

  /** Whether it has now held for `HOLD_STEPS` steps in a row. */
  update(holds: boolean): boolean {
    this.#steps = holds ? this.#steps + 1 : 0;
    return this.#steps >= HOLD_STEPS;
  }
}
