import type { WalkableSurface } from "../navigation/navmesh/surface.js";
import { boundsOf, inside, type PlanPolygon, planPolygons } from "./plan.js";

/** What is less than this above a floor stands on it: thresholds, carpets, a step. */
const ON_FLOOR_M = 0.5;
/** Floors nearer than this are one storey with steps in it: nobody could stand between them. */
const STOREY_M = 1.8;
/** A staircase's landings are level too, but small beside the floors they join. */
const LEAST_SHARE = 0.04;
/** A polygon that rises by more than this is a part of stairs or a ramp. */
const LEVEL_M = 0.3;
const BIN_M = 0.1;
/** The surface lies above itself where two parts of it are this far apart over one spot. */
const CLEARANCE_M = 1.2;
const OVERLAP_M2 = 0.5;
/** Along the longer side of the grid that overlaps are looked for on. */
const OVERLAP_CELLS = 250;

/** The floors of a scene, from the lowest up. */
export interface Storeys {
  /** Height of each floor in metres; always at least one. */
  readonly levels: readonly number[];
  /** The storey of what stands at a height; both neighbours for what is between two, on stairs. */
  at(y: number): readonly number[];
  /** The storey whose floor is beneath a height: that of an object, which may hang on a wall. */
  beneath(y: number): number;
}

/**
 * Storeys are told apart only where the surface lies above itself: a hillside or a split-level flat is one
 * picture, however high it climbs. Their floors are the heights at which most of the level area is.
 */
export function findStoreys(surface: WalkableSurface): Storeys {
  const polygons = planPolygons(surface);
  const floors = overlaps(polygons) ? floorLevels(polygons) : [];
  const levels = floors.length > 0 ? floors : [meanHeight(polygons)];
  const beneath = (y: number) =>
    Math.max(
      0,
      levels.findLastIndex((level) => level <= y + ON_FLOOR_M),
    );
  return {
    levels,
    beneath,
    at(y) {
      const floor = beneath(y);
      const isBetween = floor < levels.length - 1 && y - (levels[floor] ?? y) > ON_FLOOR_M;
      return isBetween ? [floor, floor + 1] : [floor];
    },
  };
}

function meanHeight(polygons: readonly PlanPolygon[]): number {
  const area = polygons.reduce((sum, polygon) => sum + polygon.areaM2, 0);
  return polygons.reduce((sum, { meanY, areaM2 }) => sum + (meanY * areaM2) / area, 0);
}

/** The height with most level area around it is a floor; then the next, as long as it is worth the name. */
function floorLevels(polygons: readonly PlanPolygon[]): number[] {
  let left = polygons.filter(({ riseM }) => riseM <= LEVEL_M);
  const floors: number[] = [];
  let largestM2 = 0;
  while (left.length > 0) {
    const { level, areaM2 } = densest(left);
    if (areaM2 < LEAST_SHARE * largestM2) break;
    largestM2 = Math.max(largestM2, areaM2);
    floors.push(level);
    left = left.filter(({ meanY }) => Math.abs(meanY - level) >= STOREY_M);
  }
  return floors.sort((a, b) => a - b);
}

function densest(polygons: readonly PlanPolygon[]): { level: number; areaM2: number } {
  const bins = new Map<number, number>();
  for (const { meanY, areaM2 } of polygons) {
    const bin = Math.round(meanY / BIN_M);
    bins.set(bin, (bins.get(bin) ?? 0) + areaM2);
  }
  // A floor's polygons may straddle a bin's edge.
  const around = (bin: number) =>
    (bins.get(bin - 1) ?? 0) + (bins.get(bin) ?? 0) + (bins.get(bin + 1) ?? 0);
  let best = { bin: 0, areaM2: -1 };
  for (const bin of bins.keys()) {
    if (around(bin) > best.areaM2) best = { bin, areaM2: around(bin) };
  }
  const near = polygons.filter(({ meanY }) => Math.abs(Math.round(meanY / BIN_M) - best.bin) <= 1);
  return { level: meanHeight(near), areaM2: best.areaM2 };
}

function overlaps(polygons: readonly PlanPolygon[]): boolean {
  const whole = boundsOf(polygons.flatMap(({ corners }) => corners));
  if (!whole) return false;
  const [originX, originZ] = whole.min;
  const longest = Math.max(whole.max[0] - originX, whole.max[1] - originZ);
  const cell = Math.max(0.2, longest / OVERLAP_CELLS);
  const seen = new Map<number, number>();
  let cells = 0;
  for (const { corners, meanY } of polygons) {
    const { min, max } = boundsOf(corners) ?? whole;
    for (let row = Math.floor((min[1] - originZ) / cell); originZ + row * cell < max[1]; row++) {
      for (let col = Math.floor((min[0] - originX) / cell); originX + col * cell < max[0]; col++) {
        const middle = [originX + (col + 0.5) * cell, originZ + (row + 0.5) * cell] as const;
        if (!inside(corners, middle)) continue;
        const key = row * 2 * OVERLAP_CELLS + col;
        const before = seen.get(key);
        if (before === undefined) seen.set(key, meanY);
        else if (Math.abs(before - meanY) > CLEARANCE_M) cells++;
      }
    }
  }
  return cells * cell * cell >= OVERLAP_M2;
}
