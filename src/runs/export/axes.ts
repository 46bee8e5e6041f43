import { multiply } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz, QuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";

/** A place and a turn in a world whose z axis points up. */
export interface Pose {
  readonly position: Vec3;
  readonly rotation: QuatWxyz;
}

/** A quarter turn about x: what was y, up, becomes z. */
const WORLD: QuatWxyz = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];

/** From a body that looks along x with z up (ROS, Foxglove) to one that looks along -z with y up (Habitat). */
const BODY: QuatWxyz = [0.5, -0.5, 0.5, 0.5];

/**
 * Navigation has y up and looks along -z; ROS and Foxglove have z up and look along x. A point (x, y, z)
 * becomes (x, -z, y), which is the way of the original Matterport data; so heading 0 looks along +y.
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
