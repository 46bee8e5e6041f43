import type { Grip } from "../description.js";
import { type PartController, scaled } from "./part-controller.js";

/** robosuite's grippers with one action: its sign opens or closes the fingers, a fixed part of the way per control step. */
export class GripController implements PartController {
  readonly #config: Grip;
  #command: readonly number[];
  #controls: readonly number[] = [];

  constructor(config: Grip) {
    this.#config = config;
    this.#command = config.initial;
  }

  setGoal([action = 0]: readonly number[]): void {
    const { steps, control_range } = this.#config;
    const sign = Math.sign(action);
    this.#command = steps.map((step, i) =>
      Math.min(1, Math.max(-1, (this.#command[i] ?? 0) + step * sign)),
    );
    const [low, high] = control_range;
    this.#controls = scaled(this.#command, this.#config).map((value, i) => {
      const [from, to] = [low[i] ?? -1, high[i] ?? 1];
      return (to + from) / 2 + ((to - from) / 2) * value;
    });
  }

  run(): readonly number[] {
    return this.#controls;
  }
}
