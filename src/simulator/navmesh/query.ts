import { DataError } from "../../core/errors.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { DetourMesh } from "./detour-mesh.js";
import {
  Detour,
  type Pointer,
  Raw,
  type RawArray,
  type RawFilter,
  type RawQuery,
} from "./recast.js";
import { HEADER, WALK } from "./tile.js";
import type { Topology } from "./topology.js";

/** A point on the surface and the polygon it lies on. */
export interface SurfacePoint {
  readonly ref: number;
  readonly polygon: number;
  readonly point: Vec3;
}

/** Half extents of the box in which Habitat searches for the surface. */
const SNAP_BOX: Vec3 = [2, 4, 2];
/** Detour numbers search nodes in 16 bits. */
const MAX_NODES = 65_535;

/** Offsets in the memory block that all calls share. */
const AT = {
  start: 0,
  end: 12,
  result: 24,
  box: 36,
  smallBox: 48,
  ref: 60,
  count: 64,
  isOver: 68,
  hit: 72,
  size: 112,
} as const;
/** dtRaycastHit: t, normal (3), edge, path, path count, path capacity, cost; four bytes each. */
const HIT = { t: 0, path: 20, pathCount: 24, pathCapacity: 28 } as const;
const HIT_PATH = 256;

/** Detour's searches, without allocations and with validated input. Results depend on the arguments alone. */
export class DetourQuery {
  readonly #query: RawQuery;
  readonly #rawFilter: RawFilter;
  readonly #filter: Pointer;
  readonly #block: Pointer;
  readonly #hitPath: Pointer;
  readonly #path: RawArray;
  readonly #pathAt: Pointer;
  readonly #points: RawArray;
  readonly #noFlags: RawArray;
  readonly #noRefs: RawArray;
  readonly #climb: number;
  readonly #low: Vec3;
  readonly #high: Vec3;
  #pathCapacity = 256;

  constructor(
    private readonly mesh: DetourMesh,
    topology: Topology,
    private readonly where: string,
  ) {
    this.#query = new Raw.Module.NavMeshQuery();
    // Across tiles, a polygon may be entered from several sides; each is a separate search node.
    const nodes = mesh.polygonCount * (mesh.tiles.length > 1 ? 4 : 1);
    const status = this.#query.init(mesh.raw, Math.min(MAX_NODES, Math.max(64, nodes)));
    if (!Raw.Detour.statusSucceed(status)) throw new Error("Detour cannot start a query");
    this.#rawFilter = new Raw.Module.dtQueryFilter();
    this.#rawFilter.setIncludeFlags(WALK);
    this.#rawFilter.setExcludeFlags(0);
    this.#filter = Raw.Module.getPointer(this.#rawFilter);
    this.#block = Raw.Module._malloc(AT.size);
    this.#hitPath = Raw.Module._malloc(4 * HIT_PATH);
    this.#path = new Raw.Module.UnsignedIntArray();
    this.#pathAt = Raw.Module.getPointer(this.#path);
    this.#points = new Raw.Module.FloatArray();
    this.#points.resize(3 * (this.#pathCapacity + 2));
    this.#noFlags = new Raw.Module.UnsignedCharArray();
    this.#noRefs = new Raw.Module.UnsignedIntArray();
    this.#climb = Math.min(
      ...mesh.tiles.map((tile) => tile.f32[HEADER.walkableClimb / 4] as number),
    );
    this.#write(AT.box, SNAP_BOX);
    this.#write(AT.smallBox, [0.01, 2 * this.#climb + 0.5, 0.01]);
    const reach = (point: Vec3, sign: number): Vec3 => [
      point[0] + sign * (SNAP_BOX[0] + 1),
      point[1] + sign * (SNAP_BOX[1] + 1),
      point[2] + sign * (SNAP_BOX[2] + 1),
    ];
    this.#low = reach(topology.min, -1);
    this.#high = reach(topology.max, 1);
  }

  /** The nearest point of the surface within Habitat's search box; undefined if there is none. */
  snap(point: Vec3): SurfacePoint | undefined {
    // Distant points and NaN would overflow Detour's tile coordinates.
    const [x, y, z] = point;
    const [lowX, lowY, lowZ] = this.#low;
    const [highX, highY, highZ] = this.#high;
    if (!(x >= lowX && x <= highX && y >= lowY && y <= highY && z >= lowZ && z <= highZ))
      return undefined;
    this.#write(AT.start, point);
    // Detour treats polygons straight above or below within the climb as distance 0 and takes the first of
    // them. All of these touch the small box, so the search there finds the same polygon faster. The box is
    // tall enough for a surface that deviates from the polygons' bounding boxes by up to one climb.
    const found = this.#nearest(AT.smallBox);
    if (
      found !== undefined &&
      Raw.Module.HEAPU8[this.#block + AT.isOver] === 1 &&
      Math.abs(found.point[1] - y) <= 0.99 * this.#climb
    )
      return found;
    return this.#nearest(AT.box);
  }

  #nearest(box: Pointer): SurfacePoint | undefined {
    const block = this.#block;
    Raw.Module.HEAPU32[(block + AT.ref) >> 2] = 0;
    this.#query.findNearestPoly(
      block + AT.start,
      block + box,
      this.#filter,
      block + AT.ref,
      block + AT.result,
      block + AT.isOver,
    );
    const ref = Raw.Module.HEAPU32[(block + AT.ref) >> 2] as number;
    if (ref === 0) return undefined;
    return { ref, polygon: this.mesh.polygonOf(ref), point: this.#read(AT.result) };
  }

  /** The point of the polygon that is nearest to `point`, at the surface's height. */
  closestOn(ref: number, point: Vec3): Vec3 {
    const block = this.#block;
    this.#write(AT.start, point);
    this.#query.closestPointOnPoly(ref, block + AT.start, block + AT.result, block + AT.isOver);
    return this.#read(AT.result);
  }

  /** Length of Detour's path between two connected points. */
  pathLength(from: SurfacePoint, to: SurfacePoint): number {
    if (from.polygon === to.polygon) return distance3(from.point, to.point);
    const count = this.#findPath(from, to);
    const floats = Raw.Module.HEAPF32;
    const first = this.#points.getDataPointer() >> 2;
    let sum = 0;
    for (let i = first + 3; i < first + 3 * count; i += 3) {
      const dx = (floats[i] as number) - (floats[i - 3] as number);
      const dy = (floats[i + 1] as number) - (floats[i - 2] as number);
      const dz = (floats[i + 2] as number) - (floats[i - 1] as number);
      sum += Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
    return sum;
  }

  pathPoints(from: SurfacePoint, to: SurfacePoint): Vec3[] {
    if (from.polygon === to.polygon) return [from.point, to.point];
    const count = this.#findPath(from, to);
    const floats = Raw.Module.HEAPF32;
    const first = this.#points.getDataPointer() >> 2;
    return Array.from({ length: count }, (_, i): Vec3 => {
      const at = first + 3 * i;
      return [floats[at] as number, floats[at + 1] as number, floats[at + 2] as number];
    });
  }

  /** Writes the straightened path to `#points` and returns the number of its points. */
  #findPath(from: SurfacePoint, to: SurfacePoint): number {
    const block = this.#block;
    const start = block + AT.start;
    const end = block + AT.end;
    this.#write(AT.start, from.point);
    this.#write(AT.end, to.point);
    for (;;) {
      const status = this.#query.findPath(
        from.ref,
        to.ref,
        start,
        end,
        this.#filter,
        this.#pathAt,
        this.#pathCapacity,
      );
      const length = this.#path.size;
      const last = Raw.Module.HEAPU32[(this.#path.getDataPointer() >> 2) + length - 1];
      if (length > 0 && last === to.ref) break;
      if ((status & Detour.DT_BUFFER_TOO_SMALL) === 0) throw this.#lost(status);
      this.#pathCapacity *= 4;
      this.#points.resize(3 * (this.#pathCapacity + 2));
    }
    this.#query.findStraightPath(
      start,
      end,
      this.#pathAt,
      Raw.Module.getPointer(this.#points),
      Raw.Module.getPointer(this.#noFlags),
      Raw.Module.getPointer(this.#noRefs),
      block + AT.count,
      this.#pathCapacity + 2,
      0,
    );
    return Raw.Module.HEAP32[(block + AT.count) >> 2] as number;
  }

  /** The polygons are connected, so only the search's own limits can have stopped it. */
  #lost(status: number): DataError {
    return new DataError(
      "navmesh_too_large",
      `a path search ran out of nodes on ${this.mesh.polygonCount} polygons (Detour's status ${status})`,
      { where: this.where, hint: "Use larger voxels (cell size) for this scene." },
    );
  }

  /** Moves towards `to` and slides along walls. The result may be off the surface by rounding. */
  slide(from: SurfacePoint, to: Vec3): SurfacePoint | undefined {
    const block = this.#block;
    this.#write(AT.start, from.point);
    this.#write(AT.end, to);
    this.#query.moveAlongSurface(
      from.ref,
      block + AT.start,
      block + AT.end,
      this.#filter,
      block + AT.result,
      this.#pathAt,
      this.#pathCapacity,
    );
    const visited = this.#path.size;
    if (visited === 0) return undefined;
    const ref = Raw.Module.HEAPU32[(this.#path.getDataPointer() >> 2) + visited - 1] as number;
    return { ref, polygon: this.mesh.polygonOf(ref), point: this.#read(AT.result) };
  }

  /** The share of the way to `to` that is free in a straight line, 0 to 1, and the last polygon on it. */
  ray(from: SurfacePoint, to: Vec3): { readonly share: number; readonly ref: number } {
    const block = this.#block;
    const hit = (block + AT.hit) >> 2;
    this.#write(AT.start, from.point);
    this.#write(AT.end, to);
    const { HEAPU32 } = Raw.Module;
    HEAPU32[hit + HIT.path / 4] = this.#hitPath;
    HEAPU32[hit + HIT.pathCount / 4] = 0;
    HEAPU32[hit + HIT.pathCapacity / 4] = HIT_PATH;
    Raw.Module.HEAPF32[hit + HIT.t / 4] = 0;
    this.#query.raycast(
      from.ref,
      block + AT.start,
      block + AT.end,
      this.#filter,
      0,
      block + AT.hit,
      0,
    );
    const share = Math.min(1, Math.max(0, Raw.Module.HEAPF32[hit + HIT.t / 4] as number));
    const count = Raw.Module.HEAPU32[hit + HIT.pathCount / 4] as number;
    const last = Raw.Module.HEAPU32[(this.#hitPath >> 2) + count - 1] as number;
    return { share, ref: count > 0 ? last : from.ref };
  }

  dispose(): void {
    this.#query.destroy();
    for (const object of [
      this.#query,
      this.#rawFilter,
      this.#path,
      this.#points,
      this.#noFlags,
      this.#noRefs,
    ])
      Raw.destroy(object);
    Raw.Module._free(this.#block);
    Raw.Module._free(this.#hitPath);
  }

  #write(offset: number, point: Vec3): void {
    const at = (this.#block + offset) >> 2;
    const floats = Raw.Module.HEAPF32;
    floats[at] = point[0];
    floats[at + 1] = point[1];
    floats[at + 2] = point[2];
  }

  #read(offset: number): Vec3 {
    const at = (this.#block + offset) >> 2;
    const floats = Raw.Module.HEAPF32;
    return [floats[at] as number, floats[at + 1] as number, floats[at + 2] as number];
  }
}
