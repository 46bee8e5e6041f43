import type { Vec3 } from "./vec3.js";

/** The order of Habitat and of navigation episodes. */
export type QuatXyzw = readonly [x: number, y: number, z: number, w: number];

/** The order of MuJoCo and of `ee_pose`. */
export type QuatWxyz = readonly [w: number, x: number, y: number, z: number];

/**
 * Headings are radians about +y, counter-clockwise seen from above, 0 along -z (Habitat). In the original
 * R2R data a heading is 0 along Matterport's +y, which is our -z, and grows clockwise: negate it first.
 */
export function headingToQuatXyzw(headingRad: number): QuatXyzw {
  return [0, Math.sin(headingRad / 2), 0, Math.cos(headingRad / 2)];
}

/** The heading of a rotation about the vertical; tilt is ignored. */
export function quatXyzwToHeading(q: QuatXyzw): number {
  const [x, y, z, w] = q;
  return Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y));
}

/** The heading from one point to another, ignoring height. */
export function bearing(from: Vec3, to: Vec3): number {
  return Math.atan2(from[0] - to[0], from[2] - to[2]);
}

/** The same angle in (-pi, pi]. */
export function wrapAngle(rad: number): number {
  const turns = rad - 2 * Math.PI * Math.round(rad / (2 * Math.PI));
  return turns <= -Math.PI ? turns + 2 * Math.PI : turns;
}
