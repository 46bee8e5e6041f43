import type { Vec3 } from "../math/vec3.js";

/** Says in record 0 how the facts of a trajectory are written. */
export const FACTS_FORMAT = "robot-eval-facts/1";

/**
 * What a simulator measures after a control step for success rules, beside the poses that its state has
 * (`objects`, `ee_pose`). It holds only what the rules ask for. Metres, radians, seconds and newtons in MuJoCo's
 * axes, z up. This is a document: its keys are the ones on disk. Plugins may add keys of their own.
 */
export interface Facts {
  /** Of record 0 only. */
  readonly format?: string;
  /** What does not change, by name; of record 0 only. */
  readonly things?: Readonly<Record<string, ThingFacts>>;
  readonly objects?: Readonly<Record<string, ObjectFacts>>;
  readonly fixtures?: Readonly<Record<string, FixtureFacts>>;
  readonly joints?: Readonly<Record<string, JointFacts>>;
  /** Pairs of objects in contact, of those that were asked for. */
  readonly contacts?: readonly (readonly [string, string])[];
  /** Where the robot's base is. */
  readonly robot?: { readonly position: Vec3 };
  /** By camera: the objects in its picture, of those that were asked for. */
  readonly seen?: Readonly<Record<string, readonly string[]>>;
  /** What a simulator that judges itself says. */
  readonly reported?: ReportedFacts;
  readonly [key: string]: unknown;
}

export interface ThingFacts {
  /** `box`, `cylinder`, ...: an object's. */
  readonly shape?: string;
  /** Of an object's bounding box. */
  readonly size_m?: Vec3;
  /** `drawer` or `door`: a fixture's. */
  readonly kind?: string;
  /** Of a joint: [closed or off, open or on]. */
  readonly range?: readonly [number, number];
}

export interface ObjectFacts {
  readonly speed_mps?: number;
  readonly turn_radps?: number;
  /** With which each finger presses. */
  readonly fingers_n?: FingerForces;
  /** Any part of the robot is in contact with it, fingers included. */
  readonly robot_touches?: boolean;
}

export interface FixtureFacts {
  /** 0 closed, 1 open. */
  readonly opened?: number;
  /** Of its joint, above 0 where it opens. */
  readonly speed?: number;
  readonly fingers_n?: FingerForces;
  /** From the end effector to its handle. */
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
