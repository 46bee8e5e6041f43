import type { QuatWxyz } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { ApartmentWorld } from "../apartment/apartment-world.js";
import type { MjcfModel } from "../mjcf/model.js";

/**
 * The world of a manipulation episode. MuJoCo's axes: metres, z up, the robot faces +x of its own frame; quaternions
 * are [w, x, y, z].
 */
export interface ManipulationWorld {
  readonly robot: RobotDescriptor;
  /** Pose of the robot's base: x, y in metres, theta in radians. */
  readonly basePose: readonly [x: number, y: number, theta: number];
  /** Initial value of each degree of freedom. */
  readonly joints: readonly number[];
  readonly table: TableSpec | undefined;
  readonly objects: readonly ObjectSpec[];
  readonly fixtures: readonly FixtureSpec[];
  readonly look: LookSpec;
  readonly physics: PhysicsSpec;
  /** Topmost bodies of the robot; by default the first body of its fragment. */
  readonly robotBodies?: readonly string[];
  /** Users' files that are part of the world. */
  readonly documents?: WorldDocuments | undefined;
  /** The apartment in which the robot drives; it replaces the table and the floor. */
  readonly apartment?: ApartmentWorld | undefined;
}

/** The MJCF files of a world, to which the episode's contents are added. */
export interface WorldDocuments {
  /** The scene, with or without the robot. */
  readonly scene?: MjcfModel | undefined;
  readonly robotInScene?: boolean;
  /** The robot's model, if it is a file. */
  readonly robot?: MjcfModel | undefined;
}

/** A table with four legs. */
export interface TableSpec {
  /** Centre of the top's upper side. */
  readonly position: Vec3;
  readonly yawRad: number;
  /** Length (x), width (y) and thickness of the top. */
  readonly sizeM: Vec3;
}

export interface ObjectSpec {
  /** As in goals, for example `cup_red`. */
  readonly name: string;
  readonly shape: ObjectShape;
  /** A model of the catalogue, `mug/3`, whose shape it has instead of `shape`. */
  readonly model?: string | undefined;
  /** Size of its bounding box. */
  readonly sizeM: Vec3;
  /** Centre of its bounding box. */
  readonly position: Vec3;
  readonly rotation_wxyz: QuatWxyz;
  readonly massKg: number;
  /** Sliding friction. */
  readonly friction: number;
  readonly color: readonly [r: number, g: number, b: number];
  /** Only for bodies of the scene file: centre of the bounding box in the body's frame. */
  readonly centreInBody?: Vec3 | undefined;
  /** Whether the episode moves a body of the scene file. */
  readonly isMoved?: boolean;
}

export const OBJECT_SHAPES = ["box", "cylinder", "bottle", "cup", "hexagon", "capsule"] as const;
export type ObjectShape = (typeof OBJECT_SHAPES)[number];

/** A cabinet with a drawer or door. */
export interface FixtureSpec {
  readonly name: string;
  readonly kind: "drawer" | "door";
  /** Centre of the closed front. */
  readonly position: Vec3;
  /** Rotation about z; at 0 the front faces -x. */
  readonly yawRad: number;
  /** Depth (x), width (y) and height (z) of the cabinet. */
  readonly sizeM: Vec3;
  /** How far it opens: metres (drawer) or radians (door). */
  readonly range: number;
  /** Initial opening, 0 to 1. */
  readonly opened: number;
  readonly damping: number;
  readonly frictionLoss: number;
  /** Whether it is part of the scene file, found by its element names. */
  readonly inScene?: boolean;
  /** The furniture of an apartment that it is a part of, which replaces the cabinet. */
  readonly furniture?: string;
  /** Of the front and the tray. */
  readonly color?: readonly [r: number, g: number, b: number];
}

/** Whether a fixture is a part of something that an episode cannot move. */
export function isBuiltIn({ inScene, furniture }: FixtureSpec): boolean {
  return inScene === true || furniture !== undefined;
}

/** Colours, light and camera, which randomisation levels 1 to 3 change. Without effect on the physics. */
export interface LookSpec {
  readonly table: readonly [number, number, number];
  readonly floor: readonly [number, number, number];
  readonly wall: readonly [number, number, number];
  /** Offset of the head camera: metres along its axes, and degrees of pan and tilt. */
  readonly camera: { readonly offsetM: Vec3; readonly panDeg: number; readonly tiltDeg: number };
  readonly light: { readonly intensity: number; readonly color: readonly [number, number, number] };
}

/** Changes of masses, friction and the gripper. */
export interface PhysicsSpec {
  readonly massScale: number;
  readonly frictionScale: number;
  /** Friction of the finger pads; set low by negative controls, in which a grasp must fail. */
  readonly fingerFriction?: number;
  /** Newtons; set low by negative controls. */
  readonly gripperForceN?: number;
}
