import { cross, dot, scale, subtract, type Vec3 } from "../../../core/math/vec3.js";
import type { Component, Facet } from "./components.js";
import { type BoxSolid, boxAround, type Solid } from "./solid.js";

/** Facets of a component in one plane, all facing the same way. */
export interface Patch {
  readonly points: readonly Vec3[];
  readonly facets: readonly Facet[];
  readonly normal: Vec3;
  readonly offset: number;
}

/** Facets whose normals differ by less are in one plane, if their offsets do, too. */
const SAME_NORMAL = 1e-4;
const SAME_PLANE_M = 1e-4;
/** Corners that are closer than this to a line of the grid are on it. */
const ON_LINE_M = 1e-4;

/** How deep a solid behind a surface is: nothing is known there but that it is not visible. */
const DEEPEST_M = 0.04;
const SHALLOWEST_M = 0.002;

/** Groups a component's facets by their planes. */
export function patchesOf({ points, facets }: Component): Patch[] {
  const found: { normal: Vec3; offset: number; facets: Facet[] }[] = [];
  for (const facet of facets) {
    const own = found.find(
      ({ normal, offset }) =>
        Math.abs(offset - facet.offset) < SAME_PLANE_M &&
        dot(normal, facet.normal) > 1 - SAME_NORMAL ** 2 * 50,
    );
    if (own) own.facets.push(facet);
    else found.push({ normal: facet.normal, offset: facet.offset, facets: [facet] });
  }
  return found.map((patch) => ({ points, ...patch }));
}

/** A patch as rectangles, each by its corners; undefined if its triangles do not fill a grid of rectangles. */
export function rectanglesOf(patch: Patch): readonly Rectangle[] | undefined {
  const { points, facets, normal } = patch;
  const u = longestEdge(points, facets);
  const v = cross(normal, u);
  const at = (id: number, axis: Vec3) => dot(points[id] as Vec3, axis);
  const ids = [...new Set(facets.flatMap(({ corners }) => corners))];
  const [us, vs] = [u, v].map((axis) => lines(ids.map((id) => at(id, axis)))) as [
    number[],
    number[],
  ];
  const covered = us.slice(1).map(() => vs.slice(1).map(() => 0));
  for (const { corners } of facets) {
    const [left, right] = range(corners.map((id) => lineOf(us, at(id, u))));
    const [low, high] = range(corners.map((id) => lineOf(vs, at(id, v))));
    // Half of the rectangle that the triangle spans, if two of its edges are along the axes.
    const spans = ((us[right] ?? 0) - (us[left] ?? 0)) * ((vs[high] ?? 0) - (vs[low] ?? 0));
    const [a, b, c] = corners.map((id) => points[id] as Vec3) as [Vec3, Vec3, Vec3];
    const across = cross(subtract(b, a), subtract(c, a));
    if (Math.abs(Math.sqrt(dot(across, across)) - spans) > 1e-3 * spans) return undefined;
    for (let i = left; i < right; i++) {
      const column = covered[i] as number[];
      for (let j = low; j < high; j++) column[j] = (column[j] ?? 0) + 0.5;
    }
  }
  // More than 1 where rectangles overlap, as skirting boards do in corners.
  if (covered.flat().some((share) => !Number.isInteger(share))) return undefined;
  return merged(covered).map(([i0, i1, j0, j1]) => {
    const corner = (i: number, j: number): Vec3 => {
      const [x, y, z] = [scale(u, us[i] ?? 0), scale(v, vs[j] ?? 0), scale(normal, patch.offset)];
      return [x[0] + y[0] + z[0], x[1] + y[1] + z[1], x[2] + y[2] + z[2]];
    };
    return { corners: [corner(i0, j0), corner(i1, j0), corner(i1, j1), corner(i0, j1)], u, v };
  });
}

export interface Rectangle {
  readonly corners: readonly [Vec3, Vec3, Vec3, Vec3];
  /** Unit vectors along its sides; u, v and the normal are right-handed. */
  readonly u: Vec3;
  readonly v: Vec3;
}

/** The box behind a rectangle. `others` limits its depth, so that it does not come out of their fronts. */
export function boxBehind(
  { corners, u, v }: Rectangle,
  { normal, offset }: Patch,
  others: readonly Patch[],
): BoxSolid {
  const back = scale(normal, 0 - depthBehind(corners, normal, offset, others));
  const behind = corners.map(([x, y, z]): Vec3 => [x + back[0], y + back[1], z + back[2]]);
  return boxAround([...corners, ...behind], [u, v, normal]);
}

/** The prism behind a convex patch that is no rectangle. */
export function prismBehind(patch: Patch, others: readonly Patch[]): Solid {
  const ids = [...new Set(patch.facets.flatMap(({ corners }) => corners))];
  const front = ids.map((id) => patch.points[id] as Vec3);
  const back = scale(patch.normal, 0 - depthBehind(front, patch.normal, patch.offset, others));
  const behind = front.map(([x, y, z]): Vec3 => [x + back[0], y + back[1], z + back[2]]);
  return { kind: "hull", points: [...front, ...behind] };
}

/** Up to the nearest surface behind that faces away and overlaps. */
function depthBehind(
  front: readonly Vec3[],
  normal: Vec3,
  offset: number,
  others: readonly Patch[],
): number {
  let depth = DEEPEST_M;
  for (const other of others) {
    if (dot(other.normal, normal) > -0.999) continue;
    const gap = offset + other.offset;
    if (gap < -ON_LINE_M || gap >= depth || !overlaps(front, other, normal)) continue;
    depth = Math.max(SHALLOWEST_M, gap);
  }
  return depth;
}

/** Whether the bounds of two parallel shapes overlap in their plane. */
function overlaps(front: readonly Vec3[], { points, facets }: Patch, normal: Vec3): boolean {
  const ids = facets.flatMap(({ corners }) => corners);
  const [nx, ny, nz] = normal.map(Math.abs) as [number, number, number];
  const most = Math.max(nx, ny, nz);
  return ([0, 1, 2] as const).every((axis) => {
    if (Math.abs(normal[axis]) === most) return true;
    const own = range(front.map((point) => point[axis]));
    const their = range(ids.map((id) => (points[id] as Vec3)[axis]));
    return own[0] < their[1] - ON_LINE_M && their[0] < own[1] - ON_LINE_M;
  });
}

function longestEdge(points: readonly Vec3[], facets: readonly Facet[]): Vec3 {
  let best: Vec3 = [1, 0, 0];
  let most = 0;
  // A diagonal is never shared by the rectangle's sides, so edges of one facet only are compared.
  for (const { corners } of facets.slice(0, 1)) {
    const edges = corners.map((id, k) =>
      subtract(points[corners[(k + 1) % 3] as number] as Vec3, points[id] as Vec3),
    );
    const sizes = edges.map((edge) => Math.sqrt(dot(edge, edge)));
    const hypotenuse = sizes.indexOf(Math.max(...sizes));
    for (const [k, edge] of edges.entries()) {
      const size = sizes[k] ?? 0;
      if (k === hypotenuse || size <= most) continue;
      most = size;
      best = scale(edge, 1 / size);
    }
  }
  return best;
}

/** Sorted values without those that are nearly equal to their predecessor. */
function lines(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.filter((x, i) => i === 0 || x - (sorted[i - 1] as number) > ON_LINE_M);
}

function lineOf(all: readonly number[], value: number): number {
  let best = 0;
  for (const [i, x] of all.entries()) {
    if (Math.abs(x - value) < Math.abs((all[best] ?? 0) - value)) best = i;
  }
  return best;
}

function range(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Covers the cells of a grid with rectangles, greedily: as high as possible, then as wide. */
function merged(
  covered: readonly (readonly number[])[],
): (readonly [number, number, number, number])[] {
  const free = covered.map((column) => column.map((share) => share > 0));
  const found: (readonly [number, number, number, number])[] = [];
  for (const [i0, column] of free.entries()) {
    for (let j0 = 0; j0 < column.length; j0++) {
      if (!column[j0]) continue;
      let j1 = j0;
      while (column[j1]) j1++;
      let i1 = i0 + 1;
      while (free[i1]?.slice(j0, j1).every(Boolean)) i1++;
      for (let i = i0; i < i1; i++) free[i]?.fill(false, j0, j1);
      found.push([i0, i1, j0, j1]);
    }
  }
  return found;
}
