import type { Vec3 } from "../../../core/math/vec3.js";
import type { Component } from "./components.js";
import type { HullSolid } from "./solid.js";

/** Levels that are closer than this are one. */
const SAME_LEVEL_M = 1e-3;

/**
 * A solid of revolution, such as a pot or a pedestal, as one hull between every two heights at which it has corners.
 * Hollows are filled.
 */
export function bandsOf({ points, facets }: Component): HullSolid[] {
  const heights = points.map(([, y]) => y).sort((a, b) => a - b);
  const levels = heights.filter((y, i) => i === 0 || y - (heights[i - 1] ?? y) > SAME_LEVEL_M);
  const solids: HullSolid[] = [];
  for (const [i, low] of levels.slice(0, -1).entries()) {
    const high = levels[i + 1] ?? low;
    const cut = facets.flatMap(({ corners }) =>
      clipped(
        corners.map((id) => points[id] as Vec3),
        low,
        high,
      ),
    );
    if (cut.length >= 4) solids.push({ kind: "hull", points: distinct(cut) });
  }
  return solids;
}

/** The corners of the part of a triangle between two heights; empty if only an edge or a corner is there. */
function clipped(triangle: readonly Vec3[], low: number, high: number): Vec3[] {
  const ys = triangle.map(([, y]) => y);
  if (Math.max(...ys) < low + SAME_LEVEL_M || Math.min(...ys) > high - SAME_LEVEL_M) return [];
  const above = cutAt(triangle, low, 1);
  return cutAt(above, high, -1);
}

/** Sutherland and Hodgman's clipping of a convex polygon; keeps what is above (`sign` 1) or below (-1). */
function cutAt(polygon: readonly Vec3[], level: number, sign: 1 | -1): Vec3[] {
  return polygon.flatMap((from, i) => {
    const to = polygon[(i + 1) % polygon.length] as Vec3;
    const [a, b] = [sign * (from[1] - level), sign * (to[1] - level)];
    const kept: Vec3[] = a >= 0 ? [from] : [];
    if (a * b < 0) {
      const t = a / (a - b);
      kept.push([from[0] + t * (to[0] - from[0]), level, from[2] + t * (to[2] - from[2])]);
    }
    return kept;
  });
}

/** Without repeated points, to the micrometre. */
function distinct(points: readonly Vec3[]): Vec3[] {
  const found = new Map(
    points.map((point) => [point.map((x) => Math.round(x * 1e6)).join(), point]),
  );
  return [...found.values()];
}
