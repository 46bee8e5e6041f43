import type { Vec3 } from "../math/vec3.js";

/** Format of the facts, stored in record 0 of a trajectory. */
export const FACTS_FORMAT = "robot-eval-facts/1";

/**
 * Measurements of a simulator after a control step, for success rules, in addition to the poses in its state (`objects`,
 * `ee_pose`). Only facts that the rules need are recorded. Metres, radians, seconds and newtons in MuJoCo's axes (z up).
 * Keys are those on disk; plugins may add their own.
 */
export interface Facts {
  /** In record 0 only. */
  readonly format?: string;
  /** Constant facts by name; in record 0 only. */
  readonly things?: Readonly<Record<string, ThingFacts>>;
  readonly objects?: Readonly<Record<string, ObjectFacts>>;
  readonly fixtures?: Readonly<Record<string, FixtureFacts>>;
  readonly joints?: Readonly<Record<string, JointFacts>>;
  /** Requested pairs of objects that are in contact. */
  readonly contacts?: readonly (readonly [string, string])[];
  /** Position of the robot's base. */
  readonly robot?: { readonly position: Vec3 };
  /** By camera: requested objects in its image. */
  readonly seen?: Readonly<Record<string, readonly string[]>>;
  /** Success and flags of a simulator that reports them itself. */
  readonly reported?: ReportedFacts;
  readonly [key: string]: unknown;
}

export interface ThingFacts {
  /** Of an object: `box`, `cylinder`, ... */
  readonly shape?: string;
  /** Of an object's bounding box. */
  readonly size_m?: Vec3;
  /** Of a fixture: `drawer` or `door`. */
  readonly kind?: string;
  /** Of a joint: [closed or off, open or on]. */
  readonly range?: readonly [number, number];
}

export interface ObjectFacts {
  readonly speed_mps?: number;
  readonly turn_radps?: number;
  /** Force of each finger on it. */
  readonly fingers_n?: FingerForces;
  /** Whether any part of the robot, including fingers, is in contact with it. */
  readonly robot_touches?: boolean;
}

export interface FixtureFacts {
  /** 0 closed, 1 open. */
  readonly opened?: number;
  /** Of its joint; positive while it opens. */
  readonly speed?: number;
  readonly fingers_n?: FingerForces;
  /** Distance of the end effector from its handle. */
  readonly reach_m?: number;
}

interface JointFacts {
  readonly position: number;
}

export type FingerForces = readonly [number, number];

export const FLAGS = ["object_grasped", "object_lifted", "object_placed"] as const;
export type FlagName = (typeof FLAGS)[number];

export type ReportedFacts = { readonly success?: boolean } & {
  readonly [flag in FlagName]?: boolean;
};
