import { distance3, type Vec3 } from "../../../core/math/vec3.js";
import type { WalkableSurface } from "../navmesh/surface.js";
import { Locator, type SurfacePoint } from "./locate.js";
import { buildMesh, type TriangleMesh } from "./mesh.js";
import { tracePath } from "./path.js";
import { GeodesicSearch } from "./search.js";

/**
 * The true shortest way on a walkable surface, along the triangles of its polygons. Unlike Detour's it is
 * a metric: the same in both directions to the last bit, and no detour is shorter (within 1e-6 m).
 *
 * Points off the surface count as the nearest point of it, searched in Habitat's box of 2/4/2 m around
 * them. Two polygons are joined only along an edge both have whole, from corner to corner. A query that
 * needs more than a million windows (see windows.ts) throws `geodesic_too_hard`.
 */
export class ExactGeodesic {
  readonly #mesh: TriangleMesh;
  readonly #locator: Locator;
  readonly #search: GeodesicSearch;
  #lastGoals: {
    readonly coordinates: Float64Array;
    readonly places: readonly (SurfacePoint | undefined)[];
  } = { coordinates: new Float64Array(0), places: [] };

  constructor(surface: WalkableSurface) {
    this.#mesh = buildMesh(surface);
    this.#locator = new Locator(this.#mesh);
    this.#search = new GeodesicSearch(this.#mesh);
  }

  /** Metres along the surface; Infinity where no way leads or a point is off the surface. */
  distance(from: Vec3, to: Vec3): number {
    const way = this.#between(from, to);
    if (!way) return Number.POSITIVE_INFINITY;
    // The sum of a way's parts may round to below the straight line.
    return Math.max(way.found.distance, distance3(way.source.point, way.goal.point));
  }

  /**
   * The way's two ends on the surface and between them its corners and where it crosses creases; empty
   * when there is no way.
   */
  path(from: Vec3, to: Vec3): Vec3[] {
    const way = this.#between(from, to);
    if (!way) return [];
    const { source, goal, found } = way;
    const points = tracePath(this.#mesh, this.#search, source.point, goal.point, found.arrival);
    return way.isReversed ? points.reverse() : points;
  }

  /** The least of the distances to the goals; Infinity when none can be reached. */
  distanceToAny(from: Vec3, goals: readonly Vec3[]): number {
    const source = this.#locator.locate(from);
    if (!source) return Number.POSITIVE_INFINITY;
    const known: Vec3[] = [];
    const reachable: SurfacePoint[] = [];
    const places = this.#placesOf(goals);
    for (const [i, goal] of goals.entries()) {
      const point = places[i];
      if (!point || !this.#isJoined(source, point)) continue;
      known.push(goal);
      reachable.push(point);
    }
    if (reachable.length === 0) return Number.POSITIVE_INFINITY;
    const nearest = reachable.length === 1 ? 0 : this.#search.run(source, reachable)?.goal;
    // Measured again in the canonical direction, so that it is one of the values `distance` gives.
    const goal = nearest === undefined ? undefined : known[nearest];
    return goal ? this.distance(from, goal) : Number.POSITIVE_INFINITY;
  }

  /** An episode asks for the same goals at each step; to find them again takes longer than the search. */
  #placesOf(goals: readonly Vec3[]): readonly (SurfacePoint | undefined)[] {
    const { coordinates, places } = this.#lastGoals;
    const isSame =
      coordinates.length === 3 * goals.length &&
      goals.every(
        ([x, y, z], i) =>
          coordinates[3 * i] === x && coordinates[3 * i + 1] === y && coordinates[3 * i + 2] === z,
      );
    if (isSame) return places;
    const found = goals.map((goal) => this.#locator.locate(goal));
    this.#lastGoals = { coordinates: Float64Array.from(goals.flat()), places: found };
    return found;
  }

  /** Always searched from the point that is first by x, then y, then z: rounding must not know the direction. */
  #between(from: Vec3, to: Vec3) {
    const isReversed = comesBefore(to, from);
    const source = this.#locator.locate(isReversed ? to : from);
    const goal = this.#locator.locate(isReversed ? from : to);
    if (!source || !goal || !this.#isJoined(source, goal)) return undefined;
    const found = this.#search.run(source, [goal]);
    return found && { source, goal, found, isReversed };
  }

  #isJoined(a: SurfacePoint, b: SurfacePoint): boolean {
    const { component } = this.#mesh;
    return component[a.places[0].triangle] === component[b.places[0].triangle];
  }
}

function comesBefore(a: Vec3, b: Vec3): boolean {
  if (a[0] !== b[0]) return a[0] < b[0];
  if (a[1] !== b[1]) return a[1] < b[1];
  return a[2] < b[2];
}
