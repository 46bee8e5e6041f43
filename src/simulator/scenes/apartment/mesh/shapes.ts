import type { Vec3 } from "../../../../core/math/vec3.js";
import type { MeshBuilder, Surface } from "./builder.js";

type Uv = readonly [u: number, v: number];

/**
 * A flat quadrilateral a, b, c, d, counter-clockwise seen from its front. Without `uvs`, the texture is
 * mapped at its natural size along the two axes that are closest to the plane.
 */
export function quad(
  b: MeshBuilder,
  surface: Surface,
  corners: readonly [Vec3, Vec3, Vec3, Vec3],
  uvs?: readonly [Uv, Uv, Uv, Uv],
): void {
  const n = normalOf(corners[0], corners[1], corners[2]);
  const corner = (i: 0 | 1 | 2 | 3): number => {
    const p = corners[i];
    const uv = uvs?.[i] ?? planar(surface, p, n);
    return b.vertex(surface, p, n, uv[0], uv[1]);
  };
  const i0 = corner(0);
  const i1 = corner(1);
  const i2 = corner(2);
  const i3 = corner(3);
  b.triangle(surface, i0, i1, i2);
  b.triangle(surface, i0, i2, i3);
}

/** A vertical rectangle above the line from `from` to `to`, which runs to the right as seen from its front. */
export function upright(
  b: MeshBuilder,
  surface: Surface,
  from: readonly [x: number, z: number],
  to: readonly [x: number, z: number],
  [y0, y1]: readonly [number, number],
  image?: Image,
): void {
  const corners = [
    [from[0], y0, from[1]],
    [to[0], y0, to[1]],
    [to[0], y1, to[1]],
    [from[0], y1, from[1]],
  ] as const;
  quad(b, surface, corners, image && uvsOf(image));
}

/** A horizontal rectangle that faces upwards. */
export function level(
  b: MeshBuilder,
  surface: Surface,
  [x0, x1]: readonly [number, number],
  y: number,
  [z0, z1]: readonly [number, number],
  image?: Image,
): void {
  const corners = [
    [x0, y, z1],
    [x1, y, z1],
    [x1, y, z0],
    [x0, y, z0],
  ] as const;
  quad(b, surface, corners, image && uvsOf(image));
}

/** The part of a texture that a rectangle shows; v grows downwards. */
interface Image {
  readonly u: readonly [left: number, right: number];
  readonly v: readonly [top: number, bottom: number];
}

export const WHOLE_IMAGE: Image = { u: [0, 1], v: [0, 1] };

function uvsOf({ u, v }: Image): readonly [Uv, Uv, Uv, Uv] {
  return [
    [u[0], v[1]],
    [u[1], v[1]],
    [u[1], v[0]],
    [u[0], v[0]],
  ];
}

export function normalOf(a: Vec3, b: Vec3, c: Vec3): Vec3 {
  const ux = b[0] - a[0];
  const uy = b[1] - a[1];
  const uz = b[2] - a[2];
  const vx = c[0] - a[0];
  const vy = c[1] - a[1];
  const vz = c[2] - a[2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
  return [nx / size, ny / size, nz / size];
}

/** v grows downwards on vertical faces, because textures are stored from the top. */
export function planar(surface: Surface, p: Vec3, n: Vec3): Uv {
  const ru = surface.repeatM[0];
  const rv = surface.repeatM[1];
  const ax = Math.abs(n[0]);
  const ay = Math.abs(n[1]);
  const az = Math.abs(n[2]);
  if (ay >= ax && ay >= az) return [p[0] / ru, p[2] / rv];
  return ax > az ? [p[2] / ru, (0 - p[1]) / rv] : [p[0] / ru, (0 - p[1]) / rv];
}

interface BoxFaces {
  /** False omits the face, for faces that are never visible. */
  readonly bottom?: boolean;
  readonly back?: boolean;
  readonly top?: boolean;
}

export function box(
  b: MeshBuilder,
  surface: Surface,
  min: Vec3,
  max: Vec3,
  faces: BoxFaces = {},
): void {
  const [x0, y0, z0] = min;
  const [x1, y1, z1] = max;
  const high = [y0, y1] as const;
  upright(b, surface, [x0, z1], [x1, z1], high);
  if (faces.back !== false) upright(b, surface, [x1, z0], [x0, z0], high);
  upright(b, surface, [x1, z1], [x1, z0], high);
  upright(b, surface, [x0, z0], [x0, z1], high);
  if (faces.top !== false) level(b, surface, [x0, x1], y1, [z0, z1]);
  if (faces.bottom !== false && y0 > 0.011) {
    quad(b, surface, [
      [x0, y0, z0],
      [x1, y0, z0],
      [x1, y0, z1],
      [x0, y0, z1],
    ]);
  }
}

/** Square posts that stand on the floor, with their lower corners at all combinations of `xs` and `zs`. */
export function posts(
  b: MeshBuilder,
  surface: Surface,
  xs: readonly number[],
  zs: readonly number[],
  thick: number,
  high: number,
  faces?: BoxFaces,
): void {
  for (const x of xs) {
    for (const z of zs) box(b, surface, [x, 0, z], [x + thick, high, z + thick], faces);
  }
}

/** A box with bevelled edges that are shaded as if round: cushions, mattresses, basins. */
export function softBox(
  b: MeshBuilder,
  surface: Surface,
  min: Vec3,
  max: Vec3,
  bevel: number,
): void {
  const [ru, rv] = surface.repeatM;
  const c = [0, 1, 2].map((k) => ((min[k] ?? 0) + (max[k] ?? 0)) / 2);
  const h = [0, 1, 2].map((k) => ((max[k] ?? 0) - (min[k] ?? 0)) / 2);
  const r = Math.min(bevel, ...h.map((x) => x * 0.98));
  const sign = (corner: number, k: number) => ((corner >> k) & 1 ? 1 : -1);
  // at[corner * 3 + axis]: the corner's vertex on the face across that axis.
  const at: number[] = [];
  for (let corner = 0; corner < 8; corner++) {
    for (let axis = 0; axis < 3; axis++) {
      const p = [0, 1, 2].map(
        (k) => (c[k] ?? 0) + sign(corner, k) * ((h[k] ?? 0) - (k === axis ? 0 : r)),
      );
      const point: Vec3 = [p[0] ?? 0, p[1] ?? 0, p[2] ?? 0];
      const s = sign(corner, axis);
      const n: Vec3 = [axis === 0 ? s : 0, axis === 1 ? s : 0, axis === 2 ? s : 0];
      const u = axis === 0 ? point[2] : point[0];
      const v = axis === 1 ? point[2] : 0 - point[1];
      at.push(b.vertex(surface, point, n, u / ru, v / rv));
    }
  }
  const v = (corner: number, axis: number): number => at[corner * 3 + axis] ?? 0;
  const face = (q: readonly [number, number, number, number], flip: boolean) => {
    const [i, j, k, l] = q;
    b.triangle(surface, i, flip ? k : j, flip ? j : k);
    b.triangle(surface, i, flip ? l : k, flip ? k : l);
  };
  for (let axis = 0; axis < 3; axis++) {
    const [p, q] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const far of [0, 1]) {
      const base = far << axis;
      const ring = [0, 1 << p, (1 << p) | (1 << q), 1 << q].map((o) => v(base | o, axis));
      const [i0 = 0, i1 = 0, i2 = 0, i3 = 0] = ring;
      face([i0, i1, i2, i3], far === 0);
    }
    // The four edges along this axis connect the faces across p and q.
    for (const sp of [0, 1]) {
      for (const sq of [0, 1]) {
        const base = (sp << p) | (sq << q);
        const end = base | (1 << axis);
        face([v(base, p), v(base, q), v(end, q), v(end, p)], sp !== sq);
      }
    }
  }
  for (let corner = 0; corner < 8; corner++) {
    const odd = sign(corner, 0) * sign(corner, 1) * sign(corner, 2) < 0;
    const [i, j, k] = [v(corner, 0), v(corner, 1), v(corner, 2)];
    b.triangle(surface, i, odd ? k : j, odd ? j : k);
  }
}
