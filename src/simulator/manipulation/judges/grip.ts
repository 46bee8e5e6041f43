import type { Condition } from "../../../core/interfaces/step.js";
import type { ObjectFacts } from "./facts.js";
import { atLeast } from "./verdict.js";

/** Newtons that each finger has to press with for an object to be held; ManiSkill's. */
export const GRASP_N = 0.5;

/** Metres between end effector and surface or handle within which it counts as reached. */
export const REACHED_M = 0.05;

/**
 * Whether an object is in the gripper, and how high it was carried there. An object is held once both fingers
 * have pressed on it for two control steps in a row: one alone may be a bump.
 */
export class Grip {
  readonly #liftM: number;
  #pressedN = 0;
  #startM: number | undefined;
  #bestN = 0;
  #highestM = 0;
  #held = false;
  #nowM = 0;

  constructor(liftM: number) {
    this.#liftM = liftM;
  }

  reset(): void {
    this.#pressedN = 0;
    this.#startM = undefined;
    this.#bestN = 0;
    this.#highestM = 0;
    this.#held = false;
    this.#nowM = 0;
  }

  update({ fingersN, lowestM }: ObjectFacts): void {
    const pressedN = Math.min(...fingersN);
    const steadyN = Math.min(pressedN, this.#pressedN);
    this.#pressedN = pressedN;
    this.#startM ??= lowestM;
    this.#nowM = lowestM - this.#startM;
    this.#held = steadyN >= GRASP_N;
    this.#bestN = Math.max(this.#bestN, steadyN);
    if (this.#held) this.#highestM = Math.max(this.#highestM, this.#nowM);
  }

  /** It is in the gripper now. */
  get held(): boolean {
    return this.#held;
  }

  /** It is in the gripper and high enough now. */
  get carried(): boolean {
    return this.#held && this.#nowM >= this.#liftM;
  }

  /** Metres that its lowest point is above where it started. */
  get liftM(): number {
    return this.#nowM;
  }

  /** Was held once: the steadiest grip so far, in newtons of the weaker finger. */
  get grasped(): Condition {
    return atLeast("grasped", this.#bestN, GRASP_N);
  }

  /** Was carried once: the greatest height so far, in metres. */
  get lifted(): Condition {
    return atLeast("lifted", this.#highestM, this.#liftM);
  }
}
