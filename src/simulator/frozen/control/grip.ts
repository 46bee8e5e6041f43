import type { Grip } from "../description.js";
import { type PartController, scaled } from "./part-controller.js";

/**
 * robosuite's grippers with one action: its sign opens or closes the fingers, a fixed part of the way per control step (1.5)
 * or per physics step (1.4).
 */
export class GripController implements PartController {
  readonly #config: Grip;
  #command: readonly number[];
  #sign = 0;
  #controls: readonly number[] = [];

  constructor(config: Grip) {
    this.#config = config;
    this.#command = config.initial;
  }

  setGoal([action = 0]: readonly number[]): void {
    this.#sign = Math.sign(action);
    if (this.#config.every === "control_step") this.#move();
  }

  run(): readonly number[] {
    if (this.#config.every === "physics_step") this.#move();
    return this.#controls;
  }

  #move(): void {
    const { steps, control_range } = this.#config;
    this.#command = steps.map((step, i) =>
      Math.min(1, Math.max(-1, (this.#command[i] ?? 0) + step * this.#sign)),
    );
    const [low, high] = control_range;
    this.#controls = scaled(this.#command, this.#config).map((value, i) => {
      const [from, to] = [low[i] ?? -1, high[i] ?? 1];
      return (to + from) / 2 + ((to - from) / 2) * value;
    });
  }
}
