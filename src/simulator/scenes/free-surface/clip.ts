import type { Vec3 } from "../../../core/math/vec3.js";

/** Corners of a convex polygon: x, y, z, ... */
export type Polygon = readonly number[];

export type Axis = 0 | 1 | 2;

/** The part of a convex polygon where `sign * p[axis] >= sign * limit`. Degenerate polygons stay valid. */
export function clip(polygon: Polygon, axis: Axis, sign: 1 | -1, limit: number): Polygon {
  let inside = 0;
  for (let i = axis; i < polygon.length; i += 3) {
    if (sign * ((polygon[i] as number) - limit) >= 0) inside++;
  }
  if (inside === 0) return NOTHING;
  if (inside * 3 === polygon.length) return polygon;
  const kept: number[] = [];
  for (let a = 0; a < polygon.length; a += 3) {
    const b = (a + 3) % polygon.length;
    const here = sign * ((polygon[a + axis] as number) - limit);
    const there = sign * ((polygon[b + axis] as number) - limit);
    if (here >= 0)
      kept.push(polygon[a] as number, polygon[a + 1] as number, polygon[a + 2] as number);
    if (here >= 0 === there >= 0) continue;
    const share = here / (here - there);
    for (let k = 0; k < 3; k++) {
      const from = polygon[a + k] as number;
      kept.push(k === axis ? limit : from + share * ((polygon[b + k] as number) - from));
    }
  }
  return kept;
}

const NOTHING: Polygon = [];

/** The part between two values of an axis. */
export function clipBetween(polygon: Polygon, axis: Axis, low: number, high: number): Polygon {
  return clip(clip(polygon, axis, 1, low), axis, -1, high);
}

export function lowest(polygon: Polygon, axis: Axis): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = axis; i < polygon.length; i += 3) least = Math.min(least, polygon[i] as number);
  return least;
}

export function highest(polygon: Polygon, axis: Axis): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = axis; i < polygon.length; i += 3) most = Math.max(most, polygon[i] as number);
  return most;
}

/** How far around an instance, and above it, triangles count. */
const MARGIN_M = 0.15;
const ABOVE_M = 1.2;

/** The triangles, nine numbers each, that may be above or beside an instance. */
export function trianglesNear(all: readonly Float32Array[], min: Vec3, max: Vec3): Polygon[] {
  const low = [min[0] - MARGIN_M, min[1], min[2] - MARGIN_M] as const;
  const high = [max[0] + MARGIN_M, max[1] + ABOVE_M, max[2] + MARGIN_M] as const;
  const near: Polygon[] = [];
  for (const corners of all) {
    for (let t = 0; t < corners.length; t += 9) {
      if (overlaps(corners, t, low, high)) near.push(Array.from(corners.subarray(t, t + 9)));
    }
  }
  return near;
}

function overlaps(corners: Float32Array, at: number, low: Vec3, high: Vec3): boolean {
  for (let k = 0; k < 3; k++) {
    const a = corners[at + k] as number;
    const b = corners[at + 3 + k] as number;
    const c = corners[at + 6 + k] as number;
    if (Math.max(a, b, c) < (low[k] as number) || Math.min(a, b, c) > (high[k] as number)) {
      return false;
    }
  }
  return true;
}
