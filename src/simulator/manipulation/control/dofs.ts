import { ConfigError } from "../../../core/errors.js";
import type { RobotDescriptor, RobotModel } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";

export function modelOf(robot: RobotDescriptor): RobotModel {
  if (robot.model) return robot.model;
  throw new ConfigError("no_robot", `the robot ${robot.robotType} has no model to simulate`, {
    hint: "choose a robot with a model; see `robot-eval list robots`",
  });
}

/** The value of each degree of freedom: the sum of its joints, such as the segments of a telescope. */
export function dofPositions(physics: Physics, robot: RobotDescriptor): number[] {
  return robot.dofs.map(({ joints }) => physics.jointSum(joints));
}

export function limitDof(robot: RobotDescriptor, dof: number, value: number): number {
  const [low, high] = robot.dofs[dof]?.limits ?? [-Infinity, Infinity];
  return Math.min(high, Math.max(low, value));
}

/**
 * Maps some of a robot's degrees of freedom to joints. The n joints of a degree of freedom have 1/n of its value
 * each, so each contributes 1/n of its Jacobian column.
 */
export class DofJoints {
  readonly names: readonly string[];
  /** Index of each joint's degree of freedom in `dofs`. */
  readonly #dof: readonly number[];
  /** Share of that degree of freedom's value which each joint has. */
  readonly #share: readonly number[];
  readonly #count: number;

  /** @param dofs indices into `robot.dofs` */
  constructor(robot: RobotDescriptor, dofs: readonly number[]) {
    const joints = dofs.flatMap((dof, at) =>
      (robot.dofs[dof]?.joints ?? []).map((name, _, all) => ({ name, at, share: 1 / all.length })),
    );
    this.names = joints.map(({ name }) => name);
    this.#dof = joints.map(({ at }) => at);
    this.#share = joints.map(({ share }) => share);
    this.#count = dofs.length;
  }

  positions(values: readonly number[]): number[] {
    return this.#dof.map((dof, i) => (values[dof] as number) * (this.#share[i] as number));
  }

  /** Converts a Jacobian with a column per joint (`Physics.jacobian`) to one with a column per degree of freedom. */
  jacobian(ofJoints: Float64Array): Float64Array {
    const width = this.names.length;
    const out = new Float64Array(6 * this.#count);
    for (let row = 0; row < 6; row++) {
      for (let joint = 0; joint < width; joint++) {
        const at = row * this.#count + (this.#dof[joint] as number);
        const part = (ofJoints[row * width + joint] as number) * (this.#share[joint] as number);
        out[at] = (out[at] as number) + part;
      }
    }
    return out;
  }
}
