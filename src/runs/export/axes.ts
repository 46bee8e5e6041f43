import { multiply } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz, QuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";

/** A position and an orientation in a z-up world. */
export interface Pose {
  readonly position: Vec3;
  readonly rotation: QuatWxyz;
}

/** Rotates by 90° about x, from y up to z up. */
const WORLD: QuatWxyz = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];

/** Rotates from a body frame with x forward and z up (ROS, Foxglove) to -z forward and y up (Habitat). */
const BODY: QuatWxyz = [0.5, -0.5, 0.5, 0.5];

/**
 * Navigation has y up and -z forward; ROS and Foxglove have z up and x forward. A point (x, y, z) becomes
 * (x, -z, y), as in the original Matterport data, so heading 0 points along +y.
 */
export function pointZUp([x, y, z]: Vec3): Vec3 {
  return [x, 0 - z, y];
}

export function poseZUp(position: Vec3, [x, y, z, w]: QuatXyzw): Pose {
  return {
    position: pointZUp(position),
    rotation: multiply(multiply(WORLD, [w, x, y, z]), BODY),
  };
}
