import type { Vec3 } from "../math/vec3.js";

/** Somewhere in a scene. On a navigation graph the node is what counts, the position is for drawing. */
export interface Place {
  readonly position: Vec3;
  readonly node?: string | undefined;
}

/**
 * Length of the shortest way between two places of one scene, in metres; Infinity when there is none.
 * A pure function of (scene, from, to): no query history, no cache that shows.
 */
export type SceneDistance = (from: Place, to: Place) => number;

/** The least distance to any of several alternatives; Infinity when there are none. */
export function distanceToAny(distance: SceneDistance, from: Place, to: readonly Place[]): number {
  let best = Number.POSITIVE_INFINITY;
  for (const place of to) best = Math.min(best, distance(from, place));
  return best;
}
