import type { Vec3 } from "../../core/math/vec3.js";
import type { DetourQuery, SurfacePoint } from "./query.js";

/** The surface queries that a step uses. */
export interface StepSurface {
  readonly query: DetourQuery;
  islandOf(polygon: number): number;
  middleOf(ref: number): Vec3;
}

/** Rounding may place a result this much farther than requested. */
const SLACK_M = 1e-4;
/** Distances tried in turn to move a point on a wall inside its polygon; the first is Habitat's. */
const NUDGES_M = [1e-4, 1e-3, 1e-2];

/**
 * Where a step from `from` towards `to` ends, after Habitat's `PathFinder::tryStep`. It does not move if
 * either end is off the navmesh or the ends lie on different islands. Otherwise it goes as far as the surface
 * does, then along the wall or, without sliding, no farther than the wall. The height is the surface's.
 *
 * Two cases are more robust than in Habitat. Without sliding, the first wall counts, and a start on an edge
 * does not block the step. A slide that would end farther away than requested (around the far side of a thin
 * wall) ends at the wall instead.
 */
export function step(surface: StepSurface, from: Vec3, to: Vec3, sliding: boolean): Vec3 {
  const { query } = surface;
  const start = query.snap(from);
  const end = query.snap(to);
  if (start === undefined || end === undefined) return from;
  const island = surface.islandOf(start.polygon);
  if (surface.islandOf(end.polygon) !== island) return from;

  const asked = acrossGround(start.point, to);
  let reached = sliding ? query.slide(start, to) : undefined;
  if (reached === undefined || acrossGround(start.point, reached.point) > asked + SLACK_M)
    reached = straight(surface, start, to, asked);
  const onto = query.closestOn(reached.ref, reached.point);
  const result = keepOnIsland(surface, reached.ref, onto, island) ?? start.point;
  // Detour rounds to single precision; an unobstructed step returns the requested position exactly.
  return result[0] === Math.fround(to[0]) && result[2] === Math.fround(to[2])
    ? [to[0], result[1], to[2]]
    : result;
}

/** Moves in a straight line, at most to the first wall. */
function straight(
  surface: StepSurface,
  start: SurfacePoint,
  to: Vec3,
  asked: number,
): SurfacePoint {
  const first = along(surface, start, to);
  if (asked === 0 || acrossGround(start.point, first.point) > SLACK_M) return first;
  // On an edge, Detour may report a wall where the next polygon begins: cast the ray again from inside.
  const inside = towards(start.point, surface.middleOf(start.ref), Math.min(1e-3, asked / 2));
  return along(surface, { ...start, point: inside }, to);
}

function along({ query }: StepSurface, start: SurfacePoint, to: Vec3): SurfacePoint {
  const { share, ref } = query.ray(start, to);
  const [x, y, z] = start.point;
  const point: Vec3 =
    share === 1 ? [to[0], y, to[2]] : [x + share * (to[0] - x), y, z + share * (to[2] - z)];
  return { ref, polygon: start.polygon, point };
}

/**
 * Two islands may touch along an edge, as if divided by a wall without thickness. A point there could next be
 * assigned to the other island, so it is moved slightly into its own polygon, as in Habitat.
 */
function keepOnIsland(
  surface: StepSurface,
  ref: number,
  point: Vec3,
  island: number,
): Vec3 | undefined {
  const isThere = (candidate: Vec3): boolean => {
    const place = surface.query.snap(candidate);
    return place !== undefined && surface.islandOf(place.polygon) === island;
  };
  if (isThere(point)) return point;
  const middle = surface.middleOf(ref);
  for (const nudge of NUDGES_M) {
    const moved = surface.query.closestOn(ref, towards(point, middle, nudge));
    if (isThere(moved)) return moved;
  }
  return undefined;
}

function towards(from: Vec3, to: Vec3, distance: number): Vec3 {
  const whole = Math.sqrt((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2 + (to[2] - from[2]) ** 2);
  const share = whole > distance ? distance / whole : 0.5;
  return [
    from[0] + share * (to[0] - from[0]),
    from[1] + share * (to[1] - from[1]),
    from[2] + share * (to[2] - from[2]),
  ];
}

function acrossGround(a: Vec3, b: Vec3): number {
  const dx = a[0] - b[0];
  const dz = a[2] - b[2];
  return Math.sqrt(dx * dx + dz * dz);
}
