import type { TriangleMesh } from "../../scenes/model.js";
import { type Profile, revolved } from "./revolved.js";

/** Half size at which infinite planes (size 0 in MuJoCo) are drawn. */
export const FAR_M = 8;

/** Texture repeats, per geom or (`uniform`) per metre. */
export interface Repeat {
  readonly u: number;
  readonly v: number;
  readonly uniform: boolean;
}

type Size = readonly [number, number, number];

/** The triangles of a primitive in the geom's frame; undefined for types that are not drawn. */
export function primitive(type: string, size: Size, repeat: Repeat): TriangleMesh | undefined {
  const [a, b, c] = size;
  switch (type) {
    case "plane":
      return plane(a > 0 ? a : FAR_M, b > 0 ? b : FAR_M, repeat);
    case "box":
      return box(size, repeat);
    case "sphere":
      return revolved(arc(a, 0), repeat);
    case "ellipsoid":
      return scaled(revolved(arc(1, 0), repeat), [a, b, c]);
    case "capsule":
      return revolved(arc(a, b), repeat);
    case "cylinder":
      return revolved(
        [
          { radius: 0, z: -b },
          { radius: a, z: -b },
          { radius: a, z: b },
          { radius: 0, z: b },
        ],
        repeat,
      );
    default:
      return undefined;
  }
}

const ARC_STEPS = 6;

/** Profile of a capsule: two quarter circles with a line of length `2 * half` between them. */
function arc(radius: number, half: number): Profile {
  return [-1, 1].flatMap((end) =>
    Array.from({ length: ARC_STEPS + 1 }, (_, i) => {
      const angle = (Math.PI / 2) * (end < 0 ? i / ARC_STEPS - 1 : i / ARC_STEPS);
      const [slope, up] = [Math.cos(angle), Math.sin(angle)];
      const tip = i === (end < 0 ? 0 : ARC_STEPS);
      return {
        radius: tip ? 0 : radius * slope,
        z: end * half + radius * up,
        normal: [slope, up] as const,
      };
    }),
  );
}

function plane(x: number, y: number, repeat: Repeat): TriangleMesh {
  const [u, v] = repeat.uniform ? [2 * x * repeat.u, 2 * y * repeat.v] : [repeat.u, repeat.v];
  return {
    positions: Float32Array.of(-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
    uvs: Float32Array.of(0, v, u, v, u, 0, 0, 0),
  };
}

/** The sides of a box: the axis they face, and the axis that points right when seen from outside. */
const SIDES = [
  { axis: 0, sign: 1, right: 1, mirrored: 1 },
  { axis: 0, sign: -1, right: 1, mirrored: -1 },
  { axis: 1, sign: 1, right: 0, mirrored: -1 },
  { axis: 1, sign: -1, right: 0, mirrored: 1 },
  { axis: 2, sign: 1, right: 0, mirrored: 1 },
  { axis: 2, sign: -1, right: 0, mirrored: -1 },
] as const;

function box(size: Size, repeat: Repeat): TriangleMesh {
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (const { axis, sign, right, mirrored } of SIDES) {
    const up = axis === 2 ? 1 : 2;
    const first = positions.length / 3;
    const wide = repeat.uniform ? 2 * size[right] * repeat.u : repeat.u;
    const high = repeat.uniform ? 2 * size[up] * repeat.v : repeat.v;
    for (const [r, t] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      const point = [0, 0, 0];
      const normal = [0, 0, 0];
      point[axis] = sign * size[axis];
      normal[axis] = sign;
      point[right] = r * mirrored * size[right];
      point[up] = t * size[up];
      positions.push(...point);
      normals.push(...normal);
      uvs.push(r < 0 ? 0 : wide, t < 0 ? high : 0);
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    normals: Float32Array.from(normals),
    uvs: Float32Array.from(uvs),
  };
}

/** Scales a unit sphere to an ellipsoid; normals are scaled by the inverse. */
function scaled(mesh: TriangleMesh, size: Size): TriangleMesh {
  const positions = mesh.positions.map((value, i) => value * (size[i % 3] as number));
  const normals = mesh.normals?.slice();
  for (let i = 0; normals && i < normals.length; i += 3) {
    const n = [0, 1, 2].map((k) => (normals[i + k] as number) / (size[k] as number));
    const length = Math.hypot(...n) || 1;
    for (let k = 0; k < 3; k++) normals[i + k] = (n[k] as number) / length;
  }
  return { ...mesh, positions, ...(normals ? { normals } : {}) };
}
