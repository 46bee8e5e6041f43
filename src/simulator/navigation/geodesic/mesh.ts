import type { WalkableSurface } from "../navmesh/surface.js";
import { type Fans, fansOf } from "./fans.js";
import { cleanLoops, edgeFrom, type Loop, type Loops } from "./loops.js";

/**
 * The walkable surface as triangles. Half-edge `3 t + k` is the k-th edge of triangle t, run through
 * counter-clockwise seen from above, and stands for the corner where it starts as well. Each half-edge
 * has its own flat frame of the triangle: start at (0, 0), end at (length, 0), the third corner, its
 * apex, at (apexX, apexY) with apexY > 0.
 */
export interface TriangleMesh extends Fans {
  readonly triangleCount: number;
  /** x, y, z of each vertex. Surfaces that touch in one point only have two vertices there. */
  readonly positions: Float64Array;
  /** The half-edge of the triangle across, -1 at the surface's border. */
  readonly opposite: Int32Array;
  readonly length: Float64Array;
  readonly apexX: Float64Array;
  readonly apexY: Float64Array;
  /** Of each triangle: equal where a way leads from one to the other. */
  readonly component: Int32Array;
}

/**
 * Metres. Triangles without area get this height in their frames: their edges keep their lengths to the
 * last bit, rays still cross them in a definite order, and a way through them grows by no more than this.
 */
const LEAST_HEIGHT_M = 1e-9;

export function nextEdge(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

export function previousEdge(h: number): number {
  return h % 3 === 0 ? h + 2 : h - 1;
}

export function buildMesh(surface: WalkableSurface): TriangleMesh {
  const clean = cleanLoops(surface);
  const { corners, opposite } = triangulate(clean);
  const count = corners.length / 3;
  const length = new Float64Array(3 * count);
  const apexX = new Float64Array(3 * count);
  const apexY = new Float64Array(3 * count);
  for (let h = 0; h < 3 * count; h++) {
    const a = corners[h] as number;
    const b = corners[nextEdge(h)] as number;
    const c = corners[previousEdge(h)] as number;
    const frame = flatFrame(clean.points, a, b, c);
    length[h] = frame.length;
    apexX[h] = frame.x;
    apexY[h] = Math.max(frame.y, LEAST_HEIGHT_M);
  }
  const fans = fansOf(opposite, apexX, apexY);
  const positions = new Float64Array(3 * fans.vertexCount);
  for (let h = 0; h < 3 * count; h++) {
    const from = 3 * (corners[h] as number);
    positions.set(clean.points.subarray(from, from + 3), 3 * (fans.origin[h] as number));
  }
  return {
    triangleCount: count,
    positions,
    opposite,
    length,
    apexX,
    apexY,
    component: components(opposite),
    ...fans,
  };
}

function flatFrame(points: Float64Array, a: number, b: number, c: number) {
  const at = (i: number, axis: number) => points[3 * i + axis] as number;
  const ux = at(b, 0) - at(a, 0);
  const uy = at(b, 1) - at(a, 1);
  const uz = at(b, 2) - at(a, 2);
  const vx = at(c, 0) - at(a, 0);
  const vy = at(c, 1) - at(a, 1);
  const vz = at(c, 2) - at(a, 2);
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz) || LEAST_HEIGHT_M;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  return {
    length,
    x: (ux * vx + uy * vy + uz * vz) / length,
    y: Math.sqrt(nx * nx + ny * ny + nz * nz) / length,
  };
}

function triangulate({ points, loops }: Loops): { corners: Int32Array; opposite: Int32Array } {
  const corners: number[] = [];
  const opposite: number[] = [];
  /** For each loop the half-edge that lies on each of its edges. */
  const outer: number[][] = [];
  for (const loop of loops) {
    const n = loop.corners.length;
    const edges = new Array<number>(n).fill(-1);
    outer.push(edges);
    if (n < 3) continue;
    const apex = fanApex(loop.corners, points);
    for (let i = 1; i < n - 1; i++) {
      const h = corners.length;
      const b = (apex + i) % n;
      const c = (apex + i + 1) % n;
      corners.push(
        loop.corners[apex] as number,
        loop.corners[b] as number,
        loop.corners[c] as number,
      );
      opposite.push(i > 1 ? h - 1 : -1, -1, i < n - 2 ? h + 3 : -1);
      edges[b] = h + 1;
      if (i === 1) edges[apex] = h;
      if (i === n - 2) edges[c] = h + 2;
    }
  }
  for (const [p, loop] of loops.entries()) {
    for (const i of loop.corners.keys()) {
      const h = (outer[p] as number[])[i] as number;
      if (h < 0 || opposite[h] !== -1) continue;
      const across = halfEdgeAcross(p, i, loops, outer);
      if (across < 0 || opposite[across] !== -1) continue;
      opposite[h] = across;
      opposite[across] = h;
    }
  }
  return { corners: Int32Array.from(corners), opposite: Int32Array.from(opposite) };
}

/** Follows the neighbours over an edge, through polygons that are no more than a line. */
function halfEdgeAcross(p: number, i: number, loops: readonly Loop[], outer: number[][]): number {
  let loop = loops[p] as Loop;
  let edge = i;
  for (let steps = 0; steps < 4; steps++) {
    const q = loop.neighbours[edge] as number;
    const other = loops[q];
    if (!other) return -1;
    const a = loop.corners[edge] as number;
    const b = loop.corners[(edge + 1) % loop.corners.length] as number;
    const j = edgeFrom(other, b, a);
    if (j < 0) return -1;
    if (other.corners.length > 2) return (outer[q] as number[])[j] as number;
    loop = other;
    edge = 1 - j;
  }
  return -1;
}

/**
 * The corner whose fan has the tallest flattest triangle: a fan from the end of three corners in a line
 * would have a triangle without area. It depends on the polygon's shape, then on the order of its corners.
 */
function fanApex(corners: readonly number[], points: Float64Array): number {
  const n = corners.length;
  let best = 0;
  let bestHeight = -1;
  for (let apex = 0; apex < n; apex++) {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 1; i < n - 1; i++) {
      const a = corners[apex] as number;
      const b = corners[(apex + i) % n] as number;
      const c = corners[(apex + i + 1) % n] as number;
      least = Math.min(
        least,
        flatFrame(points, a, b, c).y,
        flatFrame(points, b, c, a).y,
        flatFrame(points, c, a, b).y,
      );
    }
    if (least > bestHeight) {
      best = apex;
      bestHeight = least;
    }
  }
  return best;
}

function components(opposite: Int32Array): Int32Array {
  const component = new Int32Array(opposite.length / 3).fill(-1);
  let next = 0;
  for (let start = 0; start < component.length; start++) {
    if (component[start] !== -1) continue;
    const stack = [start];
    component[start] = next;
    for (let t = stack.pop(); t !== undefined; t = stack.pop()) {
      for (let k = 0; k < 3; k++) {
        const o = opposite[3 * t + k] as number;
        const other = Math.floor(o / 3);
        if (o < 0 || component[other] !== -1) continue;
        component[other] = next;
        stack.push(other);
      }
    }
    next++;
  }
  return component;
}
