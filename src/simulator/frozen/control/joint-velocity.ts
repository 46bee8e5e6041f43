import type { Physics } from "../../manipulation/physics/physics.js";
import type { JointVelocity } from "../description.js";
import { type PartController, scaled } from "./part-controller.js";

/** Physics steps over which the change of the error is averaged. */
const AVERAGED = 5;

/** robosuite's JOINT_VELOCITY: a PID controller whose integral stands still while a torque is at its limit. */
export class JointVelocityController implements PartController {
  readonly #physics: Physics;
  readonly #config: JointVelocity;
  #goal: readonly number[] = [];
  #last: readonly number[];
  #sum: readonly number[];
  /** The last changes of the error, newest last. */
  #changes: (readonly number[])[];
  #isSaturated = false;

  constructor(physics: Physics, config: JointVelocity) {
    this.#physics = physics;
    this.#config = config;
    const zeros = config.joints.map(() => 0);
    this.#last = zeros;
    this.#sum = zeros;
    this.#changes = Array.from({ length: AVERAGED }, () => zeros);
  }

  setGoal(action: readonly number[]): void {
    const { velocity_limits } = this.#config;
    const [low, high] = velocity_limits ?? [];
    this.#goal = scaled(action, this.#config).map((value, i) =>
      Math.min(high?.[i] ?? value, Math.max(low?.[i] ?? value, value)),
    );
  }

  run(): readonly number[] {
    const { joints, kp, ki, kd, torque_limits, torque_compensation } = this.#config;
    const physics = this.#physics;
    const error = joints.map((joint, i) => (this.#goal[i] ?? 0) - physics.jointVelocity(joint));
    const change = error.map((value, i) => value - (this.#last[i] ?? 0));
    this.#last = error;
    this.#changes = [...this.#changes.slice(1), change];
    if (!this.#isSaturated) this.#sum = this.#sum.map((value, i) => value + (error[i] ?? 0));
    const torques = joints.map((joint, i) => {
      const average = this.#changes.reduce((sum, one) => sum + (one[i] ?? 0), 0) / AVERAGED;
      return (
        (kp[i] ?? 0) * (error[i] ?? 0) +
        (ki[i] ?? 0) * (this.#sum[i] ?? 0) +
        (kd[i] ?? 0) * average +
        (torque_compensation ? physics.jointBias(joint) : 0)
      );
    });
    const [low, high] = torque_limits;
    const clipped = torques.map((value, i) =>
      Math.min(high[i] ?? value, Math.max(low[i] ?? value, value)),
    );
    this.#isSaturated = clipped.some((value, i) => value !== torques[i]);
    return clipped;
  }
}
