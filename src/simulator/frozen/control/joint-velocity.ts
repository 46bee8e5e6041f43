import type { Physics } from "../../manipulation/physics/physics.js";
import type { JointVelocity } from "../description.js";
import { type PartController, scaled } from "./part-controller.js";

/** Physics steps over which the change of the error is averaged. */
const AVERAGED = 5;

/**
 * robosuite 1.4's JOINT_VELOCITY: a PID controller of the joints' velocities, with gravity compensation. The integral stands
 * still after a physics step in which any torque reached its limit.
 */
export class JointVelocityController implements PartController {
  readonly #physics: Physics;
  readonly #config: JointVelocity;
  /** Errors of the physics step before. */
  readonly #errors: number[];
  readonly #sums: number[];
  /** The latest changes of the errors, oldest first. */
  readonly #changes: number[][] = [];
  readonly #speeds: Float64Array;
  readonly #torques: Float64Array;
  #isSaturated = false;
  #goal: readonly number[] = [];

  constructor(physics: Physics, config: JointVelocity) {
    const { length } = config.joints;
    this.#physics = physics;
    this.#config = config;
    this.#errors = config.joints.map(() => 0);
    this.#sums = config.joints.map(() => 0);
    this.#speeds = new Float64Array(length);
    this.#torques = new Float64Array(length);
  }

  setGoal(action: readonly number[]): void {
    const [low, high] = this.#config.velocity_limits ?? [[], []];
    this.#goal = scaled(action, this.#config).map((speed, i) =>
      Math.min(high[i] ?? Infinity, Math.max(low[i] ?? -Infinity, speed)),
    );
  }

  run(): Float64Array {
    const { joints, kp, ki, kd, torque_limits } = this.#config;
    const [low, high] = torque_limits;
    const torques = this.#torques;
    this.#physics.jointVelocities(joints, this.#speeds);
    this.#physics.jointBiases(joints, torques);
    const changes = joints.map((_, i) => this.#advance(i));
    this.#changes.push(changes);
    if (this.#changes.length > AVERAGED) this.#changes.shift();
    let isSaturated = false;
    for (let i = 0; i < torques.length; i++) {
      const total = this.#changes.reduce((sum, row) => sum + (row[i] ?? 0), 0);
      const torque =
        (kp[i] ?? 0) * (this.#errors[i] ?? 0) +
        (ki[i] ?? 0) * (this.#sums[i] ?? 0) +
        (kd[i] ?? 0) * (total / this.#changes.length) +
        (torques[i] ?? 0);
      torques[i] = Math.min(high[i] ?? Infinity, Math.max(low[i] ?? -Infinity, torque));
      isSaturated ||= torques[i] !== torque;
    }
    this.#isSaturated = isSaturated;
    return torques;
  }

  /** Takes the error of a joint into account, and returns its change. */
  #advance(i: number): number {
    const error = (this.#goal[i] ?? 0) - (this.#speeds[i] ?? 0);
    const change = error - (this.#errors[i] ?? 0);
    this.#errors[i] = error;
    if (!this.#isSaturated) this.#sums[i] = (this.#sums[i] ?? 0) + error;
    return change;
  }
}
