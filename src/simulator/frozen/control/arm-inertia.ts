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

  read(joints: readonly string[], out: Float64Array): void {
    const first = this.#first;
    this.#first = undefined;
    if (first?.length === out.length) out.set(first);
    else this.#physics.inertia(joints, out);
  }
}
