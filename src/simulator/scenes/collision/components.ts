import { cross, dot, scale, subtract, type Vec3 } from "../../../core/math/vec3.js";
import { worldPositions } from "../geometry.js";
import type { ScenePart } from "../model.js";

/** A triangle with its outward unit normal. */
export interface Facet {
  /** Indices of its corners in the component's points. */
  readonly corners: readonly [number, number, number];
  readonly normal: Vec3;
  /** Distance of its plane from the origin, along the normal. */
  readonly offset: number;
}

/** Triangles that are joined along edges: usually one box, cylinder or wall of an object. */
export interface Component {
  readonly points: readonly Vec3[];
  readonly facets: readonly Facet[];
}

/** Vertices that are closer than this count as one. Faces of a box have vertices of their own. */
const SAME_M = 1e-5;
/** Twice the area below which a triangle is a line. */
const LEAST_AREA_M2 = 1e-9;

/** The connected components of a part, in the scene's axes. */
export function componentsOf(part: ScenePart): Component[] {
  const { points, ids } = welded(worldPositions(part));
  const facets = facetsOf(points, ids, part.mesh.indices);
  const group = joinedAlongEdges(facets);
  const members = new Map<number, Facet[]>();
  for (const [i, facet] of facets.entries()) {
    const key = group(i);
    const list = members.get(key);
    if (list) list.push(facet);
    else members.set(key, [facet]);
  }
  return [...members.values()].map((own) => excerpt(points, own));
}

/** Whether no point is in front of a facet. */
export function isConvex({ points, facets }: Component, toleranceM: number): boolean {
  return facets.every(({ normal, offset }) =>
    points.every((point) => dot(normal, point) - offset <= toleranceM),
  );
}

function welded(positions: Float32Array): { points: Vec3[]; ids: Uint32Array } {
  const points: Vec3[] = [];
  const known = new Map<string, number>();
  const ids = new Uint32Array(positions.length / 3);
  for (let i = 0; i < ids.length; i++) {
    const x = positions[3 * i] as number;
    const y = positions[3 * i + 1] as number;
    const z = positions[3 * i + 2] as number;
    const key = `${Math.round(x / SAME_M)},${Math.round(y / SAME_M)},${Math.round(z / SAME_M)}`;
    let id = known.get(key);
    if (id === undefined) {
      id = points.length;
      known.set(key, id);
      points.push([x, y, z]);
    }
    ids[i] = id;
  }
  return { points, ids };
}

function facetsOf(points: readonly Vec3[], ids: Uint32Array, indices: Uint32Array): Facet[] {
  const facets: Facet[] = [];
  for (let t = 0; t + 2 < indices.length; t += 3) {
    const corner = (k: number) => ids[indices[t + k] as number] as number;
    const corners = [corner(0), corner(1), corner(2)] as const;
    const [a, b, c] = corners.map((id) => points[id] as Vec3) as [Vec3, Vec3, Vec3];
    const across = cross(subtract(b, a), subtract(c, a));
    const size = Math.sqrt(dot(across, across));
    if (size < LEAST_AREA_M2) continue;
    const normal = scale(across, 1 / size);
    facets.push({ corners, normal, offset: dot(normal, a) });
  }
  return facets;
}

/**
 * Returns a function from a facet's index to the number of its group. Where two boxes touch along an edge, more than two
 * facets have it, and it joins none.
 */
function joinedAlongEdges(facets: readonly Facet[]): (index: number) => number {
  const parent = Int32Array.from(facets.keys());
  const find = (at: number): number => {
    let root = at;
    while (parent[root] !== root) root = parent[root] as number;
    parent[at] = root;
    return root;
  };
  const byEdge = new Map<number, number[]>();
  for (const [i, { corners }] of facets.entries()) {
    for (let k = 0; k < 3; k++) {
      const a = corners[k] as number;
      const b = corners[(k + 1) % 3] as number;
      const edge = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      const sharers = byEdge.get(edge);
      if (sharers) sharers.push(i);
      else byEdge.set(edge, [i]);
    }
  }
  for (const [first, second, ...others] of byEdge.values()) {
    if (first === undefined || second === undefined || others.length > 0) continue;
    parent[find(first)] = find(second);
  }
  return find;
}

function excerpt(points: readonly Vec3[], facets: readonly Facet[]): Component {
  const ids = new Map<number, number>();
  const own: Vec3[] = [];
  const idOf = (from: number): number => {
    const known = ids.get(from);
    if (known !== undefined) return known;
    ids.set(from, own.length);
    own.push(points[from] as Vec3);
    return own.length - 1;
  };
  const renumbered = facets.map(({ corners: [a, b, c], normal, offset }) => ({
    corners: [idOf(a), idOf(b), idOf(c)] as const,
    normal,
    offset,
  }));
  return { points: own, facets: renumbered };
}
