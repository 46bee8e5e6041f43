import { type MjcfElement, mjcf } from "../core/mjcf/element.js";

/** A motor that brings its joint to a position and holds it there. Newtons and metres, or their turning kin. */
export interface Servo {
  /** Force a metre of error. */
  readonly kp: number;
  /** Force a metre a second, beside the joint's own damping. */
  readonly kv: number;
  /** At standstill. */
  readonly forceLimit: number;
  /**
   * With no load. Becomes the joint's damping: a motor's force falls with its speed (its own voltage works
   * against it), and is spent at this one. So a far target is approached at the robot's real speed.
   */
  readonly speedLimit: number;
}

/** The joint's damping that makes `speedLimit` true. */
export function dampingOf({ forceLimit, speedLimit }: Servo): number {
  return forceLimit / speedLimit;
}

/**
 * The motor's own inertia behind its gears, in kilograms (or kg m^2), for a light part with strong damping. A
 * contact's force is worked out from the inertia alone, while the step that follows is held back by the damping
 * too (implicitfast): where damping times step is the greater, fingers bounce off what they should hold.
 */
export function armatureOf(damping: number): number {
  return 0.005 * damping;
}

/** Of one joint. */
export function jointServo(
  name: string,
  joint: string,
  servo: Servo,
  range: readonly [number, number],
): MjcfElement {
  return position(name, { joint }, servo, range);
}

/** Of several joints at once, through a fixed tendon whose length is the degree of freedom. */
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

/** Keeps one joint equal to another, as a belt or a gear does: stiff, within a few physics steps. */
export function coupled(joint: string, to: string): MjcfElement {
  return mjcf("joint", {
    joint1: joint,
    joint2: to,
    polycoef: [0, 1, 0, 0, 0],
    solref: [0.005, 1],
    solimp: [0.99, 0.999, 0.001],
  });
}
