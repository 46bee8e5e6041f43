import type { Scale } from "../description.js";
import type { FrozenStart } from "../start.js";

/** State that controllers keep from the reset of the original. */
export type ControllerStart = Pick<FrozenStart, "initial_joints" | "first_inertia" | "first_step">;

/** Controls one part of the robot, such as an arm, as its original does. */
export interface PartController {
  /** Called at the start of a control step, after the first half of its first physics step. */
  setGoal(action: readonly number[]): void;
  /** The controls of the part's actuators, at every physics step. */
  run(): ArrayLike<number>;
}

/** Clips an action to the range of the input and scales it to that of the output. */
export function scaled(action: readonly number[], scale: Scale): number[] {
  return action.map((value, i) => {
    const [low, high] = [scale.input_min[i] ?? -1, scale.input_max[i] ?? 1];
    const [from, to] = [scale.output_min[i] ?? -1, scale.output_max[i] ?? 1];
    const clipped = Math.min(high, Math.max(low, value));
    const factor = Math.abs(to - from) / Math.abs(high - low);
    return (clipped - (high + low) / 2) * factor + (to + from) / 2;
  });
}
