import type { QuatWxyz, QuatXyzw } from "../math/rotation.js";
import type { Vec3 } from "../math/vec3.js";
import type { Action } from "./action.js";

/**
 * One line of a trajectory file: the world after `action`. Line 0 is the world after reset, with no
 * action. Metrics see these records and nothing else of the simulator, so a live episode, a recorded
 * one and somebody's submission are scored by the same code.
 *
 * This is a document: its keys are the ones on disk.
 */
export interface StepRecord {
  readonly step: number;
  /** Seconds of simulated time since reset, where the simulator has a clock. */
  readonly time_s?: number;
  readonly action: Action | null;
  readonly state: StepState;
}

/** Every field is optional: a simulator fills what it knows, a metric declares what it needs. */
export interface StepState {
  // Navigation
  readonly position?: Vec3;
  readonly rotation?: QuatXyzw;
  /** Radians, 0 along -z, counter-clockwise. */
  readonly heading?: number;
  /** The viewpoint, on a navigation graph. */
  readonly node?: string;
  /** Metres along the shortest way; Infinity (null on disk) when the goal cannot be reached. */
  readonly distance_to_goal?: number;
  /** The action was blocked, at least in part. */
  readonly collided?: boolean;

  // Manipulation
  readonly qpos?: readonly number[];
  readonly qvel?: readonly number[];
  /** [x, y, z, qw, qx, qy, qz] */
  readonly ee_pose?: readonly number[];
  readonly gripper_state?: number;
  readonly objects?: Readonly<Record<string, { position: Vec3; rotation_wxyz: QuatWxyz }>>;
  /** The parts of the success predicate, so that a viewer can plot each. */
  readonly conditions?: readonly Condition[];
  /** Stages of the task that hold now, by name. */
  readonly stages?: Readonly<Record<string, boolean>>;
  /** The success predicate holds now. */
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
