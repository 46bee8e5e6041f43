import type { ParallelGripper } from "./parallel-gripper.js";
import type { Servo } from "./servo.js";

export interface PandaAxis {
  readonly joint: string;
  readonly limits: readonly [low: number, high: number];
  readonly servo: Servo;
  /** Mass in kg of the link that this axis moves; approximately the published value. */
  readonly massKg: number;
  /** Denavit-Hartenberg parameters in Craig's convention (franka.de): a and alpha before the axis, d along it. */
  readonly aM: number;
  /** Rotation about x in units of 90°. */
  readonly alpha: -1 | 0 | 1;
  readonly dM: number;
}

/** Published torque and speed limits: 87 N m and 2.175 rad/s; 12 N m and 2.61 rad/s. */
const SHOULDER: Servo = { kp: 6000, kv: 300, forceLimit: 87, speedLimit: 2.175 };
const ELBOW: Servo = { kp: 4000, kv: 150, forceLimit: 87, speedLimit: 2.175 };
const WRIST: Servo = { kp: 1000, kv: 25, forceLimit: 12, speedLimit: 2.61 };

function axis(
  number: number,
  limits: readonly [number, number],
  servo: Servo,
  massKg: number,
  [aM, alpha, dM]: readonly [number, -1 | 0 | 1, number],
): PandaAxis {
  return { joint: `panda_joint${number}`, limits, servo, massKg, aM, alpha, dM };
}

export const PANDA_AXES: readonly PandaAxis[] = [
  axis(1, [-2.8973, 2.8973], SHOULDER, 4.97, [0, 0, 0.333]),
  axis(2, [-1.7628, 1.7628], SHOULDER, 0.65, [0, -1, 0]),
  axis(3, [-2.8973, 2.8973], ELBOW, 3.23, [0, 1, 0.316]),
  axis(4, [-3.0718, -0.0698], ELBOW, 3.59, [0.0825, 1, 0]),
  axis(5, [-2.8973, 2.8973], WRIST, 1.23, [-0.0825, -1, 0.384]),
  axis(6, [-0.0175, 3.7525], WRIST, 1.67, [0, 1, 0]),
  axis(7, [-2.8973, 2.8973], WRIST, 0.74, [0.088, 1, 0]),
];

/** Distance from the last axis to the flange. */
export const PANDA_FLANGE_M = 0.107;

/** The Franka hand: 50 mm/s per finger, and 30 N per finger of the possible 70 N. */
export const PANDA_GRIPPER: ParallelGripper = {
  actuator: "panda_gripper",
  joints: ["panda_finger_joint1", "panda_finger_joint2"],
  range: [0, 0.04],
  servo: { kp: 24000, kv: 0, forceLimit: 60, speedLimit: 0.05 },
};
