import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor, RobotModel } from "../../../robots/descriptor.js";
import type { Physics } from "../physics.js";
import type { Controller } from "./controller.js";
import { dampedStep } from "./damped-step.js";
import { clampToDof, DofJoints, dofPositions, modelOf } from "./dofs.js";
import { controlSpace, vectorOf } from "./space.js";

const MAX_MOVE_M = 0.05;
const MAX_TURN_RAD = 0.3;
/** Metres that a radian counts as when moves and turns are weighed against each other. */
const RADIAN_M = 0.3;
/** In the units of J J^T: small against a reachable direction (about 0.1), large against a singular one. */
const DAMPING = 1e-4;

/**
 * The action is [dx, dy, dz, drx, dry, drz, gripper]: how the end effector should move (metres) and turn
 * (radians, a rotation vector) in the axes of the world, and how far the gripper should be open (0 to 1).
 * Longer moves and turns are cut to 5 cm and 0.3 rad. It starts from where the robot is, not from where
 * it was told to be, so that a blocked arm does not wind up; a pose change of zero leaves the targets alone.
 */
export class EeDeltaPose implements Controller {
  readonly actionSpace: ActionSpace;
  readonly #physics: Physics;
  readonly #robot: RobotDescriptor;
  readonly #model: RobotModel;
  /** All degrees of freedom but the gripper's. */
  readonly #arm: readonly number[];
  readonly #joints: DofJoints;

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
    const change = [...cut([dx, dy, dz], MAX_MOVE_M), ...cut([rx, ry, rz], MAX_TURN_RAD)];
    if (change.some((x) => x !== 0)) this.#move(change);
    const { gripper } = this.#model;
    const share = Math.min(1, Math.max(0, open));
    this.#drive(this.#robot.gripperDof, gripper.closed + share * (gripper.open - gripper.closed));
  }

  #move(change: readonly number[]): void {
    const all = dofPositions(this.#physics, this.#robot);
    const jacobian = this.#joints.jacobian(
      this.#physics.jacobian(this.#model.endEffectorSite, this.#joints.names),
    );
    const turns = 3 * this.#arm.length;
    const step = dampedStep({
      jacobian: jacobian.map((x, i) => (i < turns ? x : x * RADIAN_M)),
      error: change.map((x, row) => (row < 3 ? x : x * RADIAN_M)),
      damping: DAMPING,
      pull: this.#arm.map(() => 0),
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
      this.#physics.setControl(actuator, clampToDof(this.#robot, dof, value));
    }
  }
}

/** The same direction, at most so long. */
function cut(vector: readonly number[], longest: number): readonly number[] {
  const length = Math.hypot(...vector);
  return length > longest ? vector.map((x) => (x * longest) / length) : vector;
}
