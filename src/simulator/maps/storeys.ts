import type { WalkableSurface } from "../navmesh/extract-surface.js";
import { isInside } from "../scenes/geometry.js";
import { boundsOf, type PlanPolygon, planPolygons } from "./plan.js";

/** Up to this height above a floor, a point belongs to the floor: thresholds, carpets, a step. */
const ON_FLOOR_M = 0.5;
/** Floors closer than this are one storey with steps, because a person could not stand between them. */
const STOREY_M = 1.8;
/** Minimum share of the level area; excludes the landings of staircases. */
const MIN_SHARE = 0.04;
/** A polygon that rises by more than this is part of stairs or a ramp. */
const LEVEL_M = 0.3;
const BIN_M = 0.1;
/** The surface overlaps itself if two parts are this far apart at one position. */
const CLEARANCE_M = 1.2;
const OVERLAP_M2 = 0.5;
/** Cells along the longer side of the grid that is used to find overlaps. */
const OVERLAP_CELLS = 250;

/** The floors of a scene, from the lowest up. */
export interface Storeys {
  /** Height of each floor in metres; always at least one. */
  readonly levels: readonly number[];
  /** The storey at a height; both adjacent storeys for heights between two, on stairs. */
  at(y: number): readonly number[];
  /** The storey whose floor is beneath a height, for objects that may hang on a wall. */
  beneath(y: number): number;
}

/**
 * Storeys are separated only if the surface overlaps itself: a hillside or a split-level flat is one map,
 * however high it rises. Floors are the heights with most level area.
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

/**
 * The height with most level area around it is a floor; then the next, as long as its area is significant.
 */
function floorLevels(polygons: readonly PlanPolygon[]): number[] {
  let left = polygons.filter(({ riseM }) => riseM <= LEVEL_M);
  const floors: number[] = [];
  let largestM2 = 0;
  while (left.length > 0) {
    const { level, areaM2 } = densest(left);
    if (areaM2 < MIN_SHARE * largestM2) break;
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
  // A floor's polygons may lie on both sides of a bin's edge.
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
        if (!isInside(corners, originX + (col + 0.5) * cell, originZ + (row + 0.5) * cell))
          continue;
        const key = row * 2 * OVERLAP_CELLS + col;
        const before = seen.get(key);
        if (before === undefined) seen.set(key, meanY);
        else if (Math.abs(before - meanY) > CLEARANCE_M) cells++;
      }
    }
  }
  return cells * cell * cell >= OVERLAP_M2;
}
