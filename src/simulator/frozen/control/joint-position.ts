import type { Physics } from "../../manipulation/physics/physics.js";
import type { JointPosition } from "../description.js";
import type { ArmInertia } from "./arm-inertia.js";
import { type PartController, scaled } from "./part-controller.js";

/** robosuite's JOINT_POSITION: accelerations towards goal positions, multiplied by the inertia of the arm. */
export class JointPositionController implements PartController {
  readonly #physics: Physics;
  readonly #config: JointPosition;
  readonly #inertia: ArmInertia;
  #goal: readonly number[] = [];

  constructor(physics: Physics, config: JointPosition, inertia: ArmInertia) {
    this.#physics = physics;
    this.#config = config;
    this.#inertia = inertia;
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

  run(): readonly number[] {
    const { joints, kp, kd, torque_compensation } = this.#config;
    const physics = this.#physics;
    const wanted = joints.map((joint, i) => {
      const error = (this.#goal[i] ?? 0) - physics.joint(joint);
      return error * (kp[i] ?? 0) - physics.jointVelocity(joint) * (kd[i] ?? 0);
    });
    if (!torque_compensation) return wanted;
    const inertia = this.#inertia.read(joints);
    const n = joints.length;
    return joints.map((joint, row) =>
      wanted.reduce(
        (sum, value, column) => sum + (inertia[row * n + column] as number) * value,
        physics.jointBias(joint),
      ),
    );
  }
}
