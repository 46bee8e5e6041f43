import type { Physics } from "../../manipulation/physics/physics.js";
import type { JointPosition } from "../description.js";
import type { ArmInertia } from "./arm-inertia.js";
import { type PartController, scaled } from "./part-controller.js";

/** robosuite's JOINT_POSITION: accelerations towards goal positions, multiplied by the inertia of the arm. */
export class JointPositionController implements PartController {
  readonly #physics: Physics;
  readonly #config: JointPosition;
  readonly #inertia: ArmInertia;
  readonly #matrix: Float64Array;
  readonly #wanted: Float64Array;
  readonly #torques: Float64Array;
  #goal: readonly number[] = [];

  constructor(physics: Physics, config: JointPosition, inertia: ArmInertia) {
    const { length } = config.joints;
    this.#physics = physics;
    this.#config = config;
    this.#inertia = inertia;
    this.#matrix = new Float64Array(length * length);
    this.#wanted = new Float64Array(length);
    this.#torques = new Float64Array(length);
  }

  setGoal(action: readonly number[]): void {
    const { joints, input_type } = this.#config;
    if (input_type === "absolute") {
      this.#goal = action;
      return;
    }
    const offset = scaled(action, this.#config);
    this.#goal = joints.map((joint, i) => this.#physics.joint(joint) + (offset[i] ?? 0));
  }

  run(): Float64Array {
    const { joints, kp, kd, torque_compensation } = this.#config;
    const [physics, wanted, torques] = [this.#physics, this.#wanted, this.#torques];
    const n = wanted.length;
    physics.jointPositions(joints, wanted);
    physics.jointVelocities(joints, torques);
    for (let i = 0; i < n; i++) {
      const error = (this.#goal[i] ?? 0) - (wanted[i] as number);
      wanted[i] = error * (kp[i] ?? 0) - (torques[i] as number) * (kd[i] ?? 0);
    }
    if (!torque_compensation) return wanted;
    this.#inertia.read(joints, this.#matrix);
    physics.jointBiases(joints, torques);
    for (let row = 0; row < n; row++) {
      let torque = torques[row] as number;
      for (let column = 0; column < n; column++) {
        torque += (this.#matrix[row * n + column] as number) * (wanted[column] as number);
      }
      torques[row] = torque;
    }
    return torques;
  }
}
