import { DataError } from "../../core/errors.js";
import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { buildTiles, type Geometry } from "./build.js";
import { DetourMesh } from "./detour-mesh.js";
import { extractSurface, type WalkableSurface } from "./extract-surface.js";
import { NearestGoal } from "./goals.js";
import { readMset, type TileSet } from "./mset.js";
import { DetourQuery, type SurfacePoint } from "./query.js";
import { startRecast } from "./recast.js";
import type { NavMeshSettings } from "./settings.js";
import { type StepSurface, step } from "./step.js";
import { eachPolygon, middleOf, Topology } from "./topology.js";

/** Habitat's `is_navigable` accepts points this far off the surface horizontally. */
const SIDEWAYS_M = 1e-2;
/** Maximum number of samples: one may round onto another island's edge and is then drawn again. */
const DRAWS = 100;

/**
 * Where a body can stand and walk in a scene: Recast's navmesh with Detour's queries, as in Habitat's
 * `PathFinder`. Results are pure functions of the mesh and the arguments. Detour computes in single
 * precision, so returned coordinates are single-precision numbers.
 *
 * The garbage collector does not free the mesh: call `dispose` after use.
 *
 * @example
 * import { readFileSync } from "node:fs";
 * const navMesh = await NavMesh.load(readFileSync("scene.navmesh"), "scene.navmesh");
 * navMesh.distance([0, 0, 0], [3, 0, 4]); // metres along the shortest path
 * navMesh.dispose();
 */
export class NavMesh {
  readonly areaM2: number;
  /** Bounds of the walkable surface. */
  readonly bounds: { readonly min: Vec3; readonly max: Vec3 };
  readonly polygonCount: number;
  readonly #topology: Topology;
  #live: Live | undefined;

  private constructor(set: TileSet, where: string) {
    const mesh = new DetourMesh(set, where);
    this.#topology = new Topology(mesh);
    const query = new DetourQuery(mesh, this.#topology, where);
    const { island } = this.#topology;
    const steps: StepSurface = {
      query,
      islandOf: (polygon) => island[polygon] as number,
      middleOf: (ref) => {
        const { tile, poly } = mesh.locate(mesh.polygonOf(ref));
        return middleOf(tile, poly);
      },
    };
    this.#live = { mesh, query, steps, nearestGoal: new NearestGoal(query, island) };
    this.areaM2 = this.#topology.areaM2;
    this.bounds = { min: this.#topology.min, max: this.#topology.max };
    this.polygonCount = mesh.polygonCount;
    this.#check(where);
  }

  /** Builds the navmesh of a scene's solid triangles. */
  static async build(
    geometry: Geometry,
    settings: NavMeshSettings,
    where: string,
  ): Promise<NavMesh> {
    await startRecast();
    return new NavMesh(buildTiles(geometry, settings, where), where);
  }

  /** Reads a Habitat `.navmesh` file, version 1 or 2. */
  static async load(bytes: Uint8Array, where: string): Promise<NavMesh> {
    await startRecast();
    return new NavMesh(readMset(bytes, where), where);
  }

  /** The bytes of a Habitat `.navmesh` file, version 1. */
  save(): Uint8Array {
    return this.#alive().mesh.save();
  }

  /** The nearest point of the surface, at most 2 m away horizontally and 4 m vertically; else undefined. */
  snap(point: Vec3): Vec3 | undefined {
    return this.#alive().query.snap(point)?.point;
  }

  /** True if the point is on the surface, to within `maxYDeltaM` in height. */
  isNavigable(point: Vec3, maxYDeltaM = 0.5): boolean {
    const near = this.#alive().query.snap(point)?.point;
    if (near === undefined || Math.abs(near[1] - point[1]) > maxYDeltaM) return false;
    return Math.hypot(near[0] - point[0], near[2] - point[2]) <= SIDEWAYS_M;
  }

  /** Where a step from `from` towards `to` ends; see step.ts. */
  step(from: Vec3, to: Vec3, sliding: boolean): Vec3 {
    return step(this.#alive().steps, from, to, sliding);
  }

  /**
   * Length of Detour's path between the nearest points of the surface, like Habitat's geodesic distance;
   * Infinity if there is no path or an end is off the navmesh. It is the shortest path through the polygons
   * that Detour chooses: not always the shortest of all, and possibly different in the other direction.
   */
  distance(from: Vec3, to: Vec3): number {
    const { query } = this.#alive();
    const ends = this.#joined(from, to);
    return ends === undefined ? Infinity : query.pathLength(ends.start, ends.end);
  }

  /** The least of the distances to the goals; Infinity without goals. */
  distanceToAny(from: Vec3, goals: readonly Vec3[]): number {
    const { query, nearestGoal } = this.#alive();
    const start = query.snap(from);
    return start === undefined ? Infinity : nearestGoal.distance(start, goals);
  }

  /** The points that `distance` measures along, both ends included; empty if there is no path. */
  path(from: Vec3, to: Vec3): Vec3[] {
    const { query } = this.#alive();
    const ends = this.#joined(from, to);
    return ends === undefined ? [] : query.pathPoints(ends.start, ends.end);
  }

  /** Index of the connected part of the surface that holds the point; the largest part is 0. */
  island(point: Vec3): number | undefined {
    const place = this.#alive().query.snap(point);
    return place === undefined ? undefined : this.#topology.island[place.polygon];
  }

  get islandCount(): number {
    return this.#topology.islandCount;
  }

  islandAreaM2(island: number): number {
    return this.#topology.islandAreaM2[this.#known(island)] as number;
  }

  /** A random point, uniform over the area of one island or of all. */
  randomPoint(random: Random, island?: number): Vec3 {
    const { query } = this.#alive();
    if (island !== undefined) this.#known(island);
    for (let i = 0; i < DRAWS; i++) {
      const place = query.snap(this.#topology.randomPoint(random, island));
      if (place === undefined) continue;
      if (island === undefined || this.#topology.island[place.polygon] === island)
        return place.point;
    }
    throw new Error(`no point of island ${island} was found in ${DRAWS} draws`);
  }

  /** The walkable polygons as plain data. */
  surface(): WalkableSurface {
    return extractSurface(this.#alive().mesh, this.#topology);
  }

  /** Frees the memory that the garbage collector does not manage. Later queries throw. */
  dispose(): void {
    const live = this.#live;
    this.#live = undefined;
    live?.query.dispose();
    live?.mesh.dispose();
  }

  #alive(): Live {
    if (this.#live === undefined)
      throw new Error("this navmesh was disposed of and can no longer be queried");
    return this.#live;
  }

  #joined(from: Vec3, to: Vec3): { start: SurfacePoint; end: SurfacePoint } | undefined {
    const { query } = this.#alive();
    const start = query.snap(from);
    if (start === undefined) return undefined;
    const end = query.snap(to);
    if (end === undefined) return undefined;
    const { island } = this.#topology;
    return island[start.polygon] === island[end.polygon] ? { start, end } : undefined;
  }

  #known(island: number): number {
    const count = this.#topology.islandCount;
    if (Number.isInteger(island) && island >= 0 && island < count) return island;
    throw new RangeError(`island ${island} does not exist; valid: 0 to ${count - 1}`);
  }

  /**
   * Detects files that are well formed but inconsistent: most polygons must be found at their own position.
   */
  #check(where: string): void {
    const { mesh, query } = this.#alive();
    let walkable = 0;
    let found = 0;
    eachPolygon(mesh, (polygon, tile, poly) => {
      if ((this.#topology.island[polygon] as number) < 0) return;
      walkable++;
      const middle = middleOf(tile, poly);
      const near = query.snap(middle)?.point;
      if (near !== undefined && Math.hypot(near[0] - middle[0], near[2] - middle[2]) < 0.1) found++;
    });
    if (walkable > 0 && found >= walkable / 2) return;
    this.dispose();
    throw new DataError(
      walkable === 0 ? "empty_navmesh" : "damaged_navmesh",
      walkable === 0
        ? "the navmesh has no walkable polygon"
        : `only ${found} of the navmesh's ${walkable} polygons are found at their own position`,
      { where, hint: "Delete the file to have the navmesh built from the scene's geometry." },
    );
  }
}

interface Live {
  readonly mesh: DetourMesh;
  readonly query: DetourQuery;
  readonly steps: StepSurface;
  readonly nearestGoal: NearestGoal;
}
