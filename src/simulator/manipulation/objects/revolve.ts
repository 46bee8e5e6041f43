import type { Vec3 } from "../../../core/math/vec3.js";

/** A closed surface, for MuJoCo's inline meshes. */
export interface RevolvedMesh {
  readonly vertices: readonly Vec3[];
  /** Counter-clockwise seen from outside. */
  readonly faces: readonly (readonly [number, number, number])[];
}

/**
 * The surface of revolution of a profile about z. The profile runs from the axis (radius 0) up the outside and back to
 * the axis, so that the surface is closed.
 */
export function revolve(
  profile: readonly (readonly [radius: number, z: number])[],
  segments: number,
): RevolvedMesh {
  const vertices: Vec3[] = [];
  const faces: [number, number, number][] = [];
  const rings = profile.map(([radius, z]) => {
    const start = vertices.length;
    const count = radius === 0 ? 1 : segments;
    for (let i = 0; i < count; i++) {
      const angle = (2 * Math.PI * i) / segments;
      vertices.push([radius * Math.cos(angle), radius * Math.sin(angle), z]);
    }
    return (i: number) => start + (count === 1 ? 0 : i % segments);
  });
  for (let row = 0; row + 1 < rings.length; row++) {
    const low = rings[row] as (i: number) => number;
    const high = rings[row + 1] as (i: number) => number;
    for (let i = 0; i < segments; i++) {
      const corners = [low(i), low(i + 1), high(i + 1), high(i)] as const;
      if (corners[0] !== corners[1]) faces.push([corners[0], corners[1], corners[2]]);
      if (corners[2] !== corners[3]) faces.push([corners[0], corners[2], corners[3]]);
    }
  }
  return { vertices, faces };
}
