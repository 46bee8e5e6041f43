import type { ViewSurface } from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, rotate } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";

/** Distances of the hand and of a held object above the edge of a drawer. */
const OVER_EDGE_M = { hand: 0.1, object: 0.03 } as const;
/** Radius of the base, with the front and handle of a drawer. */
const BASE_ROOM_M = 0.36;
/** A tall object in a drawer has its middle at most this much above the edge. */
const EDGE_ROOM_M = 0.05;

/** Height above its spot in a drawer from which a held object is lowered. */
export function overEdge(rimM: number, below: number): number {
  return rimM + Math.max(OVER_EDGE_M.object, OVER_EDGE_M.hand - below);
}

/** Whether a point is above a surface, below the edge of what surrounds it. */
export function isOn({ centre, yawRad, sizeM, rimM = 0 }: ViewSurface, [x, y, z]: Vec3): boolean {
  const [u, v] = rotated([x - centre[0], y - centre[1]], -yawRad);
  const isOver = Math.abs(u) <= sizeM[0] / 2 && Math.abs(v) <= sizeM[1] / 2;
  return isOver && z > centre[2] && z < centre[2] + rimM + EDGE_ROOM_M;
}

/** Whether a base has room beside what surrounds a surface. */
export function isBeside(
  { centre, yawRad, sizeM }: ViewSurface,
  [x, y]: readonly [number, number],
) {
  const [u, v] = rotated([x - centre[0], y - centre[1]], -yawRad);
  const [outsideU, outsideV] = [Math.abs(u) - sizeM[0] / 2, Math.abs(v) - sizeM[1] / 2];
  return Math.max(outsideU, outsideV) > BASE_ROOM_M;
}

/** A direction turned about the vertical. */
export function rotated(
  [x, y]: readonly [number, number],
  angle: number,
): readonly [number, number] {
  const [rx, ry] = rotate(aboutAxis([0, 0, 1], angle), [x, y, 0]);
  return [rx, ry];
}
