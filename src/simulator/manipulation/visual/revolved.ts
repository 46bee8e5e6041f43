import type { TriangleMesh } from "../../scenes/model.js";
import type { Repeat } from "./primitives.js";

/** Points of an outline from the bottom up. With normals it is shaded smoothly, without with edges. */
export type Profile = readonly {
  readonly radius: number;
  readonly z: number;
  /** Unit vector. */
  readonly normal?: readonly [out: number, up: number];
}[];

const SEGMENTS = 24;

/** Surface of revolution about z. Textures run once around and from top to bottom. */
export function revolved(profile: Profile, repeat: Repeat): TriangleMesh {
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  const heights = profile.map(({ z }) => z);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const widest = Math.max(...profile.map(({ radius }) => radius));
  const around = repeat.uniform ? 2 * Math.PI * widest * repeat.u : repeat.u;
  const along = repeat.uniform ? (high - low) * repeat.v : repeat.v;

  const ring = (radius: number, z: number, [out, up]: readonly [number, number]): number => {
    const first = positions.length / 3;
    for (let s = 0; s <= SEGMENTS; s++) {
      const angle = (2 * Math.PI * (s % SEGMENTS)) / SEGMENTS;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      positions.push(radius * x, radius * y, z);
      normals.push(out * x, out * y, up);
      uvs.push((around * s) / SEGMENTS, ((high - z) / (high - low || 1)) * along);
    }
    return first;
  };

  for (const [i, upper] of profile.slice(1).entries()) {
    const lower = profile[i] ?? upper;
    const [dr, dz] = [upper.radius - lower.radius, upper.z - lower.z];
    const size = Math.sqrt(dr * dr + dz * dz);
    if (size === 0) continue;
    const flat = [dz / size, (0 - dr) / size] as const;
    const a = ring(lower.radius, lower.z, lower.normal ?? flat);
    const b = ring(upper.radius, upper.z, upper.normal ?? flat);
    for (let s = 0; s < SEGMENTS; s++) {
      if (lower.radius > 0) indices.push(a + s, a + s + 1, b + s + 1);
      if (upper.radius > 0) indices.push(a + s, b + s + 1, b + s);
    }
  }
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    normals: Float32Array.from(normals),
    uvs: Float32Array.from(uvs),
  };
}
