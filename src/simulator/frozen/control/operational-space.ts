import type { Vec3 } from "../../../core/math/vec3.js";
import type { Physics } from "../../manipulation/physics/physics.js";
import type { OperationalSpace } from "../description.js";
import type { ArmInertia } from "./arm-inertia.js";
import { cholesky, forwardSolve, solveSymmetric } from "./matrix.js";
import { type ControllerStart, type PartController, scaled } from "./part-controller.js";
import {
  apply,
  type Matrix3,
  matrixOf,
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
  readonly #initialJoints: readonly number[];
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
    this.#initialJoints = initial_joints;
    this.#first = first_step;
  }

  setGoal(action: readonly number[]): void {
    if (this.#first) {
      this.#goalPosition = this.#first.goal_position;
      this.#goalRotation = this.#first.goal_rotation;
      return;
    }
    const { input_type, type } = this.#config;
    const isDelta = input_type === "delta";
    const [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0] = isDelta
      ? scaled(action, this.#config)
      : action;
    const turn = matrixOfVector(type === "OSC_POSE" ? [rx, ry, rz] : [0, 0, 0]);
    const { position, rotation } = this.#handInFrame();
    this.#goalPosition = isDelta ? [position[0] + x, position[1] + y, position[2] + z] : [x, y, z];
    const isTurned = rx !== 0 || ry !== 0 || rz !== 0;
    if (this.#config.keeps_rotation && isDelta && !isTurned) return;
    this.#goalRotation = isDelta || type === "OSC_POSITION" ? times(turn, rotation) : turn;
  }

  run(): Float64Array {
    const first = this.#first;
    this.#first = undefined;
    if (first) return Float64Array.from(first.torques);
    const { joints, site, kp, kd } = this.#config;
    const physics = this.#physics;
    const n = joints.length;
    const hand = physics.site(site);
    const frame = this.#frame();
    const jacobian = physics.jacobian(site, joints);
    const speeds = joints.map((joint) => physics.jointVelocity(joint));
    const velocity = product(jacobian, 6, n, speeds);
    const goal = apply(frame.rotation, this.#goalPosition);
    const turn = rotationError(
      times(frame.rotation, this.#goalRotation),
      matrixOf(hand.rotation_wxyz),
    );
    const wanted = new Float64Array(6);
    for (let i = 0; i < 3; i++) {
      const offset = at(frame.position, i) + at(goal, i) - at(hand.position, i);
      wanted[i] = offset * at(kp, i) - at(velocity, i) * at(kd, i);
      wanted[i + 3] = at(turn, i) * at(kp, i + 3) - at(velocity, i + 3) * at(kd, i + 3);
    }
    const inertia = this.#inertia.read(joints);
    const mobility = mobilityOf(inertia, jacobian, n);
    const wrench = this.#wrench(mobility, wanted);
    const rest = joints.map((joint, i) => {
      const offset = at(this.#initialJoints, i) - physics.joint(joint);
      return REST_GAIN * offset - REST_DAMPING * at(speeds, i);
    });
    // The null space of the end effector: torques M x, without those that would accelerate it by J x.
    const disturbance = solveSymmetric(mobility, 6, product(jacobian, 6, n, rest));
    const pull = product(inertia, n, n, rest);
    return Float64Array.from(joints, (joint, column) => {
      let torque = physics.jointBias(joint) + at(pull, column);
      for (let row = 0; row < 6; row++) {
        torque += at(jacobian, row * n + column) * (at(wrench, row) - at(disturbance, row));
      }
      return torque;
    });
  }

  /** The force and torque at the end effector that accelerate it as wanted. */
  #wrench(mobility: Float64Array, wanted: Float64Array): ArrayLike<number> {
    if (!this.#config.uncouple_pos_ori) return solveSymmetric(mobility, 6, wanted);
    const force = solveSymmetric(block(mobility, 0), 3, wanted.subarray(0, 3));
    const torque = solveSymmetric(block(mobility, 3), 3, wanted.subarray(3));
    return [...force, ...torque];
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

/** J M^-1 J^T: the inverse of the inertia that is felt at the end effector. */
function mobilityOf(inertia: Float64Array, jacobian: Float64Array, n: number): Float64Array {
  const transposed = new Float64Array(6 * n);
  for (let row = 0; row < 6; row++) {
    for (let i = 0; i < n; i++) transposed[i * 6 + row] = at(jacobian, row * n + i);
  }
  const factor = cholesky(inertia, n);
  // MuJoCo's inertia matrix is positive definite unless the state has diverged.
  if (!factor) return new Float64Array(36).fill(Number.NaN);
  const half = forwardSolve(factor, n, transposed, 6);
  const out = new Float64Array(36);
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column < 6; column++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += at(half, i * 6 + row) * at(half, i * 6 + column);
      out[row * 6 + column] = sum;
    }
  }
  return out;
}

/** The 3 x 3 block of a 6 x 6 matrix that starts at this row and column. */
function block(matrix: Float64Array, start: number): Float64Array {
  return Float64Array.from({ length: 9 }, (_, i) =>
    at(matrix, (start + Math.floor(i / 3)) * 6 + start + (i % 3)),
  );
}

function product(
  matrix: Float64Array,
  rows: number,
  columns: number,
  vector: ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let i = 0; i < columns; i++) sum += at(matrix, row * columns + i) * at(vector, i);
    out[row] = sum;
  }
  return out;
}

function at(array: ArrayLike<number>, index: number): number {
  return array[index] as number;
}
