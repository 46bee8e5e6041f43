import type { ParallelGripper } from "./parallel-gripper.js";
import type { Servo } from "./servo.js";

/**
 * Stretch's motors. Speeds are the published greatest ones (base 0.3 m/s, lift 0.15, arm 0.4; the lift's a little
 * more without load). Gains settle a small step within half a second without swinging over.
 */
export const BASE_SERVO: Servo = { kp: 12000, kv: 700, forceLimit: 120, speedLimit: 0.3 };
/** On the spot, at the default 0.12 m/s of the wheels, 0.17 m from the middle: the hand may be a metre away. */
export const TURN_SERVO: Servo = { kp: 2500, kv: 80, forceLimit: 40, speedLimit: 0.7 };
export const LIFT_SERVO: Servo = { kp: 9000, kv: 0, forceLimit: 70, speedLimit: 0.17 };
export const ARM_SERVO: Servo = { kp: 3000, kv: 0, forceLimit: 50, speedLimit: 0.4 };
export const WRIST_SERVO: Servo = { kp: 120, kv: 3, forceLimit: 5, speedLimit: 2 };

/** 20 N a finger. */
export const STRETCH_GRIPPER: ParallelGripper = {
  actuator: "joint_gripper",
  joints: ["joint_gripper_finger_left", "joint_gripper_finger_right"],
  range: [0, 0.04],
  servo: { kp: 6000, kv: 0, forceLimit: 40, speedLimit: 0.15 },
};
