/** What a joint's numbers mean: metres for sliding joints, radians for turning ones. */
type JointUnit = "m" | "rad";

export interface JointDescriptor {
  readonly name: string;
  readonly unit: JointUnit;
  readonly limits: readonly [low: number, high: number];
}

/** One number of an action. Several joints that one actuator moves together are one degree of freedom. */
export interface DofDescriptor {
  readonly name: string;
  readonly joints: readonly string[];
  readonly limits: readonly [low: number, high: number];
}

/** A robot as data: adding one is adding one of these. */
export interface RobotDescriptor {
  readonly robotType: string;
  readonly description: string;
  readonly joints: readonly JointDescriptor[];
  /** In the order of the action vector. */
  readonly dofs: readonly DofDescriptor[];
  /** Index of the gripper in `dofs`. */
  readonly gripperDof: number;
}

/** The action vector's length. */
export function dofOf(robot: RobotDescriptor): number {
  return robot.dofs.length;
}

/**
 * A degree of freedom over coupled sliding joints reaches as far as their sum; over a single joint,
 * exactly as far as that joint.
 */
export function dofFrom(name: string, joints: readonly JointDescriptor[]): DofDescriptor {
  return {
    name,
    joints: joints.map((joint) => joint.name),
    limits: [
      joints.reduce((sum, joint) => sum + joint.limits[0], 0),
      joints.reduce((sum, joint) => sum + joint.limits[1], 0),
    ],
  };
}
