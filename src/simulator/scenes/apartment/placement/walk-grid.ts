import type { Point } from "../plan/outline.js";
import type { Rect } from "../plan/types.js";

const CELL_M = 0.1;
/** Half the width of a comfortable path, 0.7 m. */
const WAY_M = 0.35;
/** Clearance of a robot with a radius of 0.1 m, plus a margin for the voxels of a navmesh. */
const ROBOT_M = 0.14;
/** Largest area of free floor that may be cut off, in square metres. */
const POCKET_M2 = 0.2;

/**
 * The free floor of a room in small cells that count the obstacles on each. One layer is for comfortable
 * paths, one for everything that a robot can reach.
 */
export class WalkGrid {
  readonly #nx: number;
  readonly #nz: number;
  readonly #x0: number;
  readonly #z0: number;
  readonly #ways: Uint8Array;
  readonly #robot: Uint8Array;
  readonly #seen: Uint8Array;
  readonly #queue: Int32Array;
  /** Cells just inside the doors. */
  readonly #doors: readonly number[];

  constructor(cells: readonly Rect[], doors: readonly Point[]) {
    this.#x0 = Math.min(...cells.map((c) => c.x0));
    this.#z0 = Math.min(...cells.map((c) => c.z0));
    this.#nx = Math.ceil((Math.max(...cells.map((c) => c.x1)) - this.#x0) / CELL_M);
    this.#nz = Math.ceil((Math.max(...cells.map((c) => c.z1)) - this.#z0) / CELL_M);
    const size = this.#nx * this.#nz;
    this.#ways = new Uint8Array(size);
    this.#robot = new Uint8Array(size);
    this.#seen = new Uint8Array(size);
    this.#queue = new Int32Array(size);
    for (let i = 0; i < size; i++) {
      const x = this.#middleX(i);
      const z = this.#middleZ(i);
      if (!roomy(cells, x, z, WAY_M)) this.#ways[i] = 1;
      if (!roomy(cells, x, z, ROBOT_M)) this.#robot[i] = 1;
    }
    this.#doors = doors.map(([x, z]) => this.#nearestFree(x, z));
  }

  add(rect: Rect): void {
    this.#mark(this.#ways, rect, WAY_M, 1);
    this.#mark(this.#robot, rect, ROBOT_M, 1);
  }

  remove(rect: Rect): void {
    this.#mark(this.#ways, rect, WAY_M, -1);
    this.#mark(this.#robot, rect, ROBOT_M, -1);
  }

  /**
   * Whether all doors are still connected, the given share of the wide floor is connected, and no relevant
   * area is cut off.
   */
  joined(share: number): boolean {
    const from = this.#doors[0];
    if (from === undefined) return true;
    const wide = this.#flood(this.#ways, from);
    if (this.#doors.some((door) => this.#seen[door] === 0)) return false;
    if (wide < share * this.#free(this.#ways)) return false;
    const all = this.#flood(this.#robot, from);
    return (this.#free(this.#robot) - all) * CELL_M * CELL_M <= POCKET_M2;
  }

  #flood(layer: Uint8Array, from: number): number {
    const [seen, queue, nx, nz] = [this.#seen, this.#queue, this.#nx, this.#nz];
    seen.fill(0);
    let end = 0;
    const visit = (i: number): void => {
      if (seen[i] || layer[i] !== 0) return;
      seen[i] = 1;
      queue[end++] = i;
    };
    visit(from);
    for (let at = 0; at < end; at++) {
      const i = queue[at] as number;
      const x = i % nx;
      if (x > 0) visit(i - 1);
      if (x < nx - 1) visit(i + 1);
      if (i >= nx) visit(i - nx);
      if (i < nx * (nz - 1)) visit(i + nx);
    }
    return end;
  }

  #free(layer: Uint8Array): number {
    let count = 0;
    for (let i = 0; i < layer.length; i++) if (layer[i] === 0) count++;
    return count;
  }

  #mark(layer: Uint8Array, rect: Rect, reach: number, by: 1 | -1): void {
    // Cells whose centre is nearer than `reach`.
    const low = (v: number, origin: number) =>
      Math.max(0, Math.ceil((v - reach - origin) / CELL_M - 0.5));
    const high = (v: number, origin: number, n: number) =>
      Math.min(n - 1, Math.floor((v + reach - origin) / CELL_M - 0.5));
    const [i0, i1] = [low(rect.x0, this.#x0), high(rect.x1, this.#x0, this.#nx)];
    for (let j = low(rect.z0, this.#z0); j <= high(rect.z1, this.#z0, this.#nz); j++) {
      for (let i = i0; i <= i1; i++) {
        const at = j * this.#nx + i;
        layer[at] = (layer[at] as number) + by;
      }
    }
  }

  #middleX(i: number): number {
    return this.#x0 + ((i % this.#nx) + 0.5) * CELL_M;
  }

  #middleZ(i: number): number {
    return this.#z0 + (Math.floor(i / this.#nx) + 0.5) * CELL_M;
  }

  #nearestFree(x: number, z: number): number {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#ways.length; i++) {
      if (this.#ways[i] !== 0) continue;
      const dx = this.#middleX(i) - x;
      const dz = this.#middleZ(i) - z;
      const d = dx * dx + dz * dz;
      if (d < least) {
        least = d;
        best = i;
      }
    }
    return best;
  }
}

/** Whether the square with this half-width around a point lies inside the room. */
function roomy(cells: readonly Rect[], x: number, z: number, half: number): boolean {
  return inside(cells, { x0: x - half, z0: z - half, x1: x + half, z1: z + half });
}

/** Whether a rectangle lies entirely inside disjoint cells. */
export function inside(cells: readonly Rect[], rect: Rect): boolean {
  let area = 0;
  for (const c of cells) {
    const w = Math.min(c.x1, rect.x1) - Math.max(c.x0, rect.x0);
    const d = Math.min(c.z1, rect.z1) - Math.max(c.z0, rect.z0);
    if (w > 0 && d > 0) area += w * d;
  }
  return area > (rect.x1 - rect.x0) * (rect.z1 - rect.z0) - 1e-6;
}
