import type { QuatWxyz } from "../math/rotation.js";
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
  /** The requested objects in each camera's image, keyed by camera. */
  readonly seen?: Readonly<Record<string, readonly string[]>>;
  /** How much of each object a camera sees, keyed by camera and object. */
  readonly views?: Readonly<Record<string, Readonly<Record<string, ViewFacts>>>>;
  /** Sum of the normal forces between the robot and everything fixed to the ground but the floor. */
  readonly collision_n?: number;
  /** Success and flags of a simulator that reports them itself. */
  readonly reported?: ReportedFacts;
  readonly [key: string]: unknown;
}

export interface ThingFacts {
  /** Shape of an object: `box`, `cylinder`, ... */
  readonly shape?: string;
  /** Size of an object's bounding box. */
  readonly size_m?: Vec3;
  /** Centre of the bounding box of a body that cannot move, such as a table. */
  readonly position?: Vec3;
  /** Rotation of that bounding box. */
  readonly rotation_wxyz?: QuatWxyz;
  /** Kind of a fixture: `drawer` or `door`. */
  readonly kind?: string;
  /** Positions of a joint: [closed or off, open or on]. */
  readonly range?: readonly [number, number];
}

export interface ObjectFacts {
  readonly speed_mps?: number;
  readonly turn_radps?: number;
  /** Force of each finger on it. */
  readonly fingers_n?: FingerForces;
  /** Whether each finger is in contact with it, with any force. */
  readonly fingers_touch?: readonly [boolean, boolean];
  /** Whether any part of the robot, including fingers, is in contact with it. */
  readonly robot_touches?: boolean;
  /**
   * What it touches other than the robot, by name, with the vertical component of the contact's normal towards it: 1
   * where it stands on that thing, 0 where it leans against it, negative where it hangs below.
   */
  readonly touches?: Readonly<Record<string, number>>;
}

/** How much a camera sees of an object's surface that faces it; what other things hide does not count. */
export interface ViewFacts {
  /** Share of that surface, weighted by its solid angle, that is in the image. */
  readonly share: number;
  /** Share of the image that the object fills. */
  readonly image_share: number;
}

export interface FixtureFacts {
  /** 0 closed, 1 open. */
  readonly opened?: number;
  /** Speed of the fixture's joint; positive while it opens. */
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
