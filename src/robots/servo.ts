import { type MjcfElement, mjcf } from "../core/mjcf/element.js";

/** A position-controlled motor. Units are N and m for sliding joints, N m and rad for rotating ones. */
export interface Servo {
  /** Force per metre of position error. */
  readonly kp: number;
  /** Force per m/s, in addition to the joint's damping. */
  readonly kv: number;
  /** Maximum force at standstill. */
  readonly forceLimit: number;
  /**
   * Maximum speed without load. It determines the joint's damping: a motor's force falls with its speed because of
   * back-EMF, and is zero at this speed. So the joint approaches a distant target at the robot's real speed.
   */
  readonly speedLimit: number;
}

/** The joint damping that results in `speedLimit`. */
export function dampingOf({ forceLimit, speedLimit }: Servo): number {
  return forceLimit / speedLimit;
}

/**
 * Inertia of the motor through its gears, in kg (or kg m^2), for a light part with strong damping. MuJoCo computes
 * contact forces from the inertia alone, while implicitfast integration also applies the damping. Where damping
 * times time step exceeds the inertia, fingers bounce off the object that they should hold.
 */
export function armatureOf(damping: number): number {
  return 0.005 * damping;
}

/** An actuator for one joint. */
export function jointServo(
  name: string,
  joint: string,
  servo: Servo,
  range: readonly [number, number],
): MjcfElement {
  return position(name, { joint }, servo, range);
}

/** An actuator for several joints through a fixed tendon whose length is the degree of freedom. */
export function tendonServo(
  name: string,
  tendon: string,
  servo: Servo,
  range: readonly [number, number],
): MjcfElement {
  return position(name, { tendon }, servo, range);
}

function position(
  name: string,
  drives: { readonly joint: string } | { readonly tendon: string },
  { kp, kv, forceLimit }: Servo,
  range: readonly [number, number],
): MjcfElement {
  return mjcf("position", {
    name,
    ...drives,
    kp,
    kv,
    forcerange: [-forceLimit, forceLimit],
    ctrlrange: range,
  });
}

/** A stiff equality constraint that keeps two joints equal within a few physics steps, like a belt or gear. */
export function coupled(joint: string, to: string): MjcfElement {
  return mjcf("joint", {
    joint1: joint,
    joint2: to,
    polycoef: [0, 1, 0, 0, 0],
    solref: [0.005, 1],
    solimp: [0.99, 0.999, 0.001],
  });
}
