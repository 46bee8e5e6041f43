import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import { nearestOnSegment } from "./vectors.js";

/** Half-extents in metres of the box in which Habitat looks for the floor of a point: x and z, then y. */
export const SNAP_XZ_M = 2;
const SNAP_Y_M = 4;

/**
 * Metres of height that floor straight below or above a point may be off and still count as not away at
 * all: Habitat's maximal climb. Detour has the same rule; without it, a point above a slope would move
 * sideways to where the slope is nearest.
 */
const CLIMB_M = 0.2;

/** Slopes steeper than this tangent, and triangles of less than this area in m2, have no floor above or below a point. */
const STEEPEST = 100;
const LEAST_AREA_M2 = 1e-9;

export interface Floor {
  readonly point: Vec3;
  readonly distance: number;
  /** By which floors are ranked before the plain distance, metres. */
  readonly away: number;
}

/** Where a triangle has floor for the point: straight below or above it, or else at its edges; undefined outside the box. */
export function floorNear(p: Vec3, a: Vec3, b: Vec3, c: Vec3): Floor | undefined {
  const height = heightAt(p, a, b, c);
  const point: Vec3 = height === undefined ? nearestOnEdges(p, a, b, c) : [p[0], height, p[2]];
  const isInBox =
    Math.abs(point[0] - p[0]) <= SNAP_XZ_M &&
    Math.abs(point[1] - p[1]) <= SNAP_Y_M &&
    Math.abs(point[2] - p[2]) <= SNAP_XZ_M;
  if (!isInBox) return undefined;
  const distance = distance3(p, point);
  return {
    point,
    distance,
    away: height === undefined ? distance : Math.max(0, distance - CLIMB_M),
  };
}

function heightAt(p: Vec3, a: Vec3, b: Vec3, c: Vec3): number | undefined {
  // Twice the areas, in plan, of the triangles that p makes with the edges: its weights.
  const wa = planArea(b, c, p);
  const wb = planArea(c, a, p);
  const wc = planArea(a, b, p);
  const isInside = (wa >= 0 && wb >= 0 && wc >= 0) || (wa <= 0 && wb <= 0 && wc <= 0);
  const area = wa + wb + wc;
  if (!isInside || Math.abs(area) < 2 * LEAST_AREA_M2) return undefined;
  const slopeX = ((b[1] - a[1]) * (c[2] - a[2]) - (c[1] - a[1]) * (b[2] - a[2])) / area;
  const slopeZ = ((c[1] - a[1]) * (b[0] - a[0]) - (b[1] - a[1]) * (c[0] - a[0])) / area;
  if (slopeX * slopeX + slopeZ * slopeZ > STEEPEST * STEEPEST) return undefined;
  return (wa * a[1] + wb * b[1] + wc * c[1]) / area;
}

function planArea(a: Vec3, b: Vec3, c: Vec3): number {
  return (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
}

function nearestOnEdges(p: Vec3, a: Vec3, b: Vec3, c: Vec3): Vec3 {
  let best = nearestOnSegment(p, a, b);
  for (const other of [nearestOnSegment(p, b, c), nearestOnSegment(p, c, a)]) {
    if (distance3(p, other) < distance3(p, best)) best = other;
  }
  return best;
}
