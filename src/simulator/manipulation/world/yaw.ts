import { aboutAxis } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";

/** Rotation about the vertical axis, counter-clockwise seen from above. */
export function yawQuat(yawRad: number): QuatWxyz {
  return aboutAxis([0, 0, 1], yawRad);
}

/** Rotates a point about the vertical axis through the origin. */
export function turn(yawRad: number, x: number, y: number): [x: number, y: number] {
  const c = Math.cos(yawRad);
  const s = Math.sin(yawRad);
  return [c * x - s * y, s * x + c * y];
}

/** Normalises a quaternion. */
export function unit(q: QuatWxyz): QuatWxyz {
  const length = Math.hypot(...q);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}
