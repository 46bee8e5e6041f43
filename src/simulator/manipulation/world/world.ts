import type { QuatWxyz } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { MjcfModel } from "../mjcf/model.js";

/**
 * What a manipulation episode happens in, worked out from the episode alone. MuJoCo's axes: metres, z up,
 * the robot looks along +x of its own frame; quaternions [w, x, y, z].
 */
export interface ManipulationWorld {
  readonly robot: RobotDescriptor;
  /** Where the robot's base stands: x, y in metres, theta in radians. */
  readonly basePose: readonly [x: number, y: number, theta: number];
  /** Of each degree of freedom. */
  readonly joints: readonly number[];
  readonly table: TableSpec | undefined;
  readonly objects: readonly ObjectSpec[];
  readonly fixtures: readonly FixtureSpec[];
  readonly look: LookSpec;
  readonly physics: PhysicsSpec;
  /** The bodies that all of the robot hangs on, where they are not the first of its fragment. */
  readonly robotBodies?: readonly string[];
  /** Files of the user's that are parts of the world. */
  readonly documents?: WorldDocuments | undefined;
}

/** The MJCF files of a world; what the episode says is added to them. */
export interface WorldDocuments {
  /** The surroundings; with the robot in them or without. */
  readonly scene?: MjcfModel | undefined;
  readonly robotInScene?: boolean;
  /** The robot's body, where it is a file. */
  readonly robot?: MjcfModel | undefined;
}

/** A top on legs; objects stand on it. */
export interface TableSpec {
  /** The middle of the top's upper side. */
  readonly position: Vec3;
  readonly yawRad: number;
  /** Length (x), width (y) and thickness of the top. */
  readonly sizeM: Vec3;
}

export interface ObjectSpec {
  /** As goals name it: `cup_red`. */
  readonly name: string;
  readonly shape: ObjectShape;
  /** Of its bounding box: x, y, z. */
  readonly sizeM: Vec3;
  /** The middle of its bounding box. */
  readonly position: Vec3;
  readonly rotation_wxyz: QuatWxyz;
  readonly massKg: number;
  /** Sliding friction. */
  readonly friction: number;
  readonly color: readonly [r: number, g: number, b: number];
  /** Set for a body of the scene's file: where the middle of its bounding box is in the body's frame. */
  readonly middleInBody?: Vec3 | undefined;
  /** Such a body that the episode puts somewhere else than its file does. */
  readonly isMoved?: boolean;
}

export const OBJECT_SHAPES = ["box", "cylinder", "bottle", "cup", "hexagon", "capsule"] as const;
export type ObjectShape = (typeof OBJECT_SHAPES)[number];

/** Something with a part that opens. */
export interface FixtureSpec {
  readonly name: string;
  readonly kind: "drawer" | "door";
  /** The middle of the front, closed. */
  readonly position: Vec3;
  /** About z; 0 has the front look along -x, towards a robot at the origin. */
  readonly yawRad: number;
  /** Depth (x), width (y) and height (z) of the cabinet. */
  readonly sizeM: Vec3;
  /** How far it opens: metres of a drawer, radians of a door. */
  readonly range: number;
  /** How far open it starts, 0 to 1. */
  readonly opened: number;
  readonly damping: number;
  readonly frictionLoss: number;
  /** A part of the scene's file, which goes by the same names. */
  readonly inScene?: boolean;
}

/** Colours, light and camera: what randomisation levels 1 to 3 change. Nothing here touches the physics. */
export interface LookSpec {
  readonly table: readonly [number, number, number];
  readonly floor: readonly [number, number, number];
  readonly wall: readonly [number, number, number];
  /** Added to the head camera: metres along its axes, and degrees of pan and tilt. */
  readonly camera: { readonly offsetM: Vec3; readonly panDeg: number; readonly tiltDeg: number };
  readonly light: { readonly intensity: number; readonly color: readonly [number, number, number] };
}

/** Multiplies what the parts say: the axis of randomisation that belongs to no level. */
export interface PhysicsSpec {
  readonly massScale: number;
  readonly frictionScale: number;
  /** Of the fingers' pads; negative controls set it low. */
  readonly fingerFriction?: number;
  /** Newtons; negative controls set it low. */
  readonly gripperForceN?: number;
}
