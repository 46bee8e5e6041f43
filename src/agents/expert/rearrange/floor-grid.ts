/** Edge of a cell in metres. */
export const CELL_M = 0.05;

/** Maximum distance from the free floor of a base that drifted or was pushed off it. */
const DRIFT_M = 0.3;

export type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** Where the base can stand, sampled once per cell. */
export class FloorGrid {
  readonly width: number;
  readonly height: number;
  readonly #box: Box;
  readonly #isFree: (x: number, y: number) => boolean;
  /** 0 unknown, 1 free, 2 blocked. */
  readonly #cells: Uint8Array;

  constructor(box: Box, isFree: (x: number, y: number) => boolean) {
    this.#box = box;
    this.#isFree = isFree;
    this.width = Math.ceil((box[2] - box[0]) / CELL_M) + 1;
    this.height = Math.ceil((box[3] - box[1]) / CELL_M) + 1;
    this.#cells = new Uint8Array(this.width * this.height);
  }

  /** Index of the cell of a point; -1 outside of the box. */
  cellAt(x: number, y: number): number {
    const i = Math.round((x - this.#box[0]) / CELL_M);
    const j = Math.round((y - this.#box[1]) / CELL_M);
    return i < 0 || j < 0 || i >= this.width || j >= this.height ? -1 : j * this.width + i;
  }

  isFree(cell: number): boolean {
    if (cell < 0) return false;
    const known = this.#cells[cell];
    if (known !== 0) return known === 1;
    const x = this.#box[0] + (cell % this.width) * CELL_M;
    const y = this.#box[1] + Math.floor(cell / this.width) * CELL_M;
    const free = this.#isFree(x, y);
    this.#cells[cell] = free ? 1 : 2;
    return free;
  }

  /** Whether the base can drive straight between two points. From a place that is not free, it may drive to one that is. */
  isFreeBetween(x: number, y: number, toX: number, toY: number): boolean {
    const parts = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / CELL_M));
    let wasFree = this.isFree(this.cellAt(x, y));
    for (let i = 1; i <= parts; i++) {
      const share = i / parts;
      const isFree = this.isFree(this.cellAt(x + share * (toX - x), y + share * (toY - y)));
      if (wasFree && !isFree) return false;
      wasFree = isFree;
    }
    return wasFree;
  }

  /** The cell of a point, or the nearest free one if it is not free; -1 if there is none near it. */
  freeCellAt(x: number, y: number): number {
    const own = this.cellAt(x, y);
    if (this.isFree(own)) return own;
    const around = Math.round(DRIFT_M / CELL_M);
    let [nearest, leastM] = [-1, DRIFT_M];
    for (let j = -around; j <= around; j++) {
      for (let i = -around; i <= around; i++) {
        const awayM = Math.hypot(i, j) * CELL_M;
        const cell = this.cellAt(x + i * CELL_M, y + j * CELL_M);
        if (awayM >= leastM || !this.isFree(cell)) continue;
        [nearest, leastM] = [cell, awayM];
      }
    }
    return nearest;
  }

  /**
   * Distance of each cell from the free cells within `radiusM` of a point, along free cells; Infinity where there is
   * no way.
   */
  distancesFrom(x: number, y: number, radiusM: number): Float32Array {
    const distance = new Float32Array(this.#cells.length).fill(Infinity);
    const queue: number[] = [];
    const around = Math.ceil(radiusM / CELL_M);
    for (let j = -around; j <= around; j++) {
      for (let i = -around; i <= around; i++) {
        if (Math.hypot(i, j) * CELL_M > radiusM) continue;
        const cell = this.cellAt(x + i * CELL_M, y + j * CELL_M);
        if (!this.isFree(cell) || distance[cell] === 0) continue;
        distance[cell] = 0;
        queue.push(cell);
      }
    }
    // Steps along the axes only, so that a queue is enough; `OCTILE` makes up for the detour of diagonals.
    for (let head = 0; head < queue.length; head++) {
      const cell = queue[head] as number;
      const next = (distance[cell] as number) + CELL_M;
      for (const near of this.#neighbours(cell)) {
        if (distance[near] !== Infinity || !this.isFree(near)) continue;
        distance[near] = next;
        queue.push(near);
      }
    }
    return distance;
  }

  #neighbours(cell: number): number[] {
    const column = cell % this.width;
    const near: number[] = [];
    if (column > 0) near.push(cell - 1);
    if (column + 1 < this.width) near.push(cell + 1);
    if (cell >= this.width) near.push(cell - this.width);
    if (cell + this.width < this.width * this.height) near.push(cell + this.width);
    return near;
  }
}
