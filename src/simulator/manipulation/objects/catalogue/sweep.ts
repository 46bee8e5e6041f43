import { cross, type Vec3 } from "../../../../core/math/vec3.js";
import type { RevolvedMesh } from "../revolve.js";

/** The closed surface of a round bar along a path in the plane y = 0. */
export function swept(path: readonly Vec3[], radius: number, sides: number): RevolvedMesh {
  const vertices: Vec3[] = [];
  const faces: [number, number, number][] = [];
  for (const [i, [x, y, z]] of path.entries()) {
    const [before, after] = [path[i - 1] ?? [x, y, z], path[i + 1] ?? [x, y, z]];
    const along = unit([after[0] - before[0], 0, after[2] - before[2]]);
    const aside: Vec3 = [0, 1, 0];
    const out = cross(along, aside);
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      vertices.push([x + c * out[0], y + s, z + c * out[2]]);
    }
  }
  const rows = path.length;
  for (let i = 0; i + 1 < rows; i++) {
    for (let k = 0; k < sides; k++) {
      const [a, b] = [i * sides + k, i * sides + ((k + 1) % sides)];
      faces.push([a, b, b + sides], [a, b + sides, a + sides]);
    }
  }
  for (let k = 1; k + 1 < sides; k++) {
    const last = (rows - 1) * sides;
    faces.push([0, k + 1, k], [last, last + k, last + k + 1]);
  }
  return { vertices, faces };
}

function unit([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
