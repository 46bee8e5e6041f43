import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor, RobotModel } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import type { Controller } from "./controller.js";
import { dampedStep } from "./damped-step.js";
import { DofJoints, dofPositions, modelOf } from "./dofs.js";
import { poseError } from "./pose-error.js";
import { Servos } from "./servos.js";
import { controlSpace, vectorOf } from "./space.js";

const MAX_MOVE_M = 0.05;
const MAX_TURN_RAD = 0.3;
/** Added to the error's share of the damping; without it joints jump near singular poses. */
const DAMPING = 1e-5;

/** Without new deltas, the hand keeps moving while each step reduces the squared error to this share or less. */
const MIN_PROGRESS = 0.9;

/**
 * The action is [dx, dy, dz, drx, dry, drz, gripper]: translation (metres) and rotation vector (radians) of the
 * end effector in world axes, and the gripper's opening (0 to 1), which a robot without a gripper lacks. Moves and
 * turns are limited to 5 cm and 0.3 rad.
 *
 * Deltas accumulate in a target pose, so that the lag of servos does not accumulate as drift. The target stays
 * within 5 cm and 0.3 rad of the hand, so that a blocked arm does not wind up. Joints stay near their targets where
 * the pose leaves freedom. With a zero delta the hand approaches the target as far as it can and then rests.
 */
export class EeDeltaPose implements Controller {
  readonly actionSpace: ActionSpace;
  readonly beforeStep: (() => void) | undefined;
  readonly #physics: Physics;
  readonly #servos: Servos;
  readonly #robot: RobotDescriptor;
  readonly #model: RobotModel;
  /** All degrees of freedom but the gripper's. */
  readonly #arm: readonly number[];
  readonly #joints: DofJoints;
  #target: Pose3 | undefined;
  /** Squared pose error of the last step; 0 before the first delta. */
  #lastSquared = 0;

  constructor(physics: Physics, robot: RobotDescriptor, base?: ActionSpace) {
    this.#physics = physics;
    this.#servos = new Servos(physics, robot);
    this.beforeStep = this.#servos.beforeStep;
    this.#robot = robot;
    this.#model = modelOf(robot);
    this.#arm = [...robot.dofs.keys()].filter((dof) => dof !== robot.gripperDof);
    this.#joints = new DofJoints(robot, this.#arm);
    const axes = ["x", "y", "z"];
    this.actionSpace = controlSpace(
      base,
      [
        ...axes.map(() => [-MAX_MOVE_M, MAX_MOVE_M] as const),
        ...axes.map(() => [-MAX_TURN_RAD, MAX_TURN_RAD] as const),
        ...(this.#model.gripper ? [[0, 1] as const] : []),
      ],
      [
        ...axes.map((axis) => `d${axis}: metres along ${axis} of the world`),
        ...axes.map((axis) => `dr${axis}: radians about ${axis} of the world`),
        ...(this.#model.gripper ? ["gripper: 0 closed, 1 open"] : []),
      ],
    );
  }

  apply(action: readonly number[]): void {
    const [dx = 0, dy = 0, dz = 0, rx = 0, ry = 0, rz = 0, open = 0] = vectorOf(
      this.actionSpace,
      action,
    );
    const move = shortened([dx, dy, dz], MAX_MOVE_M);
    const turn = shortened([rx, ry, rz], MAX_TURN_RAD);
    if ([...move, ...turn].some((x) => x !== 0)) this.#lastSquared = Number.POSITIVE_INFINITY;
    this.#move(move, turn);
    const { gripper } = this.#model;
    const { gripperDof } = this.#robot;
    if (!gripper || gripperDof === undefined) return;
    const share = Math.min(1, Math.max(0, open));
    this.#servos.setTarget(gripperDof, gripper.closed + share * (gripper.open - gripper.closed));
  }

  hold(): readonly number[] {
    const { gripper } = this.#model;
    const { gripperDof } = this.#robot;
    const still = [0, 0, 0, 0, 0, 0];
    if (!gripper || gripperDof === undefined) return still;
    const target = this.#servos.target(gripperDof);
    return [...still, (target - gripper.closed) / (gripper.open - gripper.closed)];
  }

  #move(move: Vec3, turn: Vec3): void {
    const hand = this.#physics.site(this.#model.endEffectorSite);
    const target = limitLead(hand, moved(this.#target ?? hand, move, turn));
    const error = poseError(hand, target, "all");
    if (!(error.squared < MIN_PROGRESS * this.#lastSquared)) return;
    this.#target = target;
    this.#lastSquared = error.squared;
    const all = dofPositions(this.#physics, this.#robot);
    const jacobian = this.#joints.jacobian(
      this.#physics.jacobian(this.#model.endEffectorSite, this.#joints.names),
    );
    const step = dampedStep({
      jacobian: error.project(jacobian, this.#arm.length),
      error: error.rows,
      damping: DAMPING + error.squared / 2,
      preferred: this.#arm.map((dof) => this.#servos.target(dof) - (all[dof] as number)),
      bounds: this.#arm.map((dof) => {
        const [low, high] = this.#robot.dofs[dof]?.limits ?? [-Infinity, Infinity];
        return [low - (all[dof] as number), high - (all[dof] as number)];
      }),
    });
    for (const [i, dof] of this.#arm.entries()) {
      this.#servos.setTarget(dof, (all[dof] as number) + (step[i] as number));
    }
  }
}

/** The target, limited to 5 cm and 0.3 rad from the hand. */
function limitLead(hand: Pose3, target: Pose3): Pose3 {
  const { move, turn } = poseError(hand, target, "all");
  return moved(hand, shortened(move, MAX_MOVE_M), shortened(turn, MAX_TURN_RAD));
}

function moved({ position: [x, y, z], rotation_wxyz }: Pose3, move: Vec3, turn: Vec3): Pose3 {
  const angle = Math.hypot(...turn);
  const axis: Vec3 = [turn[0] / angle, turn[1] / angle, turn[2] / angle];
  return {
    position: [x + move[0], y + move[1], z + move[2]],
    rotation_wxyz: angle === 0 ? rotation_wxyz : multiply(aboutAxis(axis, angle), rotation_wxyz),
  };
}

/** The vector, scaled down to `maxLength` if it is longer. */
function shortened(vector: Vec3, maxLength: number): Vec3 {
  const length = Math.hypot(...vector);
  if (length <= maxLength) return vector;
  const [x, y, z] = vector;
  return [(x * maxLength) / length, (y * maxLength) / length, (z * maxLength) / length];
}
