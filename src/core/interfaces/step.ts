import type { QuatWxyz, QuatXyzw } from "../math/rotation.js";
import type { Vec3 } from "../math/vec3.js";
import type { Facts } from "../rules/facts.js";
import type { Action } from "./action.js";

/**
 * One line of a trajectory file: the state after `action`. Line 0 is the state after reset, with no
 * action. Metrics read only these records, so live episodes, recorded ones and submissions are scored by
 * the same code.
 *
 * Its keys are the ones on disk.
 */
export interface StepRecord {
  readonly step: number;
  /** Seconds of simulated time since reset, if the simulator has a clock. */
  readonly time_s?: number;
  readonly action: Action | null;
  /** The action of the previous record goes on: the policy was not asked. */
  readonly continued?: true;
  readonly state: StepState;
  /** The facts that the success rule read; not part of the state's hash. */
  readonly facts?: Facts;
}

/** Every field is optional: a simulator fills in what it has, a metric declares what it needs. */
export interface StepState {
  // Navigation
  readonly position?: Vec3;
  readonly rotation?: QuatXyzw;
  /** Radians, 0 along -z, counter-clockwise. */
  readonly heading?: number;
  /** The current node of a navigation graph. */
  readonly node?: string;
  /** Metres along the shortest path; Infinity (null on disk) when the goal cannot be reached. */
  readonly distance_to_goal?: number;
  /** The action was blocked, completely or partly. */
  readonly collided?: boolean;

  // Manipulation
  readonly qpos?: readonly number[];
  readonly qvel?: readonly number[];
  /** [x, y, z, qw, qx, qy, qz] */
  readonly ee_pose?: readonly number[];
  /** Opening of the gripper from 0 (closed) to 1 (open); a remote simulator may use another unit. */
  readonly gripper_state?: number;
  readonly objects?: Readonly<Record<string, { position: Vec3; rotation_wxyz: QuatWxyz }>>;
  /** Pose of a base that drives: metres in MuJoCo's axes, and radians. */
  readonly base_pose?: readonly [x: number, y: number, theta: number];
  /** Newtons with which the robot presses on what is fixed to the ground, except the floor. */
  readonly collision_n?: number;
  /** The conditions of the success rule, which the viewer plots separately. */
  readonly conditions?: readonly Condition[];
  /** Stages of the task that hold now, by name. */
  readonly stages?: Readonly<Record<string, boolean>>;
  /** The success rule holds now. */
  readonly success?: boolean;
  /** The simulation can no longer be trusted (diverged physics, lost robot). */
  readonly error?: string | boolean;

  /** A plugin's own fields. */
  readonly [key: string]: unknown;
}

export interface Condition {
  readonly name: string;
  readonly value: number;
  readonly threshold: number;
  readonly holds: boolean;
}
