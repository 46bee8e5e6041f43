import type { Vec3 } from "../../../core/math/vec3.js";
import type { RevolvedMesh } from "./revolve.js";

/** 0 to 1 each. */
export type Rgb = readonly [r: number, g: number, b: number];

/** One geom of an object, relative to the centre of its bounding box. Sizes are half sizes, as in MuJoCo. */
export interface ShapePart {
  readonly type: "box" | "sphere" | "cylinder" | "capsule" | "mesh";
  /** Absent for meshes. */
  readonly size?: readonly number[];
  readonly position?: Vec3;
  /** Rotation about the vertical axis. */
  readonly yawRad?: number;
  /** Rotation about its own y axis, before the yaw: positive leans its upper end outwards, to +x. */
  readonly tiltRad?: number;
  /** Without faces, the convex hull of its vertices. */
  readonly mesh?: Pick<RevolvedMesh, "vertices"> & Partial<RevolvedMesh>;
  /** The object's mass is distributed by volume; 0 for visual geoms. */
  readonly volumeM3: number;
  /** Collision shape (`touch`), visual shape (`see`), or both. */
  readonly use: "both" | "touch" | "see";
  /** Factor on the colour. */
  readonly shade?: number;
  /** A colour of its own instead of the object's: a label, a cap. */
  readonly rgb?: Rgb;
  /** Rolling friction of a ball, which would roll off its table without; see MuJoCo's `geom/friction`. */
  readonly rollingM?: number;
}

/** A kind of object. */
export interface Shape {
  /** Default bounding box and mass. */
  readonly sizeM: Vec3;
  readonly massKg: number;
  /** Why a size is invalid; undefined if it is valid. */
  fault(size: Vec3): string | undefined;
  parts(size: Vec3): readonly ShapePart[];
  /** Its widest outline seen from above, counter-clockwise. */
  outline(size: Vec3): readonly (readonly [x: number, y: number])[];
}

export function roundFault([x, y]: Vec3): string | undefined {
  return Math.abs(x - y) < 1e-6 ? undefined : "it is round: x and y must be equal";
}

/** Points on the ellipse inside the box. */
export function ring(count: number, [x, y]: Vec3): [x: number, y: number][] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [(x / 2) * Math.cos(angle), (y / 2) * Math.sin(angle)];
  });
}

export function cylinderVolume(radius: number, height: number): number {
  return Math.PI * radius * radius * height;
}
