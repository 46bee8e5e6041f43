import { CellGrid } from "./cell-grid.js";
import { type Axis, clip, clipBetween, highest, lowest, type Polygon } from "./clip.js";
import { type CellRectangle, largestRectangle } from "./largest-rectangle.js";

/** A free level rectangle; x, y and z are the middle of its upper side. */
export interface LevelSurface {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly yawRad: number;
  readonly sizeM: readonly [x: number, z: number];
  readonly clearanceM: number;
}

interface Furniture {
  /** Its own triangles, nine numbers each. */
  readonly own: readonly Float32Array[];
  /** All triangles near it, its own included. */
  readonly around: readonly Polygon[];
  readonly heightsM: readonly [lowest: number, highest: number];
}

/** Two triangles belong to the same surface if their heights differ less. Cushions are not quite level. */
const SAME_LEVEL_M = 0.012;
/** The least upward component of a level triangle's normal: 10 degrees. */
const LEVEL_NORMAL_Y = 0.985;
/** Free height that a surface needs; a can and the fingers around it. */
const MIN_CLEARANCE_M = 0.2;
/** Nothing higher above a surface counts. */
const OPEN_M = 1;
/** Shortest side of a surface. */
const MIN_SIDE_M = 0.12;
/** More rectangles than this are slivers beside the others. */
const MAX_PER_LEVEL = 6;

/** The free level surfaces of a piece of furniture, the largest first. */
export function freeSurfaces({ own, around, heightsM }: Furniture): LevelSurface[] {
  const level = own.flatMap(levelTriangles).filter((triangle) => {
    return lowest(triangle, 1) >= heightsM[0] && highest(triangle, 1) <= heightsM[1];
  });
  const yawRad = directionOf(level);
  const turned = around.map((polygon) => turn(polygon, -yawRad));
  return levelsOf(level.map((triangle) => turn(triangle, -yawRad)))
    .filter((triangles) => {
      return ([0, 2] as const).every((axis) => extentOf(triangles, axis) >= MIN_SIDE_M);
    })
    .flatMap((triangles) => rectanglesAt(triangles, turned, yawRad))
    .sort((a, b) => areaOf(b) - areaOf(a));
}

function extentOf(polygons: readonly Polygon[], axis: Axis): number {
  const ends = polygons.map((polygon) => [lowest(polygon, axis), highest(polygon, axis)] as const);
  return Math.max(...ends.map(([, high]) => high)) - Math.min(...ends.map(([low]) => low));
}

const areaOf = ({ sizeM: [x, z] }: LevelSurface) => x * z;

function levelTriangles(corners: Float32Array): Polygon[] {
  const found: Polygon[] = [];
  for (let t = 0; t < corners.length; t += 9) {
    const at = (i: number) => corners[t + i] as number;
    const [ux, uy, uz] = [at(3) - at(0), at(4) - at(1), at(5) - at(2)];
    const [vx, vy, vz] = [at(6) - at(0), at(7) - at(1), at(8) - at(2)];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(nx, ny, nz);
    if (length > 0 && ny / length > LEVEL_NORMAL_Y) found.push([...corners.subarray(t, t + 9)]);
  }
  return found;
}

/** Groups triangles by height, from the lowest. */
function levelsOf(triangles: readonly Polygon[]): Polygon[][] {
  const sorted = triangles
    .map((triangle) => ({ triangle, y: highest(triangle, 1) }))
    .sort((a, b) => a.y - b.y);
  const levels: Polygon[][] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const { triangle, y } of sorted) {
    if (y - from > SAME_LEVEL_M) {
      levels.push([]);
      from = y;
    }
    levels.at(-1)?.push(triangle);
  }
  return levels;
}

/** Widths of the bins in which edge directions are counted: 1 degree, up to a quarter turn. */
const BINS = 90;
/** Slanted edges of cushions move the mean of a bin by this much. */
const NOT_TURNED_RAD = 0.005;

/** The direction, modulo a quarter turn, of the longest edges: the way in which the furniture is turned. */
function directionOf(triangles: readonly Polygon[]): number {
  const quarter = Math.PI / 2;
  const lengths = new Float64Array(BINS);
  const offsets = new Float64Array(BINS);
  for (const triangle of triangles) {
    for (const [a, b] of [
      [0, 3],
      [3, 6],
      [6, 0],
    ] as const) {
      const dx = (triangle[b] as number) - (triangle[a] as number);
      const dz = (triangle[b + 2] as number) - (triangle[a + 2] as number);
      const length = Math.hypot(dx, dz);
      const angle = Math.atan2(-dz, dx) / quarter;
      const share = angle - Math.floor(angle);
      const bin = Math.round(share * BINS) % BINS;
      lengths[bin] = (lengths[bin] as number) + length;
      const offset = share - Math.round(share * BINS) / BINS;
      offsets[bin] = (offsets[bin] as number) + length * offset;
    }
  }
  let best = 0;
  // Round tables have edges in all directions: those prefer the axes.
  for (let bin = 1; bin < BINS; bin++) {
    if ((lengths[bin] as number) > 1.001 * (lengths[best] as number)) best = bin;
  }
  const total = lengths[best] as number;
  const angle = quarter * (best / BINS + (total > 0 ? (offsets[best] as number) / total : 0));
  return Math.abs(angle) < NOT_TURNED_RAD ? 0 : angle;
}

/** Rotates a polygon about +y. */
function turn(polygon: Polygon, yawRad: number): Polygon {
  if (yawRad === 0) return polygon;
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  return polygon.map((value, i) => {
    if (i % 3 === 1) return value;
    const x = polygon[i - (i % 3)] as number;
    const z = polygon[i - (i % 3) + 2] as number;
    return i % 3 === 0 ? x * c + z * s : z * c - x * s;
  });
}

function rectanglesAt(
  level: readonly Polygon[],
  around: readonly Polygon[],
  yawRad: number,
): LevelSurface[] {
  const y = Math.max(...level.map((triangle) => highest(triangle, 1)));
  const grid = CellGrid.over(level);
  grid.cover(level);
  const slab = { low: y + SAME_LEVEL_M, high: y + MIN_CLEARANCE_M };
  for (const polygon of around) {
    if (grid.reaches(polygon)) grid.block(clipBetween(polygon, 1, slab.low, slab.high));
  }
  const free = grid.freeCells();
  const found: LevelSurface[] = [];
  const least = grid.cellsFor(MIN_SIDE_M);
  while (found.length < MAX_PER_LEVEL) {
    const cells = largestRectangle(free, grid.columns, least);
    if (!cells) break;
    for (let z = cells.z0; z < cells.z1; z++) {
      free.fill(0, z * grid.columns + cells.x0, z * grid.columns + cells.x1);
    }
    const { x0, x1, z0, z1 } = grid.boundsOf(cells);
    const [x, z] = [(x0 + x1) / 2, (z0 + z1) / 2];
    const [cx = 0, , cz = 0] = turn([x, y, z], yawRad);
    const clearanceM = clearanceOver({ x0, x1, z0, z1 }, slab.high, around) - y;
    const sizeM = [x1 - x0, z1 - z0] as const;
    found.push({
      x: cx,
      y,
      z: cz,
      yawRad,
      sizeM,
      clearanceM: clearanceM > OPEN_M ? Number.POSITIVE_INFINITY : clearanceM,
    });
  }
  return found;
}

/** Height of the lowest thing above a rectangle. */
function clearanceOver(
  { x0, x1, z0, z1 }: CellRectangle,
  fromM: number,
  around: readonly Polygon[],
): number {
  let least = Number.POSITIVE_INFINITY;
  for (const polygon of around) {
    const above = clip(polygon, 1, 1, fromM - 1e-6);
    const over = clipBetween(clipBetween(above, 0, x0 + 1e-4, x1 - 1e-4), 2, z0 + 1e-4, z1 - 1e-4);
    least = Math.min(least, lowest(over, 1));
  }
  return least;
}
