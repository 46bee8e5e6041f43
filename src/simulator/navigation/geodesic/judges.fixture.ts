import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import type { WalkableSurface } from "../navmesh/surface.js";
import { cornerAt } from "./surfaces.fixture.js";

/** Metres by which rounding may take a line along a wall off the floor. */
const SLACK_M = 1e-12;

/**
 * Shortest distance on a flat surface whose parts do not meet in single points: Dijkstra's algorithm on
 * the graph of the border's corners that see each other.
 */
export function visibilityDistance(surface: WalkableSurface, from: Vec3, to: Vec3): number {
  const border = borderEdges(surface);
  const corners = [...new Set(border.flat())].map((corner) => cornerAt(surface, corner));
  const nodes = [from, to, ...corners];
  const walls = border.map(([a, b]) => [cornerAt(surface, a), cornerAt(surface, b)] as const);
  const floors = surface.polygons.map((p) => p.corners.map((c) => cornerAt(surface, c)));
  return dijkstra(nodes.length, 0, 1, (i, visit) => {
    const a = nodes[i] as Vec3;
    for (const [j, b] of nodes.entries()) {
      if (i !== j && sees(a, b, walls, floors)) visit(j, distance3(a, b));
    }
  });
}

function borderEdges(surface: WalkableSurface): [number, number][] {
  return surface.polygons.flatMap(({ corners, neighbours }) =>
    corners.flatMap((a, i): [number, number][] =>
      neighbours[i] === -1 ? [[a, corners[(i + 1) % corners.length] ?? a]] : [],
    ),
  );
}

/**
 * Metres from a point straight up or down to the nearest floor of a surface of triangles or level polygons;
 * Infinity beside all floors.
 */
export function heightAboveFloor(surface: WalkableSurface, p: Vec3): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { corners } of surface.polygons) {
    const floor = corners.map((corner) => cornerAt(surface, corner));
    const [a, b, c] = floor;
    if (!a || !b || !c || !contains(floor, p, 1e-8)) continue;
    const whole = side(a, b, c);
    const height = (side(b, c, p) * a[1] + side(c, a, p) * b[1] + side(a, b, p) * c[1]) / whole;
    least = Math.min(least, Math.abs(p[1] - height));
  }
  return least;
}

/** Between its meetings with the border a line is wholly on the floor or wholly off it. */
function sees(
  a: Vec3,
  b: Vec3,
  walls: readonly (readonly [Vec3, Vec3])[],
  floors: readonly (readonly Vec3[])[],
): boolean {
  const cuts = [0, 1];
  const dx = b[0] - a[0];
  const dz = b[2] - a[2];
  const length = Math.hypot(dx, dz);
  if (length === 0) return true;
  const cutAt = ([x, , z]: Vec3) => {
    const share = ((x - a[0]) * dx + (z - a[2]) * dz) / length ** 2;
    if (share > 0 && share < 1) cuts.push(share);
  };
  for (const [p, q] of walls) {
    const sp = side(a, b, p);
    const sq = side(a, b, q);
    // Corners the line only brushes end a stretch as well: beyond, it may run inside a wall.
    if (Math.abs(sp) <= 2 * SLACK_M * length) cutAt(p);
    if (Math.abs(sq) <= 2 * SLACK_M * length) cutAt(q);
    if (sp * sq > 0 || sp === sq) continue;
    const s = sp / (sp - sq);
    cutAt([p[0] + s * (q[0] - p[0]), 0, p[2] + s * (q[2] - p[2])]);
  }
  cuts.sort((x, y) => x - y);
  return cuts.slice(1).every((cut, i) => {
    const s = (cut + (cuts[i] as number)) / 2;
    const middle: Vec3 = [a[0] + s * (b[0] - a[0]), 0, a[2] + s * (b[2] - a[2])];
    return floors.some((floor) => contains(floor, middle));
  });
}

function contains(floor: readonly Vec3[], p: Vec3, slackM = SLACK_M): boolean {
  const offsets = floor.map((a, i) => {
    const b = floor[(i + 1) % floor.length] as Vec3;
    return side(a, b, p) / Math.hypot(b[0] - a[0], b[2] - a[2]);
  });
  return offsets.every((d) => d >= -slackM) || offsets.every((d) => d <= slackM);
}

function side(a: Vec3, b: Vec3, p: Vec3): number {
  return (b[0] - a[0]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[0] - a[0]);
}

/**
 * An upper bound that falls to the shortest distance as `pieces` grows: Dijkstra's algorithm on points
 * spread over all edges, joined within each triangle. The surface must consist of triangles; the two points
 * lie in the triangles named with them.
 */
export function subdivisionDistance(
  surface: WalkableSurface,
  from: { readonly point: Vec3; readonly triangle: number },
  to: { readonly point: Vec3; readonly triangle: number },
  pieces: number,
): number {
  const nodes: Vec3[] = [from.point, to.point];
  const known = new Map<string, number>();
  const node = (point: Vec3): number => {
    const key = point.map((x) => x.toFixed(7)).join();
    const index = known.get(key) ?? nodes.length;
    if (index === nodes.length) {
      known.set(key, index);
      nodes.push(point);
    }
    return index;
  };
  const members = surface.polygons.map(({ corners }) =>
    corners.flatMap((a, i) => {
      const b = corners[(i + 1) % corners.length] ?? a;
      // From the smaller corner to the larger, so that both triangles at an edge make the same points.
      const p = cornerAt(surface, Math.min(a, b));
      const q = cornerAt(surface, Math.max(a, b));
      return Array.from({ length: pieces + 1 }, (_, k) => {
        const s = k / pieces;
        return node([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2])]);
      });
    }),
  );
  members[from.triangle]?.push(0);
  members[to.triangle]?.push(1);
  const trianglesOf: number[][] = nodes.map(() => []);
  for (const [t, list] of members.entries()) for (const n of list) trianglesOf[n]?.push(t);
  return dijkstra(nodes.length, 0, 1, (i, visit) => {
    const a = nodes[i] as Vec3;
    for (const t of trianglesOf[i] ?? []) {
      for (const j of members[t] ?? []) visit(j, distance3(a, nodes[j] as Vec3));
    }
  });
}

function dijkstra(
  count: number,
  from: number,
  to: number,
  edges: (node: number, visit: (next: number, length: number) => void) => void,
): number {
  const distance = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const open = new Set<number>([from]);
  distance[from] = 0;
  for (;;) {
    let nearest = -1;
    for (const i of open) {
      if (nearest < 0 || (distance[i] as number) < (distance[nearest] as number)) nearest = i;
    }
    if (nearest < 0) return Number.POSITIVE_INFINITY;
    if (nearest === to) return distance[to] as number;
    open.delete(nearest);
    const base = distance[nearest] as number;
    edges(nearest, (next, length) => {
      if (base + length >= (distance[next] as number)) return;
      distance[next] = base + length;
      open.add(next);
    });
  }
}
