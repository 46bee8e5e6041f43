import type { Vec3 } from "../../../core/math/vec3.js";
import type { TurnedMesh } from "./turned.js";

/** One geom of an object, in the frame of its bounding box's middle. Sizes are MuJoCo's: halves. */
export interface ShapePart {
  readonly type: "box" | "cylinder" | "capsule" | "mesh";
  /** Absent for meshes. */
  readonly size?: readonly number[];
  readonly position?: Vec3;
  /** Turn about the vertical. */
  readonly yawRad?: number;
  /** Without faces it is the convex hull of its vertices. */
  readonly mesh?: Pick<TurnedMesh, "vertices"> & Partial<TurnedMesh>;
  /** Parts share the object's mass by this; what is only drawn has none. */
  readonly volumeM3: number;
  /** What it is there for. Others' fingers feel `touch`, cameras see `see`. */
  readonly use: "both" | "touch" | "see";
  /** Multiplies the colour: a cap darker than its bottle. */
  readonly shade?: number;
}

/** A kind of object. Adding one is adding one of these. */
export interface Shape {
  /** Where an episode says nothing: bounding box and mass. */
  readonly sizeM: Vec3;
  readonly massKg: number;
  /** What is wrong with a size, if anything. */
  fault(size: Vec3): string | undefined;
  parts(size: Vec3): readonly ShapePart[];
  /** Its outline from above, counter-clockwise, at its widest. */
  outline(size: Vec3): readonly (readonly [x: number, y: number])[];
}

export function roundFault([x, y]: Vec3): string | undefined {
  return Math.abs(x - y) < 1e-6 ? undefined : "it is round: give x and y the same size";
}

/** A ring of points on an ellipse within the box. */
export function ring(count: number, [x, y]: Vec3): [x: number, y: number][] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [(x / 2) * Math.cos(angle), (y / 2) * Math.sin(angle)];
  });
}

export function cylinderVolume(radius: number, height: number): number {
  return Math.PI * radius * radius * height;
}
