import type { StepRecord } from "../interfaces/step.js";
import { distance3 } from "../math/vec3.js";
import type { EpisodeEnd } from "./base.js";
import { ManipulationSummaryBuilder } from "./manipulation-summary.js";

/** A robot that moves less than this in a step counts as not moving. */
const STATIONARY_M = 0.02;

/** The part of `EpisodeEnd` that is computed from the step records. */
export type EpisodeSummary = Pick<
  EpisodeEnd,
  "steps" | "lastState" | "closestM" | "closestStep" | "collisions" | "stuckSteps" | "handling"
>;

/** Collects from an episode's records what its explanation needs. */
export class EpisodeSummaryBuilder {
  #steps = 0;
  #last: StepRecord["state"] = {};
  #closestM = Number.POSITIVE_INFINITY;
  #closestStep = 0;
  #collisions = 0;
  #stuckSteps = 0;
  readonly #handling = new ManipulationSummaryBuilder();

  add(record: StepRecord): void {
    const { step, action, state } = record;
    this.#handling.add(record);
    if (action !== null) this.#steps++;
    const distance = state.distance_to_goal ?? Number.POSITIVE_INFINITY;
    if (distance < this.#closestM) {
      this.#closestM = distance;
      this.#closestStep = step;
    }
    if (state.collided) this.#collisions++;
    const [from, to] = [this.#last.position, state.position];
    const moved = from && to ? distance3(from, to) : 0;
    // Turning on the spot does not reset the count: the robot may be driving into the same wall again.
    if (moved >= STATIONARY_M || !from) this.#stuckSteps = 0;
    else if (state.collided || this.#stuckSteps > 0) this.#stuckSteps++;
    this.#last = state;
  }

  get summary(): EpisodeSummary {
    const handling = this.#handling.summary;
    return {
      steps: this.#steps,
      lastState: this.#last,
      closestM: this.#closestM,
      closestStep: this.#closestStep,
      collisions: this.#collisions,
      stuckSteps: this.#stuckSteps,
      ...(handling ? { handling } : {}),
    };
  }
}
