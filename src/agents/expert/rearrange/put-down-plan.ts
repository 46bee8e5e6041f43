import type { ViewObject, ViewSurface } from "../../../core/interfaces/manipulation-view.js";
import type { Vec3 } from "../../../core/math/vec3.js";

/** Metres between candidate places on a surface. */
const SPACING_M = 0.06;
/** Distance of the object's edge from the edge of the surface. */
const EDGE_M = 0.02;
/** The fingers need this much room beside the object. */
const FINGERS_M = 0.07;
/** Free height that the hand needs above a surface. */
const HAND_M = 0.35;

/** A place for an object on a surface. */
export interface Spot {
  /** A point on the surface. */
  readonly position: Vec3;
  /** Distance from the edge of the surface, up to 0.15 m. */
  readonly insideM: number;
  /** Height above the spot of what surrounds its surface; 0 if that is open to all sides. */
  readonly rimM: number;
}

/** Free places for an object of a radius on the surfaces of a receptacle. */
export function freeSpots(
  surfaces: readonly ViewSurface[],
  radiusM: number,
  others: readonly ViewObject[],
): Spot[] {
  return surfaces
    .filter(({ clearanceM }) => clearanceM >= HAND_M)
    .flatMap((surface) => spotsOn(surface, radiusM))
    .filter(({ position: [x, y, z] }) =>
      others.every((other) => {
        const [ox, oy, oz] = other.position;
        const reach = radiusM + FINGERS_M + Math.hypot(other.sizeM[0], other.sizeM[1]) / 2;
        return oz < z - 0.1 || Math.hypot(ox - x, oy - y) > reach;
      }),
    );
}

function spotsOn({ centre, yawRad, sizeM, rimM = 0 }: ViewSurface, radiusM: number): Spot[] {
  const [halfX, halfY] = [sizeM[0] / 2 - radiusM - EDGE_M, sizeM[1] / 2 - radiusM - EDGE_M];
  if (halfX < 0 || halfY < 0) return [];
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  const spots: Spot[] = [];
  for (const u of samples(halfX)) {
    for (const v of samples(halfY)) {
      spots.push({
        position: [centre[0] + c * u - s * v, centre[1] + s * u + c * v, centre[2]],
        insideM: Math.min(0.15, halfX - Math.abs(u), halfY - Math.abs(v)),
        rimM,
      });
    }
  }
  return spots;
}

/** Values from -half to half, evenly spaced, 0 among them. */
function samples(half: number): number[] {
  const count = Math.floor(half / SPACING_M);
  return Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) * SPACING_M);
}
