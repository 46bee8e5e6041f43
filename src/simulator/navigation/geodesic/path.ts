import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import type { Arrival } from "./goals.js";
import { nextEdge, type TriangleMesh } from "./mesh.js";
import type { GeodesicSearch } from "./search.js";
import { clamp, crossing } from "./unfold.js";
import { between, nearestOnSegment } from "./vectors.js";

/** Metres; a point nearer than this to the straight line between its neighbours is left out. */
const STRAIGHT_M = 1e-9;

/** The points of a found way from its source to its goal, before another search runs. */
export function tracePath(
  mesh: TriangleMesh,
  search: GeodesicSearch,
  source: Vec3,
  goal: Vec3,
  arrival: Arrival,
): Vec3[] {
  const points: Vec3[] = [goal];
  let step = arrival;
  for (;;) {
    if (step.window >= 0) traceWindow(mesh, search, step.window, step.at, points);
    if (step.root < 0) break;
    points.push(vertexAt(mesh, step.root));
    step = search.arrivalAt(step.root);
  }
  points.push(source);
  return straightened(points.reverse());
}

/** Where the way crosses the edges between the window and its root, the window's own edge first. */
function traceWindow(
  mesh: TriangleMesh,
  search: GeodesicSearch,
  last: number,
  lastAt: number,
  points: Vec3[],
): void {
  const { windows } = search;
  let at = lastAt;
  for (let w = last; ; ) {
    const h = windows.edge[w] as number;
    const l = mesh.length[h] as number;
    points.push(onEdge(mesh, h, at / l));
    const parent = windows.parent[w] as number;
    if (parent < 0) return;
    // The crossing in the frame of the edge through which the way came into the triangle.
    const before = windows.edge[parent] as number;
    const share = 1 - at / l;
    const isRight = (mesh.opposite[h] as number) === nextEdge(before);
    const cx = mesh.apexX[before] as number;
    const cy = mesh.apexY[before] as number;
    const size = mesh.length[before] as number;
    const x = isRight ? size + (cx - size) * share : cx - cx * share;
    const y = isRight ? cy * share : cy - cy * share;
    const crossed = crossing(
      windows.rootX[parent] as number,
      windows.rootY[parent] as number,
      x,
      y,
    );
    const start = windows.start[parent] as number;
    const end = windows.end[parent] as number;
    at = clamp(crossed, start, end);
    w = parent;
  }
}

function straightened(points: readonly Vec3[]): Vec3[] {
  const kept: Vec3[] = [];
  for (const [i, point] of points.entries()) {
    const previous = kept.at(-1);
    const next = points[i + 1];
    if (previous && next) {
      const onLine = nearestOnSegment(point, previous, next);
      if (distance3(point, onLine) <= STRAIGHT_M) continue;
    }
    kept.push(point);
  }
  return kept;
}

function onEdge(mesh: TriangleMesh, h: number, share: number): Vec3 {
  const a = vertexAt(mesh, mesh.origin[h] as number);
  const b = vertexAt(mesh, mesh.origin[nextEdge(h)] as number);
  return between(a, b, share);
}

function vertexAt({ positions }: TriangleMesh, v: number): Vec3 {
  return [
    positions[3 * v] as number,
    positions[3 * v + 1] as number,
    positions[3 * v + 2] as number,
  ];
}
