import { matrixOf } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { Physics } from "../../manipulation/physics/physics.js";
import type { OperationalSpace } from "../description.js";
import type { ArmInertia } from "./arm-inertia.js";
import { product } from "./matrix.js";
import { Mobility } from "./mobility.js";
import { type ControllerStart, type PartController, scaled } from "./part-controller.js";
import {
  apply,
  type Matrix3,
  matrixOfVector,
  rotationError,
  times,
  transposed,
} from "./rotation.js";

/** Gain of the joints' return to their initial positions; the damping is critical. */
const REST_GAIN = 10;
const REST_DAMPING = 2 * Math.sqrt(REST_GAIN);

/**
 * robosuite's OSC_POSE and OSC_POSITION: forces at the end effector towards a goal pose (Khatib 1987), and torques in
 * the null space that return the arm to its initial joints.
 */
export class OperationalSpaceController implements PartController {
  readonly #physics: Physics;
  readonly #config: OperationalSpace;
  readonly #inertia: ArmInertia;
  readonly #initialJoints: Float64Array;
  readonly #kp: Float64Array;
  readonly #kd: Float64Array;
  readonly #mobility: Mobility;
  readonly #memory: Memory;
  #first: ControllerStart["first_step"];
  #goalPosition: Vec3 = [0, 0, 0];
  #goalRotation: Matrix3 = [];

  constructor(
    physics: Physics,
    config: OperationalSpace,
    inertia: ArmInertia,
    { initial_joints, first_step }: ControllerStart,
  ) {
    this.#physics = physics;
    this.#config = config;
    this.#inertia = inertia;
    this.#initialJoints = Float64Array.from(initial_joints);
    this.#kp = Float64Array.from(config.kp);
    this.#kd = Float64Array.from(config.kd);
    this.#mobility = new Mobility(config.joints.length);
    this.#memory = memoryFor(config.joints.length);
    this.#first = first_step;
  }

  setGoal(action: readonly number[]): void {
    if (this.#first) {
      this.#goalPosition = this.#first.goal_position;
      this.#goalRotation = this.#first.goal_rotation;
      return;
    }
    const { input_type, type, keeps_rotation, holds_rotation } = this.#config;
    const isDelta = input_type === "delta";
    const [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0] = isDelta
      ? scaled(action, this.#config)
      : action;
    const turn = matrixOfVector(type === "OSC_POSE" ? [rx, ry, rz] : [0, 0, 0]);
    const { position, rotation } = this.#handInFrame();
    this.#goalPosition = isDelta ? [position[0] + x, position[1] + y, position[2] + z] : [x, y, z];
    const isTurned = rx !== 0 || ry !== 0 || rz !== 0;
    // The first goal has the rotation of the hand.
    const hasGoal = this.#goalRotation.length > 0;
    if (keeps_rotation && isDelta && !isTurned && hasGoal) return;
    const isRelative = isDelta || type === "OSC_POSITION";
    this.#goalRotation = holds_rotation ?? (isRelative ? times(turn, rotation) : turn);
  }

  run(): Float64Array {
    const first = this.#first;
    this.#first = undefined;
    if (first) return Float64Array.from(first.torques);
    const { joints, site, uncouple_pos_ori } = this.#config;
    const { jacobian, positions, speeds, velocity, inertia, wrench, rest } = this.#memory;
    const physics = this.#physics;
    physics.jacobian(site, joints, jacobian);
    physics.jointPositions(joints, positions);
    physics.jointVelocities(joints, speeds);
    product(jacobian, speeds, velocity);
    this.#accelerate(velocity, wrench);
    this.#inertia.read(joints, inertia);
    const mobility = this.#mobility;
    mobility.update(inertia, jacobian);
    if (uncouple_pos_ori) mobility.toUncoupledWrench(wrench);
    else mobility.toWrench(wrench);
    for (let i = 0; i < rest.length; i++) {
      const offset = (this.#initialJoints[i] as number) - (positions[i] as number);
      rest[i] = REST_GAIN * offset - REST_DAMPING * (speeds[i] as number);
    }
    return this.#torques();
  }

  /** Writes the acceleration of the end effector that its goal asks for. */
  #accelerate(velocity: Float64Array, out: Float64Array): void {
    const [kp, kd] = [this.#kp, this.#kd];
    const hand = this.#physics.site(this.#config.site);
    const frame = this.#frame();
    const goal = apply(frame.rotation, this.#goalPosition);
    const turn = rotationError(
      times(frame.rotation, this.#goalRotation),
      matrixOf(hand.rotation_wxyz),
    );
    for (let i = 0; i < 3; i++) {
      const offset = at(frame.position, i) + at(goal, i) - at(hand.position, i);
      out[i] = offset * at(kp, i) - at(velocity, i) * at(kd, i);
      out[i + 3] = at(turn, i) * at(kp, i + 3) - at(velocity, i + 3) * at(kd, i + 3);
    }
  }

  /**
   * Torques of the wrench, of gravity and of the null space: M x, without the part that would accelerate the end
   * effector by J x.
   */
  #torques(): Float64Array {
    const { jacobian, inertia, wrench, rest, pull, disturbance, torques } = this.#memory;
    product(jacobian, rest, disturbance);
    this.#mobility.toWrench(disturbance);
    product(inertia, rest, pull);
    const n = torques.length;
    this.#physics.jointBiases(this.#config.joints, torques);
    for (let column = 0; column < n; column++) {
      let torque = (torques[column] as number) + (pull[column] as number);
      for (let row = 0; row < 6; row++) {
        const force = (wrench[row] as number) - (disturbance[row] as number);
        torque += (jacobian[row * n + column] as number) * force;
      }
      torques[column] = torque;
    }
    return torques;
  }

  /** Pose of the reference frame in the world. */
  #frame(): { readonly position: Vec3; readonly rotation: Matrix3 } {
    const { input_ref_frame, base_site } = this.#config;
    if (input_ref_frame === "world")
      return { position: [0, 0, 0], rotation: matrixOf([1, 0, 0, 0]) };
    const { position, rotation_wxyz } = this.#physics.site(base_site);
    return { position, rotation: matrixOf(rotation_wxyz) };
  }

  /** Pose of the end effector in the reference frame. */
  #handInFrame(): { readonly position: Vec3; readonly rotation: Matrix3 } {
    const { position, rotation_wxyz } = this.#physics.site(this.#config.site);
    const frame = this.#frame();
    const back = transposed(frame.rotation);
    const offset: Vec3 = [
      position[0] - frame.position[0],
      position[1] - frame.position[1],
      position[2] - frame.position[2],
    ];
    return { position: apply(back, offset), rotation: times(back, matrixOf(rotation_wxyz)) };
  }
}

/** Arrays that one physics step uses. */
type Memory = ReturnType<typeof memoryFor>;

/** Allocates the arrays once: new ones at thousands of physics steps per second would burden the garbage collector. */
function memoryFor(joints: number) {
  return {
    jacobian: new Float64Array(6 * joints),
    inertia: new Float64Array(joints * joints),
    positions: new Float64Array(joints),
    speeds: new Float64Array(joints),
    /** Velocity of the end effector. */
    velocity: new Float64Array(6),
    wrench: new Float64Array(6),
    /** Accelerations of the joints towards their initial positions. */
    rest: new Float64Array(joints),
    pull: new Float64Array(joints),
    disturbance: new Float64Array(6),
    torques: new Float64Array(joints),
  };
}

function at(array: ArrayLike<number>, index: number): number {
  return array[index] as number;
}
