import type { StepRecord } from "../interfaces/step.js";
import { distance3 } from "../math/vec3.js";
import type { EpisodeEnd } from "./base.js";
import { HandlingRetrospect } from "./handling-retrospect.js";

/** Metres; an agent that is blocked and moved less than this got nowhere. */
const NOWHERE_M = 0.02;

/** What an explanation tells of the way an episode went. */
export type Course = Pick<
  EpisodeEnd,
  "steps" | "lastState" | "closestM" | "closestStep" | "collisions" | "stuckSteps" | "handling"
>;

/** Follows an episode's records and remembers what its explanation will need. */
export class Retrospect {
  #steps = 0;
  #last: StepRecord["state"] = {};
  #closestM = Number.POSITIVE_INFINITY;
  #closestStep = 0;
  #collisions = 0;
  #stuckSteps = 0;
  readonly #handling = new HandlingRetrospect();

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
    // Turning on the spot does not free an agent that walks into the same wall again and again.
    if (moved >= NOWHERE_M || !from) this.#stuckSteps = 0;
    else if (state.collided || this.#stuckSteps > 0) this.#stuckSteps++;
    this.#last = state;
  }

  get course(): Course {
    const handling = this.#handling.course;
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
