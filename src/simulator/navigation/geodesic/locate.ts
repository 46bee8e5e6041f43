import type { Vec3 } from "../../../core/math/vec3.js";
import { type Floor, floorNear, SNAP_XZ_M } from "./floor.js";
import { nextEdge, previousEdge, type TriangleMesh } from "./mesh.js";
import { dot, minus, scaled } from "./vectors.js";

/** A point of the surface and the triangles that hold it: one inside, two on an edge, a whole fan at a vertex. */
export interface SurfacePoint {
  readonly point: Vec3;
  readonly places: readonly [TrianglePlace, ...TrianglePlace[]];
}

export interface TrianglePlace {
  readonly triangle: number;
  /** Where the point lies in the frame of each of the triangle's three half-edges. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly isOnEdge: readonly boolean[];
}

/** Metres within which a point counts as on an edge, and so as part of the triangle across. */
const TOUCH_M = 1e-11;

/** Cells of the grid are this wide, or wider where the surface is so large that they would be too many. */
const CELL_M = 1;
const CELLS_ACROSS = 256;

/** Finds the floor a point belongs to, through a plan grid of triangles. */
export class Locator {
  readonly #mesh: TriangleMesh;
  readonly #cells = new Map<number, number[]>();
  readonly #minX: number;
  readonly #minZ: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #cellM: number;
  readonly #seen: Int32Array;
  #search = 0;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    const bounds = planBounds(mesh.positions);
    this.#minX = bounds.minX;
    this.#minZ = bounds.minZ;
    const width = bounds.maxX - bounds.minX;
    const depth = bounds.maxZ - bounds.minZ;
    this.#cellM = Math.max(CELL_M, width / CELLS_ACROSS, depth / CELLS_ACROSS);
    this.#columns = Math.floor(width / this.#cellM) + 1;
    this.#rows = Math.floor(depth / this.#cellM) + 1;
    this.#seen = new Int32Array(mesh.triangleCount);
    for (let t = 0; t < mesh.triangleCount; t++) {
      const [ax, , az] = this.#corner(3 * t);
      const [bx, , bz] = this.#corner(3 * t + 1);
      const [cx, , cz] = this.#corner(3 * t + 2);
      this.#eachCell(
        Math.min(ax, bx, cx),
        Math.min(az, bz, cz),
        Math.max(ax, bx, cx),
        Math.max(az, bz, cz),
        (cell) => {
          const list = this.#cells.get(cell);
          if (list) list.push(t);
          else this.#cells.set(cell, [t]);
        },
      );
    }
  }

  /** The floor a point belongs to, see `floorNear`; undefined when there is none in the box around it. */
  locate(p: Vec3): SurfacePoint | undefined {
    let best: Floor | undefined;
    let bestTriangle = -1;
    this.#search++;
    // The point's own cell first: what it holds narrows the box that must be looked through.
    for (const pass of [0, 1]) {
      const reach = pass * Math.min(SNAP_XZ_M, best?.away ?? SNAP_XZ_M);
      this.#eachCell(p[0] - reach, p[2] - reach, p[0] + reach, p[2] + reach, (cell) => {
        for (const t of this.#cells.get(cell) ?? []) {
          if (this.#seen[t] === this.#search) continue;
          this.#seen[t] = this.#search;
          const h = 3 * t;
          const floor = floorNear(p, this.#corner(h), this.#corner(h + 1), this.#corner(h + 2));
          if (!floor || (best && !isNearer(floor, t, best, bestTriangle))) continue;
          best = floor;
          bestTriangle = t;
        }
      });
    }
    return best && { point: best.point, places: this.#placesOf(best.point, bestTriangle) };
  }

  #placesOf(point: Vec3, triangle: number): SurfacePoint["places"] {
    const { opposite } = this.#mesh;
    const places: [TrianglePlace, ...TrianglePlace[]] = [this.#placeIn(point, triangle)];
    // The list grows while it is walked, as far as the point lies on edges.
    for (const { triangle: t, isOnEdge } of places) {
      for (const [k, isOn] of isOnEdge.entries()) {
        const across = opposite[3 * t + k] as number;
        const other = Math.floor(across / 3);
        if (!isOn || across < 0 || places.some((known) => known.triangle === other)) continue;
        places.push(this.#placeIn(point, other));
      }
    }
    return places;
  }

  #placeIn(p: Vec3, triangle: number): TrianglePlace {
    const { length, apexX } = this.#mesh;
    const x: number[] = [];
    const y: number[] = [];
    const isOnEdge: boolean[] = [];
    for (let h = 3 * triangle; h < 3 * triangle + 3; h++) {
      const a = this.#corner(h);
      const along = scaled(minus(this.#corner(nextEdge(h)), a), 1 / (length[h] as number));
      const up = minus(minus(this.#corner(previousEdge(h)), a), scaled(along, apexX[h] as number));
      const height = Math.sqrt(dot(up, up));
      const offset = minus(p, a);
      const across = dot(offset, along);
      // The part along the edge is taken off first, or in a sliver its rounding would drown the height.
      const rest = minus(offset, scaled(along, across));
      const above = height > 0 ? Math.max(0, dot(rest, up) / height) : 0;
      const end = length[h] as number;
      x.push(across);
      y.push(above);
      isOnEdge.push(above <= TOUCH_M && across >= -TOUCH_M && across <= end + TOUCH_M);
    }
    return { triangle, x, y, isOnEdge };
  }

  #corner(h: number): Vec3 {
    const { origin, positions } = this.#mesh;
    const at = 3 * (origin[h] as number);
    return [positions[at] as number, positions[at + 1] as number, positions[at + 2] as number];
  }

  #eachCell(
    minX: number,
    minZ: number,
    maxX: number,
    maxZ: number,
    visit: (cell: number) => void,
  ): void {
    const column = (x: number) => Math.floor((x - this.#minX) / this.#cellM);
    const row = (z: number) => Math.floor((z - this.#minZ) / this.#cellM);
    const lastRow = Math.min(row(maxZ), this.#rows - 1);
    const lastColumn = Math.min(column(maxX), this.#columns - 1);
    for (let r = Math.max(0, row(minZ)); r <= lastRow; r++) {
      for (let c = Math.max(0, column(minX)); c <= lastColumn; c++) visit(r * this.#columns + c);
    }
  }
}

function isNearer(a: Floor, triangle: number, b: Floor, other: number): boolean {
  if (a.away !== b.away) return a.away < b.away;
  return a.distance === b.distance ? triangle < other : a.distance < b.distance;
}

function planBounds(positions: Float64Array) {
  let minX = 0;
  let minZ = 0;
  let maxX = 0;
  let maxZ = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] as number;
    const z = positions[i + 2] as number;
    minX = i === 0 ? x : Math.min(minX, x);
    maxX = i === 0 ? x : Math.max(maxX, x);
    minZ = i === 0 ? z : Math.min(minZ, z);
    maxZ = i === 0 ? z : Math.max(maxZ, z);
  }
  return { minX, minZ, maxX, maxZ };
}
