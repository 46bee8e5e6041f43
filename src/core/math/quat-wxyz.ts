import type { QuatWxyz } from "./rotation.js";
import type { Vec3 } from "./vec3.js";

/** A right-handed rotation about a unit axis, in radians. */
export function aboutAxis(axis: Vec3, angleRad: number): QuatWxyz {
  const s = Math.sin(angleRad / 2);
  return [Math.cos(angleRad / 2), s * axis[0], s * axis[1], s * axis[2]];
}

/** The rotation by `b`, followed by that by `a`. */
export function multiply([aw, ax, ay, az]: QuatWxyz, [bw, bx, by, bz]: QuatWxyz): QuatWxyz {
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

/** The inverse of a unit quaternion. */
export function conjugate([w, x, y, z]: QuatWxyz): QuatWxyz {
  return [w, -x, -y, -z];
}

/** The rotation matrix of a unit quaternion, row by row. */
export function matrixOf([w, x, y, z]: QuatWxyz): readonly number[] {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

export function rotate(q: QuatWxyz, [x, y, z]: Vec3): Vec3 {
  const [, rx, ry, rz] = multiply(multiply(q, [0, x, y, z]), conjugate(q));
  return [rx, ry, rz];
}
