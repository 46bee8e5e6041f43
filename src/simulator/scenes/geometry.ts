import type { Vec3 } from "../../core/math/vec3.js";
import type { Geometry } from "../navmesh/build.js";
import { mirrors, transformInto } from "./gltf/transform.js";
import type { SceneModel, ScenePart } from "./model.js";

export interface Bounds {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Every solid triangle in world coordinates: the input of the navmesh builder. */
export function solidGeometry(model: Pick<SceneModel, "parts">): Geometry {
  const solid = model.parts.filter((part) => part.solid !== false);
  const total = (list: "positions" | "indices") =>
    solid.reduce((sum, { mesh }) => sum + mesh[list].length, 0);
  const positions = new Float32Array(total("positions"));
  const indices = new Uint32Array(total("indices"));
  let floats = 0;
  let corners = 0;
  for (const { mesh, transform } of solid) {
    transformInto(positions, floats, mesh.positions, transform);
    const first = floats / 3;
    // A mirroring transform flips triangles, and Recast distinguishes floors from ceilings by their facing.
    const flip = transform !== undefined && mirrors(transform) ? [0, 1, -1] : [0, 0, 0];
    for (let i = 0; i < mesh.indices.length; i++) {
      indices[corners + i + (flip[i % 3] as number)] = first + (mesh.indices[i] as number);
    }
    floats += mesh.positions.length;
    corners += mesh.indices.length;
  }
  return { positions, indices };
}

/** Bounds of the parts in world coordinates; the origin if there are no parts. */
export function boundsOf(parts: readonly ScenePart[]): Bounds {
  return pointBounds(parts.map(worldPositions));
}

/** The positions of a part's vertices in world coordinates. */
export function worldPositions({ mesh, transform }: ScenePart): Float32Array {
  const placed = new Float32Array(mesh.positions.length);
  transformInto(placed, 0, mesh.positions, transform);
  return placed;
}

/** Bounds of points given as x, y, z, ...; the origin if there are none. */
export function pointBounds(lists: readonly Float32Array[]): Bounds {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const points of lists) {
    for (let i = 0; i < points.length; i++) {
      const axis = i % 3;
      const value = points[i] as number;
      if (value < (min[axis] as number)) min[axis] = value;
      if (value > (max[axis] as number)) max[axis] = value;
    }
  }
  return min[0] === Infinity
    ? { min: [0, 0, 0], max: [0, 0, 0] }
    : { min: vec(min), max: vec(max) };
}

/** Whether a point lies inside a simple polygon, convex or not. */
export function isInside(
  corners: readonly (readonly [x: number, z: number])[],
  x: number,
  z: number,
): boolean {
  let odd = false;
  let [bx, bz] = corners.at(-1) ?? [0, 0];
  for (const [ax, az] of corners) {
    if (az > z !== bz > z && x < ax + ((z - az) * (bx - ax)) / (bz - az)) odd = !odd;
    [bx, bz] = [ax, az];
  }
  return odd;
}

export function joinBounds(a: Bounds, b: Bounds): Bounds {
  return {
    min: vec(a.min.map((value, i) => Math.min(value, b.min[i] as number))),
    max: vec(a.max.map((value, i) => Math.max(value, b.max[i] as number))),
  };
}

function vec([x = 0, y = 0, z = 0]: readonly number[]): Vec3 {
  return [x, y, z];
}
