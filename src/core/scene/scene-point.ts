import type { Vec3 } from "../math/vec3.js";

/** A point in a scene. On a navigation graph the node identifies it, and the position is only drawn. */
export interface ScenePoint {
  readonly position: Vec3;
  readonly node?: string | undefined;
}

/**
 * Length of the shortest path between two points of one scene, in metres; Infinity when there is none.
 * A pure function of (scene, from, to): earlier queries must not change the result.
 */
export type SceneDistance = (from: ScenePoint, to: ScenePoint) => number;

/** The distance to the nearest of several points; Infinity when the list is empty. */
export function distanceToAny(
  distance: SceneDistance,
  from: ScenePoint,
  to: readonly ScenePoint[],
): number {
  let best = Number.POSITIVE_INFINITY;
  for (const point of to) best = Math.min(best, distance(from, point));
  return best;
}
