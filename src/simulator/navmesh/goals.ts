import { distance3, samePoint, type Vec3 } from "../../core/math/vec3.js";
import type { DetourQuery, SurfacePoint } from "./query.js";

/**
 * Straight lines are computed in double precision, paths in Detour's single precision. A path may therefore
 * come out shorter than its straight line by this much.
 */
const ROUNDING_M = 1e-3;

/** The goals of an episode, with everything that is constant over its steps. */
class Goals {
  readonly #given: readonly Vec3[];
  /** Undefined for a goal off the navmesh. */
  readonly places: readonly (SurfacePoint | undefined)[];
  /** Lower bounds of the path lengths; scratch space of one query. */
  readonly bounds: Float64Array;

  constructor(query: DetourQuery, goals: readonly Vec3[]) {
    this.#given = goals.map(([x, y, z]) => [x, y, z]);
    this.places = goals.map((goal) => query.snap(goal));
    this.bounds = new Float64Array(goals.length);
  }

  /** Whether the goals are unchanged; false if the caller has modified the array. */
  describes(goals: readonly Vec3[]): boolean {
    const given = this.#given;
    return (
      goals.length === given.length && goals.every((goal, i) => samePoint(goal, given[i] as Vec3))
    );
  }
}

/** Distances to the nearest of many goals. The cache affects speed only, never the result. */
export class NearestGoal {
  readonly #known = new WeakMap<readonly Vec3[], Goals>();

  constructor(
    private readonly query: DetourQuery,
    private readonly island: Int32Array,
  ) {}

  /** Tries goals in the order of their straight-line distances until none of these is below the best path. */
  distance(from: SurfacePoint, goals: readonly Vec3[]): number {
    const { places, bounds } = this.#goals(goals);
    const island = this.island[from.polygon];
    for (let i = 0; i < places.length; i++) {
      const place = places[i];
      bounds[i] =
        place !== undefined && this.island[place.polygon] === island
          ? distance3(from.point, place.point) - ROUNDING_M
          : Infinity;
    }
    let best = Infinity;
    for (;;) {
      let next = -1;
      let least = best;
      for (let i = 0; i < bounds.length; i++) {
        const bound = bounds[i] as number;
        if (bound < least) {
          least = bound;
          next = i;
        }
      }
      if (next < 0) return best;
      bounds[next] = Infinity;
      best = Math.min(best, this.query.pathLength(from, places[next] as SurfacePoint));
    }
  }

  #goals(goals: readonly Vec3[]): Goals {
    const known = this.#known.get(goals);
    if (known?.describes(goals)) return known;
    const fresh = new Goals(this.query, goals);
    this.#known.set(goals, fresh);
    return fresh;
  }
}
