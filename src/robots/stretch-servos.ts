import type { ParallelGripper } from "./parallel-gripper.js";
import type { Servo } from "./servo.js";

/**
 * Stretch's motors. Speeds are the published maxima (base 0.3 m/s, lift 0.15 m/s, arm 0.4 m/s; the lift is slightly
 * faster without load). With these gains a small step settles within 0.5 s without overshoot.
 */
export const BASE_SERVO: Servo = { kp: 12000, kv: 700, forceLimit: 120, speedLimit: 0.3 };
/** Turning in place at the default wheel speed of 0.12 m/s, 0.17 m from the centre. The hand may be 1 m away. */
export const TURN_SERVO: Servo = { kp: 2500, kv: 80, forceLimit: 40, speedLimit: 0.7 };
export const LIFT_SERVO: Servo = { kp: 9000, kv: 0, forceLimit: 70, speedLimit: 0.17 };
export const ARM_SERVO: Servo = { kp: 3000, kv: 0, forceLimit: 50, speedLimit: 0.4 };
export const WRIST_SERVO: Servo = { kp: 120, kv: 3, forceLimit: 5, speedLimit: 2 };

/** 20 N per finger. */
export const STRETCH_GRIPPER: ParallelGripper = {
  actuator: "joint_gripper",
  joints: ["joint_gripper_finger_left", "joint_gripper_finger_right"],
  range: [0, 0.04],
  servo: { kp: 6000, kv: 0, forceLimit: 40, speedLimit: 0.15 },
};

/** Stretch 3's head turns at 3 rad/s by default (stretch_body, robot_params_SE3.py). */
export const HEAD_SERVO: Servo = { kp: 40, kv: 1, forceLimit: 3, speedLimit: 3 };
