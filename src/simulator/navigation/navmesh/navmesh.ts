import { DataError } from "../../../core/errors.js";
import type { Random } from "../../../core/math/random.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { buildTiles, type Geometry } from "./build.js";
import { DetourMesh } from "./detour-mesh.js";
import { NearestGoal } from "./goals.js";
import { readMset, type TileSet } from "./mset.js";
import { DetourQuery, type Place } from "./query.js";
import { startRecast } from "./recast.js";
import type { NavMeshSettings } from "./settings.js";
import { type StepSurface, step } from "./step.js";
import type { WalkableSurface } from "./surface.js";
import { extractSurface } from "./surface-of.js";
import { eachPolygon, middleOf, Topology } from "./topology.js";

/** Habitat's `is_navigable` lets a point be this far off the surface sideways. */
const SIDEWAYS_M = 1e-2;
/** A drawn point can round onto another island's edge; then one draws again. */
const DRAWS = 100;

/**
 * Where a body can stand and walk in a scene: Recast's navmesh with Detour's queries, as in Habitat's
 * `PathFinder`. Answers are pure functions of the mesh and the arguments. Detour computes in single
 * precision; coordinates that come back are single-precision numbers.
 *
 * The mesh lives outside the garbage collector's reach: whoever makes one calls `dispose`.
 */
export class NavMesh {
  readonly areaM2: number;
  /** Of the walkable surface. */
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

  /** From a scene's solid triangles. */
  static async build(
    geometry: Geometry,
    settings: NavMeshSettings,
    where: string,
  ): Promise<NavMesh> {
    await startRecast();
    return new NavMesh(buildTiles(geometry, settings, where), where);
  }

  /** From a Habitat `.navmesh` file, version 1 or 2. */
  static async load(bytes: Uint8Array, where: string): Promise<NavMesh> {
    await startRecast();
    return new NavMesh(readMset(bytes, where), where);
  }

  /** As Habitat reads it, version 1. */
  save(): Uint8Array {
    return this.#alive().mesh.save();
  }

  /** The nearest point of the surface, at most 2 m aside and 4 m above or below; undefined off the mesh. */
  snap(point: Vec3): Vec3 | undefined {
    return this.#alive().query.snap(point)?.point;
  }

  /** Whether one can stand there: on the surface, give or take `maxYDeltaM` in height. */
  isNavigable(point: Vec3, maxYDeltaM = 0.5): boolean {
    const near = this.#alive().query.snap(point)?.point;
    if (near === undefined || Math.abs(near[1] - point[1]) > maxYDeltaM) return false;
    return Math.hypot(near[0] - point[0], near[2] - point[2]) <= SIDEWAYS_M;
  }

  /** Where one ends up on the way from `from` to `to`; see step.ts. */
  step(from: Vec3, to: Vec3, sliding: boolean): Vec3 {
    return step(this.#alive().steps, from, to, sliding);
  }

  /**
   * Length of Detour's path between the nearest points of the surface, as Habitat's geodesic distance;
   * Infinity when there is none or an end is off the mesh. It is the shortest through the polygons Detour
   * chooses, not always the shortest of all, and may differ from the way back.
   */
  distance(from: Vec3, to: Vec3): number {
    const { query } = this.#alive();
    const ends = this.#joined(from, to);
    return ends === undefined ? Infinity : query.pathLength(ends.start, ends.end);
  }

  /** The least of the distances to the goals; Infinity for none. */
  distanceToAny(from: Vec3, goals: readonly Vec3[]): number {
    const { query, nearestGoal } = this.#alive();
    const start = query.snap(from);
    return start === undefined ? Infinity : nearestGoal.distance(start, goals);
  }

  /** The points `distance` measures along, both ends included; empty when there is no way. */
  path(from: Vec3, to: Vec3): Vec3[] {
    const { query } = this.#alive();
    const ends = this.#joined(from, to);
    return ends === undefined ? [] : query.pathPoints(ends.start, ends.end);
  }

  /** Number of the part of the surface one can walk to from there; the largest is 0. */
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

  /** Even over the area, of one island or of all. */
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

  /** Frees the memory outside the garbage collector's reach. Later questions throw. */
  dispose(): void {
    const live = this.#live;
    this.#live = undefined;
    live?.query.dispose();
    live?.mesh.dispose();
  }

  #alive(): Live {
    if (this.#live === undefined)
      throw new Error("this navmesh was disposed of and can no longer be asked");
    return this.#live;
  }

  #joined(from: Vec3, to: Vec3): { start: Place; end: Place } | undefined {
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
    throw new RangeError(`there is no island ${island}; valid: 0 to ${count - 1}`);
  }

  /** Finds files that are well formed and still make no sense: most polygons must be found in their place. */
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
        ? "the navmesh has no polygon one can walk on"
        : `only ${found} of the navmesh's ${walkable} polygons are found where they lie`,
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
