import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor, RobotModel } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import type { Controller } from "./controller.js";
import { dampedStep } from "./damped-step.js";
import { DofJoints, dofPositions, limitDof, modelOf } from "./dofs.js";
import { poseError } from "./pose-error.js";
import { controlSpace, vectorOf } from "./space.js";

const MAX_MOVE_M = 0.05;
const MAX_TURN_RAD = 0.3;
/** Beside the error's own, as in inverse kinematics: near a straight elbow joints would jump about else. */
const DAMPING = 1e-5;

/** A hand at rest is driven on while its squared error shrinks to this share from one step to the next. */
const NEARER = 0.9;

/**
 * The action is [dx, dy, dz, drx, dry, drz, gripper]: how the end effector should move (metres) and turn
 * (radians, a rotation vector) in the axes of the world, and how far the gripper should be open (0 to 1).
 * Longer moves and turns are cut to 5 cm and 0.3 rad.
 *
 * Deltas add up in a wished pose, which the hand is held to from the first of them on, so that servos that
 * follow late or unevenly do not lead it astray; the wish is never more than 5 cm and 0.3 rad ahead of the hand,
 * so that a blocked arm does not wind up. Where the pose leaves the joints a choice they keep to their targets.
 * With a pose change of zero the hand comes as near to the wish as it can, and rests there.
 */
export class EeDeltaPose implements Controller {
  readonly actionSpace: ActionSpace;
  readonly #physics: Physics;
  readonly #robot: RobotDescriptor;
  readonly #model: RobotModel;
  /** All degrees of freedom but the gripper's. */
  readonly #arm: readonly number[];
  readonly #joints: DofJoints;
  #wished: Pose3 | undefined;
  /** What was missing last time, squared; 0 before the first delta, when nothing is. */
  #left = 0;

  constructor(physics: Physics, robot: RobotDescriptor, base?: ActionSpace) {
    this.#physics = physics;
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
        [0, 1] as const,
      ],
      [
        ...axes.map((axis) => `d${axis}: metres along ${axis} of the world`),
        ...axes.map((axis) => `dr${axis}: radians about ${axis} of the world`),
        "gripper: 0 closed, 1 open",
      ],
    );
  }

  apply(action: readonly number[]): void {
    const [dx = 0, dy = 0, dz = 0, rx = 0, ry = 0, rz = 0, open = 0] = vectorOf(
      this.actionSpace,
      action,
    );
    const move = cut([dx, dy, dz], MAX_MOVE_M);
    const turn = cut([rx, ry, rz], MAX_TURN_RAD);
    if ([...move, ...turn].some((x) => x !== 0)) this.#left = Number.POSITIVE_INFINITY;
    this.#move(move, turn);
    const { gripper } = this.#model;
    const share = Math.min(1, Math.max(0, open));
    this.#drive(this.#robot.gripperDof, gripper.closed + share * (gripper.open - gripper.closed));
  }

  #move(move: Vec3, turn: Vec3): void {
    const hand = this.#physics.site(this.#model.endEffectorSite);
    const wished = ahead(hand, moved(this.#wished ?? hand, move, turn));
    const error = poseError(hand, wished, "all");
    if (!(error.squared < NEARER * this.#left)) return;
    this.#wished = wished;
    this.#left = error.squared;
    const all = dofPositions(this.#physics, this.#robot);
    const jacobian = this.#joints.jacobian(
      this.#physics.jacobian(this.#model.endEffectorSite, this.#joints.names),
    );
    const step = dampedStep({
      jacobian: error.project(jacobian, this.#arm.length),
      error: error.rows,
      damping: DAMPING + error.squared / 2,
      pull: this.#arm.map(
        (dof) => this.#physics.control(this.#model.actuators[dof] ?? "") - (all[dof] as number),
      ),
      room: this.#arm.map((dof) => {
        const [low, high] = this.#robot.dofs[dof]?.limits ?? [-Infinity, Infinity];
        return [low - (all[dof] as number), high - (all[dof] as number)];
      }),
    });
    for (const [i, dof] of this.#arm.entries()) {
      this.#drive(dof, (all[dof] as number) + (step[i] as number));
    }
  }

  #drive(dof: number, value: number): void {
    const actuator = this.#model.actuators[dof];
    if (actuator !== undefined) {
      this.#physics.setControl(actuator, limitDof(this.#robot, dof, value));
    }
  }
}

/** The wish, or as far of it as the hand may be asked to go at once. */
function ahead(hand: Pose3, wish: Pose3): Pose3 {
  const { move, turn } = poseError(hand, wish, "all");
  return moved(hand, cut(move, MAX_MOVE_M), cut(turn, MAX_TURN_RAD));
}

function moved({ position: [x, y, z], rotation_wxyz }: Pose3, move: Vec3, turn: Vec3): Pose3 {
  const angle = Math.hypot(...turn);
  const axis: Vec3 = [turn[0] / angle, turn[1] / angle, turn[2] / angle];
  return {
    position: [x + move[0], y + move[1], z + move[2]],
    rotation_wxyz: angle === 0 ? rotation_wxyz : multiply(aboutAxis(axis, angle), rotation_wxyz),
  };
}

/** The same direction, at most so long. */
function cut(vector: Vec3, longest: number): Vec3 {
  const length = Math.hypot(...vector);
  if (length <= longest) return vector;
  const [x, y, z] = vector;
  return [(x * longest) / length, (y * longest) / length, (z * longest) / length];
}
