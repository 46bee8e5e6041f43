import { clipBetween, highest, lowest, type Polygon } from "./clip.js";
import type { CellRectangle } from "./largest-rectangle.js";

/** Largest side of a cell. */
const CELL_M = 0.02;
/** Cells around the surface, from which it must be reachable. */
const RIM = 4;
/** A face on the border of two cells blocks both, so that nothing passes between them. */
const TOUCH_M = 1e-4;

/** Cells over the bounds of a level surface and a rim around it, in the surface's own axes. */
export class CellGrid {
  readonly columns: number;
  readonly #rows: number;
  readonly #origin: readonly [x: number, z: number];
  readonly #cellM: readonly [x: number, z: number];
  readonly #covered: Uint8Array;
  readonly #blocked: Uint8Array;

  private constructor(min: readonly [number, number], max: readonly [number, number]) {
    const [x, z] = [max[0] - min[0], max[1] - min[1]];
    // The cells fill the bounds exactly, so that a rectangle ends where the furniture does.
    const counts = [
      Math.max(1, Math.ceil(x / CELL_M - 1e-3)),
      Math.max(1, Math.ceil(z / CELL_M - 1e-3)),
    ] as const;
    this.#cellM = [x / counts[0], z / counts[1]];
    this.#origin = [min[0] - RIM * this.#cellM[0], min[1] - RIM * this.#cellM[1]];
    this.columns = counts[0] + 2 * RIM;
    this.#rows = counts[1] + 2 * RIM;
    this.#covered = new Uint8Array(this.columns * this.#rows);
    this.#blocked = new Uint8Array(this.columns * this.#rows);
  }

  static over(polygons: readonly Polygon[]): CellGrid {
    const low = (axis: 0 | 2) => Math.min(...polygons.map((polygon) => lowest(polygon, axis)));
    const high = (axis: 0 | 2) => Math.max(...polygons.map((polygon) => highest(polygon, axis)));
    return new CellGrid([low(0), low(2)], [high(0), high(2)]);
  }

  /** Marks the cells whose centres are in one of the triangles. */
  cover(triangles: readonly Polygon[]): void {
    const [ox, oz] = this.#origin;
    const [w, d] = this.#cellM;
    for (const triangle of triangles) {
      const [x0, x1] = span(triangle, 0, ox, w, this.columns);
      const [z0, z1] = span(triangle, 2, oz, d, this.#rows);
      for (let z = z0; z <= z1; z++) {
        for (let x = x0; x <= x1; x++) {
          if (isIn(triangle, ox + w * (x + 0.5), oz + d * (z + 0.5))) {
            this.#covered[z * this.columns + x] = 1;
          }
        }
      }
    }
  }

  /** Whether the bounds of a polygon, seen from above, overlap the grid. */
  reaches(polygon: Polygon): boolean {
    const [x, z] = this.#origin;
    return (
      highest(polygon, 0) > x &&
      lowest(polygon, 0) < x + this.#cellM[0] * this.columns &&
      highest(polygon, 2) > z &&
      lowest(polygon, 2) < z + this.#cellM[1] * this.#rows
    );
  }

  /** Marks the cells that a polygon, seen from above, has a part in. */
  block(polygon: Polygon): void {
    const [ox, oz] = this.#origin;
    const [w, d] = this.#cellM;
    const [z0, z1] = span(polygon, 2, oz, d, this.#rows);
    for (let row = z0; row <= z1; row++) {
      const z = oz + d * row;
      const strip = clipBetween(polygon, 2, z - TOUCH_M, z + d + TOUCH_M);
      const [x0, x1] = span(strip, 0, ox, w, this.columns, TOUCH_M);
      // A convex polygon has a part in every cell between its ends.
      for (let x = x0; x <= x1; x++) this.#blocked[row * this.columns + x] = 1;
    }
  }

  /** Covered cells that a hand can reach from outside without passing a blocked one. */
  freeCells(): Uint8Array {
    const open = new Uint8Array(this.#blocked.length);
    const queue: number[] = [];
    const visit = (x: number, z: number) => {
      if (x < 0 || z < 0 || x >= this.columns || z >= this.#rows) return;
      const i = z * this.columns + x;
      if (open[i] || this.#blocked[i]) return;
      open[i] = 1;
      queue.push(i);
    };
    for (let x = 0; x < this.columns; x++) {
      visit(x, 0);
      visit(x, this.#rows - 1);
    }
    for (let z = 0; z < this.#rows; z++) {
      visit(0, z);
      visit(this.columns - 1, z);
    }
    for (let i = queue.pop(); i !== undefined; i = queue.pop()) {
      const [x, z] = [i % this.columns, Math.floor(i / this.columns)];
      visit(x - 1, z);
      visit(x + 1, z);
      visit(x, z - 1);
      visit(x, z + 1);
    }
    return open.map((reached, i) => reached & (this.#covered[i] as number));
  }

  /** Number of cells that make up at least a length. */
  cellsFor(lengthM: number): [x: number, z: number] {
    const [x, z] = this.#cellM;
    return [Math.ceil(lengthM / x - 1e-6), Math.ceil(lengthM / z - 1e-6)];
  }

  /** In metres. */
  boundsOf({ x0, x1, z0, z1 }: CellRectangle): CellRectangle {
    const [x, z] = this.#origin;
    const [w, d] = this.#cellM;
    return { x0: x + w * x0, x1: x + w * x1, z0: z + d * z0, z1: z + d * z1 };
  }
}

/** The first and last cell along an axis that a polygon's bounds touch; none if the first is after the last. */
function span(
  polygon: Polygon,
  axis: 0 | 2,
  origin: number,
  cellM: number,
  count: number,
  marginM = 0,
): [first: number, last: number] {
  if (polygon.length === 0) return [0, -1];
  const cellAt = (x: number) => Math.floor((x - origin) / cellM);
  return [
    Math.max(0, cellAt(lowest(polygon, axis) - marginM)),
    Math.min(count - 1, cellAt(highest(polygon, axis) + marginM)),
  ];
}

/** Whether a point is in a convex polygon seen from above, whichever way round it is. */
function isIn(polygon: Polygon, x: number, z: number): boolean {
  let left = false;
  let right = false;
  const count = polygon.length / 3;
  for (let i = 0; i < count; i++) {
    const [a, b] = [3 * i, 3 * ((i + 1) % count)];
    const [ax, az] = [polygon[a] as number, polygon[a + 2] as number];
    const [bx, bz] = [polygon[b] as number, polygon[b + 2] as number];
    const side = (bx - ax) * (z - az) - (bz - az) * (x - ax);
    if (side > 0) left = true;
    if (side < 0) right = true;
  }
  return !(left && right);
}
