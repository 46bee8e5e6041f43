import type { Vec3 } from "../math/vec3.js";

/** A point in a scene. On a navigation graph the node identifies it, and the position is only drawn. */
export interface Place {
  readonly position: Vec3;
  readonly node?: string | undefined;
}

/**
 * Length of the shortest path between two places of one scene, in metres; Infinity when there is none.
 * A pure function of (scene, from, to): earlier queries must not change the result.
 */
export type SceneDistance = (from: Place, to: Place) => number;

/** The distance to the nearest of several places; Infinity when the list is empty. */
export function distanceToAny(distance: SceneDistance, from: Place, to: readonly Place[]): number {
  let best = Number.POSITIVE_INFINITY;
  for (const place of to) best = Math.min(best, distance(from, place));
  return best;
}
