import { DataError } from "../../../core/errors.js";
import type { SurfacePolygon, WalkableSurface } from "../navmesh/surface.js";

/** A polygon in its clean form: counter-clockwise in (x, z), no two corners in a row at one place. */
export interface Loop {
  /** Indices of points, one for each place: vertices at equal coordinates share one. */
  corners: number[];
  /** The loop across the edge from `corners[i]` to `corners[i + 1]`, -1 where there is none. */
  neighbours: number[];
}

export interface Loops {
  /** x, y, z of each point. */
  readonly points: Float64Array;
  /** One for each polygon; fewer than three corners where the polygon is no more than a line. */
  readonly loops: Loop[];
}

/** Square metres in plan below which a polygon's winding cannot be told from its own shape. */
const FLAT_AREA_M2 = 1e-9;

/** The surface's polygons, checked and wound alike, so that neighbours run along a shared edge in opposite directions. */
export function cleanLoops(surface: WalkableSurface): Loops {
  const points = Float64Array.from(surface.vertices);
  if (!points.every(Number.isFinite)) {
    throw new DataError("bad_surface", "the walkable surface has a vertex that is not finite");
  }
  const place = samePlaces(points);
  const loops = surface.polygons.map((polygon, index) => {
    check(polygon, index, surface);
    return withoutRepeats(
      polygon.corners.map((corner) => place[corner] as number),
      polygon.neighbours,
    );
  });
  const unclear: number[] = [];
  for (const [index, loop] of loops.entries()) {
    const area = planArea(loop.corners, points);
    if (Math.abs(area) < FLAT_AREA_M2) unclear.push(index);
    else if (area < 0) reverse(loop);
  }
  for (const index of unclear) windLikeNeighbours(index, loops);
  return { points, loops };
}

function check(polygon: SurfacePolygon, index: number, surface: WalkableSurface): void {
  const { corners, neighbours } = polygon;
  const vertexCount = surface.vertices.length / 3;
  const problem =
    corners.length < 3
      ? `has ${corners.length} corners`
      : corners.length !== neighbours.length
        ? `has ${corners.length} corners but ${neighbours.length} neighbours`
        : corners.some((c) => !Number.isInteger(c) || c < 0 || c >= vertexCount)
          ? `names a corner outside the ${vertexCount} vertices`
          : neighbours.some((n) => !Number.isInteger(n) || n >= surface.polygons.length)
            ? `names a neighbour outside the ${surface.polygons.length} polygons`
            : undefined;
  if (problem) {
    throw new DataError("bad_surface", `polygon ${index} of the walkable surface ${problem}`);
  }
}

function samePlaces(points: Float64Array): Int32Array {
  const first = new Map<string, number>();
  const place = new Int32Array(points.length / 3);
  for (let i = 0; i < place.length; i++) {
    // Adding 0 makes -0 and 0 one place.
    const at = `${(points[3 * i] as number) + 0},${(points[3 * i + 1] as number) + 0},${(points[3 * i + 2] as number) + 0}`;
    const known = first.get(at);
    place[i] = known ?? i;
    if (known === undefined) first.set(at, i);
  }
  return place;
}

/** An edge without length joins nothing: a way through a single point is no way. */
function withoutRepeats(corners: readonly number[], neighbours: readonly number[]): Loop {
  const loop: Loop = { corners: [], neighbours: [] };
  for (const [i, corner] of corners.entries()) {
    if (corner === corners[(i + 1) % corners.length]) continue;
    loop.corners.push(corner);
    loop.neighbours.push(neighbours[i] as number);
  }
  return loop;
}

function planArea(corners: readonly number[], points: Float64Array): number {
  let twice = 0;
  for (const [i, a] of corners.entries()) {
    const b = corners[(i + 1) % corners.length] as number;
    twice +=
      (points[3 * a] as number) * (points[3 * b + 2] as number) -
      (points[3 * b] as number) * (points[3 * a + 2] as number);
  }
  return twice / 2;
}

function reverse(loop: Loop): void {
  loop.corners.reverse();
  // Edge i ran from corner i to corner i + 1; backwards the edges are one step out of phase.
  loop.neighbours = [...loop.neighbours.slice(0, -1).reverse(), ...loop.neighbours.slice(-1)];
}

function windLikeNeighbours(index: number, loops: readonly Loop[]): void {
  const loop = loops[index] as Loop;
  let votes = 0;
  for (const [i, n] of loop.neighbours.entries()) {
    const other = loops[n];
    if (!other) continue;
    const a = loop.corners[i] as number;
    const b = loop.corners[(i + 1) % loop.corners.length] as number;
    if (edgeFrom(other, b, a) >= 0) votes++;
    if (edgeFrom(other, a, b) >= 0) votes--;
  }
  if (votes < 0) reverse(loop);
}

/** Which edge of the loop runs from a to b; -1 when none does. */
export function edgeFrom(loop: Loop, a: number, b: number): number {
  const { corners } = loop;
  for (let i = 0; i < corners.length; i++) {
    if (corners[i] === a && corners[(i + 1) % corners.length] === b) return i;
  }
  return -1;
}
