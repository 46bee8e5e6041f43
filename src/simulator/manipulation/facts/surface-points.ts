import { cross, dot, scale, subtract, type Vec3 } from "../../../core/math/vec3.js";
import type { TriangleMesh } from "../../scenes/model.js";
import type { PhysicsGeom } from "../visual/geom.js";
import { meshOfGeom } from "../visual/surface.js";

/** A point of a body's surface that represents a part of it. */
export interface SurfacePoint {
  /** Index of its geom, in whose frame point and normal are. */
  readonly geom: number;
  readonly position: Vec3;
  /** Outwards, of unit length. */
  readonly normal: Vec3;
  readonly areaM2: number;
}

interface Triangle {
  readonly geom: number;
  readonly corners: readonly [Vec3, Vec3, Vec3];
  readonly normal: Vec3;
  readonly areaM2: number;
}

/** Steps of the R2 sequence, which fills a square evenly (Roberts 2018). */
const R2 = [0.7548776662466927, 0.5698402909980532] as const;

/** Points spread evenly over the surface of some geoms, the same ones every time. */
export function surfacePoints(
  geoms: readonly (readonly [index: number, geom: PhysicsGeom])[],
  count: number,
): readonly SurfacePoint[] {
  const triangles = geoms.flatMap(([index, geom]) => {
    const mesh = meshOfGeom(geom);
    return mesh ? trianglesOf(index, mesh) : [];
  });
  const total = triangles.reduce((sum, { areaM2 }) => sum + areaM2, 0);
  const areaM2 = total / count;
  const points: SurfacePoint[] = [];
  let passed = 0;
  for (const triangle of triangles) {
    const upTo = passed + triangle.areaM2;
    while ((points.length + 0.5) * areaM2 < upTo && points.length < count) {
      const { geom, normal } = triangle;
      points.push({ geom, position: pointIn(triangle, points.length + 1), normal, areaM2 });
    }
    passed = upTo;
  }
  return points;
}

function trianglesOf(geom: number, { positions, indices }: TriangleMesh): Triangle[] {
  const at = (corner: number): Vec3 => {
    const i = 3 * (indices[corner] as number);
    return [positions[i] as number, positions[i + 1] as number, positions[i + 2] as number];
  };
  const triangles: Triangle[] = [];
  for (let corner = 0; corner < indices.length; corner += 3) {
    const corners = [at(corner), at(corner + 1), at(corner + 2)] as const;
    const turned = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]));
    const doubled = Math.sqrt(dot(turned, turned));
    if (doubled === 0) continue;
    triangles.push({ geom, corners, normal: scale(turned, 1 / doubled), areaM2: doubled / 2 });
  }
  return triangles;
}

function pointIn({ corners: [a, b, c] }: Triangle, index: number): Vec3 {
  let [u, v] = [(index * R2[0]) % 1, (index * R2[1]) % 1];
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  const w = 1 - u - v;
  const mix = (axis: 0 | 1 | 2) => w * a[axis] + u * b[axis] + v * c[axis];
  return [mix(0), mix(1), mix(2)];
}
