import { isInside } from "../scenes/geometry.js";
import { outlines } from "./outlines.js";
import { boundsOf, type PlanPolygon, type Point } from "./plan.js";

/** Width of a grid cell: still visible on the map, with at most a few thousand cells. */
const MIN_CELL_M = 0.05;
const CELLS_PER_RADIUS = 60;
/** The centre of an object is not walkable; the nearest floor within this distance replaces it. */
const NEAR_M = 1;

/**
 * The outline of the area within a walking distance of a point. Distances are straight where nothing is in
 * the way (each cell stores the last corner it was seen from, as in Theta*: Nash et al., AAAI 2007), so the
 * border is round and accurate to about a cell.
 */
export function walkableWithin(
  polygons: readonly PlanPolygon[],
  goal: Point,
  radiusM: number,
): Point[][] {
  const cell = Math.max(MIN_CELL_M, radiusM / CELLS_PER_RADIUS);
  const half = Math.ceil(radiusM / cell) + 1;
  const size = 2 * half + 1;
  const free = rasterise(polygons, goal, cell, half);
  const origin = nearestFree(free, half, Math.min(NEAR_M, radiusM) / cell);
  if (origin === undefined) return [];
  const distance = spread(free, size, origin, radiusM / cell);
  // In cells, so that corners have integer coordinates and edge lengths are cell counts.
  const rings = outlines(strips(distance, size).map(asPolygon));
  return rings.map((ring) =>
    smooth(ring).map(
      ([x, z]): Point => [goal[0] + (x - half - 0.5) * cell, goal[1] + (z - half - 0.5) * cell],
    ),
  );
}

function rasterise(
  polygons: readonly PlanPolygon[],
  [gx, gz]: Point,
  cell: number,
  half: number,
): Uint8Array {
  const size = 2 * half + 1;
  const free = new Uint8Array(size * size);
  const clamped = (value: number) => Math.min(Math.max(value, 0), size - 1);
  for (const { corners } of polygons) {
    const bounds = boundsOf(corners);
    if (!bounds) continue;
    const { min, max } = bounds;
    if (Math.max(min[0] - gx, gx - max[0], min[1] - gz, gz - max[1]) > half * cell) continue;
    const [firstColumn, lastColumn] = [min[0], max[0]].map((x) =>
      clamped(Math.round((x - gx) / cell) + half),
    ) as [number, number];
    const [firstRow, lastRow] = [min[1], max[1]].map((z) =>
      clamped(Math.round((z - gz) / cell) + half),
    ) as [number, number];
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const [x, z] = [gx + (column - half) * cell, gz + (row - half) * cell];
        if (isInside(corners, x, z)) free[row * size + column] = 1;
      }
    }
  }
  return free;
}

function nearestFree(free: Uint8Array, half: number, reach: number): number | undefined {
  const size = 2 * half + 1;
  let best: number | undefined;
  let least = reach * reach;
  for (let i = 0; i < free.length; i++) {
    const [dx, dz] = [(i % size) - half, Math.floor(i / size) - half];
    if (free[i] === 1 && dx * dx + dz * dz <= least) {
      least = dx * dx + dz * dz;
      best = i;
    }
  }
  return best;
}

/** Distances in cells from the origin, Infinity beyond the radius. */
function spread(free: Uint8Array, size: number, origin: number, radius: number): Float64Array {
  const distance = new Float64Array(free.length).fill(Number.POSITIVE_INFINITY);
  const seenFrom = new Int32Array(free.length).fill(-1);
  distance[origin] = 0;
  seenFrom[origin] = origin;
  // Buckets of half a cell replace a heap; a cell whose distance decreases is visited again.
  const buckets: number[][] = [[origin]];
  for (let b = 0; b < buckets.length; b++) {
    const bucket = buckets[b] ?? [];
    for (let k = 0; k < bucket.length; k++) {
      const at = bucket[k] as number;
      const source = seenFrom[at] as number;
      for (const next of neighbours(at, size)) {
        if (free[next] !== 1) continue;
        const corner = sees(free, size, source, next) ? source : at;
        const d = (distance[corner] as number) + straight(corner, next, size);
        if (d > radius || d >= (distance[next] as number) - 1e-9) continue;
        distance[next] = d;
        seenFrom[next] = corner;
        const slot = Math.max(b, Math.floor(d * 2));
        while (buckets.length <= slot) buckets.push([]);
        buckets[slot]?.push(next);
      }
    }
  }
  return distance;
}

/** The eight neighbours of a cell; none for cells at the border of the grid, beyond the radius. */
function neighbours(at: number, size: number): number[] {
  const [row, column] = [Math.floor(at / size), at % size];
  if (row === 0 || column === 0 || row === size - 1 || column === size - 1) return [];
  return [-size - 1, -size, -size + 1, -1, 1, size - 1, size, size + 1].map((d) => at + d);
}

function straight(a: number, b: number, size: number): number {
  const [dx, dz] = [(a % size) - (b % size), Math.floor(a / size) - Math.floor(b / size)];
  return Math.sqrt(dx * dx + dz * dz);
}

function sees(free: Uint8Array, size: number, from: number, to: number): boolean {
  const [x, z] = [from % size, Math.floor(from / size)];
  const [dx, dz] = [(to % size) - x, Math.floor(to / size) - z];
  const steps = 2 * Math.max(Math.abs(dx), Math.abs(dz));
  for (let i = 1; i < steps; i++) {
    const column = Math.round(x + (dx * i) / steps);
    const row = Math.round(z + (dz * i) / steps);
    if (free[row * size + column] !== 1) return false;
  }
  return true;
}

/** Horizontal runs of reached cells. */
function strips(distance: Float64Array, size: number) {
  const found: [row: number, from: number, to: number][] = [];
  for (let row = 0; row < size; row++) {
    let from = -1;
    for (let column = 0; column <= size; column++) {
      const isIn = column < size && Number.isFinite(distance[row * size + column]);
      if (isIn && from === -1) from = column;
      if (!isIn && from !== -1) {
        found.push([row, from, column]);
        from = -1;
      }
    }
  }
  return found;
}

function asPolygon([row, from, to]: readonly [number, number, number]): PlanPolygon {
  const corners: Point[] = [
    [from, row],
    [to, row],
    [to, row + 1],
    [from, row + 1],
  ];
  return { corners, areaM2: to - from, meanY: 0, riseM: 0 };
}

/** Turns one-cell steps into slopes: the midpoints of the outline's edges, none longer than a cell. */
function smooth(ring: readonly Point[]): Point[] {
  return ring.flatMap(([bx, bz], i) => {
    const [ax, az] = ring.at(i - 1) ?? [bx, bz];
    const pieces = Math.max(1, Math.round(Math.max(Math.abs(bx - ax), Math.abs(bz - az))));
    // Only the two ends of a long edge matter.
    const places = pieces > 1 ? [0.5 / pieces, 1 - 0.5 / pieces] : [0.5];
    return places.map((t): Point => [ax + t * (bx - ax), az + t * (bz - az)]);
  });
}
