import type { Physics } from "../../manipulation/physics/physics.js";

/** The inertia that controllers of an arm compute with, row by row. */
export class ArmInertia {
  readonly #physics: Physics;
  #first: readonly number[] | undefined;

  /** @param first what the original used in the first physics step of the episode */
  constructor(physics: Physics, first: readonly number[] | undefined) {
    this.#physics = physics;
    this.#first = first;
  }

  read(joints: readonly string[]): Float64Array {
    const first = this.#first;
    this.#first = undefined;
    const fits = first?.length === joints.length * joints.length;
    return fits ? Float64Array.from(first) : this.#physics.inertia(joints);
  }
}
