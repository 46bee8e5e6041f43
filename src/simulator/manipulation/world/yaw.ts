import { aboutAxis } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";

/** A turn about the vertical, radians, counter-clockwise from above. */
export function yawQuat(yawRad: number): QuatWxyz {
  return aboutAxis([0, 0, 1], yawRad);
}

/** A point turned about the vertical through the origin. */
export function turn(yawRad: number, x: number, y: number): [x: number, y: number] {
  const c = Math.cos(yawRad);
  const s = Math.sin(yawRad);
  return [c * x - s * y, s * x + c * y];
}

/** The same rotation, its length exactly 1. */
export function unit(q: QuatWxyz): QuatWxyz {
  const length = Math.hypot(...q);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}
