import type { QuatWxyz } from "../math/rotation.js";
import type { Vec3 } from "../math/vec3.js";

/** A pose in MuJoCo's axes: metres, z up. */
export interface Pose3 {
  readonly position: Vec3;
  readonly rotation_wxyz: QuatWxyz;
}

/** The true state of a manipulation simulator, for privileged agents (expert). */
export interface ManipulationView {
  /** The position of each degree of freedom. */
  joints(): readonly number[];
  /** The limits of each degree of freedom. */
  readonly limits: readonly (readonly [low: number, high: number])[];
  /** Index of the gripper in `joints()`; undefined for a robot without a gripper, as is `gripper`. */
  readonly gripperDof: number | undefined;
  readonly gripper: ViewGripper | undefined;
  endEffector(): Pose3;
  /**
   * The frame in which `base_x`, `base_y` and `base_theta` of a base with such degrees of freedom move: metres and radians. Absent where
   * the simulator does not know it.
   */
  readonly basePose?: readonly [x: number, y: number, theta: number] | undefined;
  /** The base of a robot that drives. */
  readonly base?: ViewBase | undefined;
  /** The force of each finger on an object, in newtons. */
  fingerForces(object: string): readonly [number, number];
  objects(): readonly ViewObject[];
  fixtures(): readonly ViewFixture[];
  /** The episode's goals. */
  readonly goals: Readonly<Record<string, unknown>>;
  /**
   * Solves inverse kinematics: the degrees of freedom, within the limits and close to `from`, that bring the end
   * effector to a pose; undefined if it cannot be reached within `toleranceM` (default 5 mm). The gripper stays
   * as in `from`. With `axis: "x"` only the direction of the fingers matters, not the rotation about it.
   */
  solveIk(target: Pose3, options?: IkOptions): readonly number[] | undefined;
  /** The apartment around a robot that drives. */
  readonly place?: ViewPlace | undefined;
}

/** The view of a robot with a gripper. */
export interface GripperView extends ManipulationView {
  readonly gripperDof: number;
  readonly gripper: ViewGripper;
}

export function hasGripper(view: ManipulationView): view is GripperView {
  return view.gripper !== undefined && view.gripperDof !== undefined;
}

interface ViewGripper {
  /** Value of its degree of freedom when open. */
  readonly open: number;
  readonly closed: number;
  /** Distance between the pads when open. */
  readonly openingM: number;
}

export interface ViewBase {
  /** In the world: metres and radians in (-pi, pi]. */
  pose(): readonly [x: number, y: number, theta: number];
  /** Lengths of the named actions. */
  readonly forwardStepM: number;
  readonly turnRad: number;
  /** Whether the action vector ends with the base's speed ahead (m/s) and turning rate (rad/s). */
  readonly velocity: boolean;
  /** Forward kinematics: the end effector with these degrees of freedom, in world axes relative to the base. */
  handAt(joints: readonly number[]): Pose3;
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
  /** Its model in the catalogue of objects, `mug/3`; undefined if it is a plain shape. */
  readonly model?: string | undefined;
  /** Size of its bounding box. */
  readonly sizeM: Vec3;
  /** How two fingers hold it, if known. */
  readonly grasp?: ViewGrasp | undefined;
}

/** How two fingers hold an object. In its own axes, relative to the centre of its bounding box. */
interface ViewGrasp {
  /** `sides`: the fingers close around all of it. `rim`: one finger is inside of it, one outside. */
  readonly kind: "sides" | "rim";
  /** The point between the fingers; of a rim the point at yaw 0, about the object's middle. */
  readonly at: Vec3;
  /** What the fingers close on. */
  readonly widthM: number;
  /** Directions in which the fingers may close, as yaw of the line between them; absent if all are the same. */
  readonly closingYawsRad?: readonly number[] | undefined;
}

/** Furniture and floor of an apartment, in MuJoCo's axes. */
export interface ViewPlace {
  /** A drawer's surface is the part that its furniture does not cover now; it has none while it is closed. */
  readonly receptacles: readonly ViewReceptacle[];
  /** The same object in all episodes of an apartment. */
  readonly floor: ViewFloor;
  /** Whether nothing that can be touched, the robot included, is on the straight line between two points. */
  isClear(from: Vec3, to: Vec3): boolean;
}

interface ViewFloor {
  /** Around all places where the base can stand. */
  readonly box: readonly [minX: number, minY: number, maxX: number, maxY: number];
  /** Whether the base can stand there, in any direction. */
  isFree(x: number, y: number): boolean;
}

export interface ViewReceptacle {
  readonly name: string;
  readonly surfaces: readonly ViewSurface[];
}

/** A level rectangle on which objects can be put. */
export interface ViewSurface {
  /** Middle of its upper side. */
  readonly centre: Vec3;
  /** Rotation about z of its sides. */
  readonly yawRad: number;
  readonly sizeM: readonly [x: number, y: number];
  /** Free height above it. */
  readonly clearanceM: number;
  /** Height above it of what surrounds it, such as the front of a drawer; absent if it is open to all sides. */
  readonly rimM?: number;
}

export interface ViewFixture {
  readonly name: string;
  readonly kind: "drawer" | "door";
  /** 0 closed, 1 open. */
  readonly opened: number;
  /** Metres or radians from closed to open. */
  readonly range: number;
  /** Grasp pose of the handle: x is the approach direction of the fingers. */
  readonly handle: Pose3;
  /** The handle's pose when the fixture is open by this fraction. */
  handleAt(opened: number): Pose3;
}
