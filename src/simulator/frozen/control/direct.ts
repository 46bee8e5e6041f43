import type { Physics } from "../../manipulation/physics/physics.js";
import type { Direct } from "../description.js";
import type { PartController } from "./part-controller.js";

/**
 * Sets actuators to numbers of the action. Some are relative to the joint's position at the start of a control step.
 */
export class DirectController implements PartController {
  readonly #physics: Physics;
  readonly #config: Direct;
  #controls: readonly number[] = [];

  constructor(physics: Physics, config: Direct) {
    this.#physics = physics;
    this.#config = config;
  }

  setGoal(action: readonly number[]): void {
    const { inputs, factors, offsets, input_min, input_max } = this.#config;
    this.#controls = inputs.map((input, i) => {
      const value = action[input] ?? 0;
      const clipped = Math.min(
        input_max[input] ?? value,
        Math.max(input_min[input] ?? value, value),
      );
      const joint = offsets?.[i];
      const offset = joint === undefined ? 0 : this.#physics.joint(joint);
      return offset + (factors[i] ?? 1) * clipped;
    });
  }

  run(): readonly number[] {
    return this.#controls;
  }
}
