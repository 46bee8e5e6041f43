import type { Vec3 } from "../../core/math/vec3.js";
import type { DetourQuery, Place } from "./query.js";

/**
 * Straight lines are computed in double precision, paths in Detour's single precision. A path may therefore
 * come out shorter than its straight line by this much.
 */
const ROUNDING_M = 1e-3;

/** The goals of an episode, with everything that is constant over its steps. */
class Goals {
  readonly #given: Float64Array;
  /** Undefined for a goal off the navmesh. */
  readonly places: readonly (Place | undefined)[];
  /** Lower bounds of the path lengths; scratch space of one query. */
  readonly bounds: Float64Array;

  constructor(query: DetourQuery, goals: readonly Vec3[]) {
    this.#given = Float64Array.from(goals.flat());
    this.places = goals.map((goal) => query.snap(goal));
    this.bounds = new Float64Array(goals.length);
  }

  /** False if the caller has changed the array since. */
  describes(goals: readonly Vec3[]): boolean {
    if (goals.length * 3 !== this.#given.length) return false;
    for (let i = 0; i < goals.length; i++) {
      const goal = goals[i] as Vec3;
      const at = 3 * i;
      if (
        goal[0] !== this.#given[at] ||
        goal[1] !== this.#given[at + 1] ||
        goal[2] !== this.#given[at + 2]
      )
        return false;
    }
    return true;
  }
}

/** Distances to the nearest of many goals. The cache affects speed only, never the result. */
export class NearestGoal {
  readonly #query: DetourQuery;
  readonly #island: Int32Array;
  readonly #known = new WeakMap<readonly Vec3[], Goals>();

  constructor(query: DetourQuery, island: Int32Array) {
    this.#query = query;
    this.#island = island;
  }

  /** Tries goals in the order of their straight-line distances until none of these is below the best path. */
  distance(from: Place, goals: readonly Vec3[]): number {
    const { places, bounds } = this.#goals(goals);
    const island = this.#island[from.polygon];
    for (let i = 0; i < places.length; i++) {
      const place = places[i];
      bounds[i] =
        place !== undefined && this.#island[place.polygon] === island
          ? straightLine(from.point, place.point) - ROUNDING_M
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
      best = Math.min(best, this.#query.pathLength(from, places[next] as Place));
    }
  }

  #goals(goals: readonly Vec3[]): Goals {
    const known = this.#known.get(goals);
    if (known?.describes(goals)) return known;
    const fresh = new Goals(this.#query, goals);
    this.#known.set(goals, fresh);
    return fresh;
  }
}

function straightLine(a: Vec3, b: Vec3): number {
  const dx = a[0] - b[0];
  const dy = a[1] - b[1];
  const dz = a[2] - b[2];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
