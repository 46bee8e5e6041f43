import type { WalkableSurface } from "../navmesh/extract-surface.js";

/** Metres in the ground plane, seen from above: x to the right, z downwards on the page. */
export type Point = readonly [x: number, z: number];

/** A polygon of the surface, seen from above. */
export interface PlanPolygon {
  /** Clockwise on the page, whatever the winding of the surface. */
  readonly corners: readonly Point[];
  readonly areaM2: number;
  readonly meanY: number;
  /** Height difference between its lowest and its highest corner. */
  readonly riseM: number;
}

export interface Bounds {
  readonly min: Point;
  readonly max: Point;
}

/** Omits vertical or damaged polygons, which have no area on a map. */
export function planPolygons({ vertices, polygons }: WalkableSurface): PlanPolygon[] {
  return polygons.flatMap(({ corners: indices }) => {
    const points = indices.map(
      (i): Point => [vertices[3 * i] ?? Number.NaN, vertices[3 * i + 2] ?? Number.NaN],
    );
    const heights = indices.map((i) => vertices[3 * i + 1] ?? Number.NaN);
    const area = signedArea(points);
    const meanY = heights.reduce((sum, y) => sum + y, 0) / heights.length;
    if (!(Math.abs(area) > 1e-6) || !Number.isFinite(area + meanY)) return [];
    return {
      corners: area < 0 ? points.reverse() : points,
      areaM2: Math.abs(area),
      meanY,
      riseM: Math.max(...heights) - Math.min(...heights),
    };
  });
}

export function signedArea(corners: readonly Point[]): number {
  let twice = 0;
  let before = corners.at(-1) ?? [0, 0];
  for (const corner of corners) {
    twice += before[0] * corner[1] - corner[0] * before[1];
    before = corner;
  }
  return twice / 2;
}

export function boundsOf(points: Iterable<Point>): Bounds | undefined {
  let [minX, minZ] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [maxX, maxZ] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x, z] of points) {
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minZ = Math.min(minZ, z);
    maxZ = Math.max(maxZ, z);
  }
  return minX <= maxX ? { min: [minX, minZ], max: [maxX, maxZ] } : undefined;
}
