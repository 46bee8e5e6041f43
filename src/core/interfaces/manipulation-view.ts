import type { QuatWxyz } from "../math/rotation.js";
import type { Vec3 } from "../math/vec3.js";

/** A pose in MuJoCo's axes: metres, z up. */
export interface Pose3 {
  readonly position: Vec3;
  readonly rotation_wxyz: QuatWxyz;
}

/** The true state of a manipulation world, for agents that are allowed to cheat (expert). */
export interface ManipulationView {
  /** Of each degree of freedom: where it is, and where it may go. */
  joints(): readonly number[];
  readonly limits: readonly (readonly [low: number, high: number])[];
  readonly gripperDof: number;
  readonly gripper: { readonly open: number; readonly closed: number; readonly openingM: number };
  endEffector(): Pose3;
  /** Newtons with which each finger presses on an object. */
  fingerForces(object: string): readonly [number, number];
  objects(): readonly ViewObject[];
  fixtures(): readonly ViewFixture[];
  /** As the episode has them. */
  readonly goals: Readonly<Record<string, unknown>>;
  /**
   * The degrees of freedom that bring the end effector to a pose, as near to `from` as possible, within the
   * limits; undefined where it cannot be reached to `toleranceM` (default 5 mm). The gripper stays as in
   * `from`. With `axis: "x"` only the direction of the fingers counts, and not the turn about it.
   */
  solveIk(target: Pose3, options?: IkOptions): readonly number[] | undefined;
}

export interface IkOptions {
  readonly from?: readonly number[];
  readonly axis?: "all" | "x" | "none";
  readonly toleranceM?: number;
  readonly toleranceRad?: number;
}

export interface ViewObject extends Pose3 {
  readonly name: string;
  readonly shape: string;
  /** Of its bounding box. */
  readonly sizeM: Vec3;
}

export interface ViewFixture {
  readonly name: string;
  readonly kind: "drawer" | "door";
  /** 0 closed, 1 open. */
  readonly opened: number;
  /** Metres or radians from closed to open. */
  readonly range: number;
  /** Where to take hold: x along the way fingers reach in. */
  readonly handle: Pose3;
  /** Where the handle will be at a share of opening. */
  handleAt(opened: number): Pose3;
}
