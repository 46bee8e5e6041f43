import type { DofDescriptor, RobotModel } from "./descriptor.js";

/** An actuator whose control has another unit than its degree of freedom, such as 0 to 255 for a gripper in metres. */
export interface MappedDrive {
  /** Two values of the degree of freedom, in metres or radians. */
  readonly positions: readonly [number, number];
  /** The controls that make it rest there. Between and beyond them the mapping is linear. */
  readonly controls: readonly [number, number];
}

/**
 * A motor, whose control is a force or torque. At each physics step it gets kp (target - position) - kd velocity, in N
 * and m or N m and rad, within `maxForce` and the actuator's own limits.
 */
export interface MotorDrive {
  readonly kp: number;
  readonly kd: number;
  /** N or N m at the joint. */
  readonly maxForce?: number | undefined;
  /** Adds the force that holds the arm against gravity, Coriolis and centrifugal forces. Default false. */
  readonly compensateGravity?: boolean | undefined;
}

/** How the target of a degree of freedom becomes its actuator's control. Without one, the control is the target. */
export type Drive = MappedDrive | MotorDrive;

export function driveOf(model: RobotModel, { name }: DofDescriptor): Drive | undefined {
  return model.drives && Object.hasOwn(model.drives, name) ? model.drives[name] : undefined;
}

export function isMotorDrive(drive: Drive | undefined): drive is MotorDrive {
  return drive !== undefined && "kp" in drive;
}

/** The control for a position. */
export function controlAt({ positions: [p, q], controls: [c, d] }: MappedDrive, position: number) {
  return c + ((position - p) * (d - c)) / (q - p);
}

/** The position for a control. */
export function positionAt({ positions, controls }: MappedDrive, control: number): number {
  return controlAt({ positions: controls, controls: positions }, control);
}
