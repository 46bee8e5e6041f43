import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis, conjugate, multiply, rotate } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../core/math/rotation.js";
import { add, scale, subtract, type Vec3 } from "../../core/math/vec3.js";

/** Poses in MuJoCo's axes, z up. An end effector's x runs along the fingers, which close along its y. */

const UP: Vec3 = [0, 0, 1];

/** Horizontal distance. */
export function flatDistance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** Rotation with level fingers that point along a heading (0 is +x) and close sideways. */
export function level(yawRad: number): QuatWxyz {
  return aboutAxis(UP, yawRad);
}

/** Rotation with fingers that point down and close along a heading. */
export function downward(closingYawRad: number): QuatWxyz {
  // A quarter turn about y rotates x to -z and keeps y.
  return multiply(aboutAxis(UP, closingYawRad - Math.PI / 2), aboutAxis([0, 1, 0], Math.PI / 2));
}

/** Heading of the x axis seen from above. */
export function yawOf(q: QuatWxyz): number {
  const [x, y] = rotate(q, [1, 0, 0]);
  return Math.atan2(y, x);
}

/** Translates a pose along the world's axes. */
export function shifted(pose: Pose3, by: Vec3): Pose3 {
  return { position: add(pose.position, by), rotation_wxyz: pose.rotation_wxyz };
}

export function raised(pose: Pose3, metres: number): Pose3 {
  return shifted(pose, [0, 0, metres]);
}

export function atHeight({ position: [x, y], rotation_wxyz }: Pose3, z: number): Pose3 {
  return { position: [x, y, z], rotation_wxyz };
}

/** Translates a pose along its own x: into the grasp if positive, out of it if negative. */
export function along(pose: Pose3, metres: number): Pose3 {
  return shifted(pose, scale(rotate(pose.rotation_wxyz, [1, 0, 0]), metres));
}

/** Converts a world point to a pose's own axes. */
export function toLocal(pose: Pose3, point: Vec3): Vec3 {
  return rotate(conjugate(pose.rotation_wxyz), subtract(point, pose.position));
}

/** Poses on the straight line between two poses, about every `stepM` metres, with the rotation interpolated. */
export function line(from: Pose3, to: Pose3, stepM: number): Pose3[] {
  const way = subtract(to.position, from.position);
  const angle = 2 * Math.acos(Math.min(1, Math.abs(inner(from.rotation_wxyz, to.rotation_wxyz))));
  // A rotating hand sweeps its own length, about 0.2 m per radian.
  const parts = Math.max(1, Math.ceil((Math.hypot(...way) + 0.2 * angle) / stepM));
  return Array.from({ length: parts + 1 }, (_, i) => ({
    position: add(from.position, scale(way, i / parts)),
    rotation_wxyz: between(from.rotation_wxyz, to.rotation_wxyz, i / parts),
  }));
}

function inner(a: QuatWxyz, b: QuatWxyz): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/** Normalised linear interpolation, even enough for the rotations of a hand. */
function between(a: QuatWxyz, b: QuatWxyz, share: number): QuatWxyz {
  // q and -q are the same rotation; use the nearer one to rotate the short way.
  const sign = inner(a, b) < 0 ? -1 : 1;
  const mix = (k: 0 | 1 | 2 | 3) => a[k] * (1 - share) + sign * share * b[k];
  const [w, x, y, z] = [mix(0), mix(1), mix(2), mix(3)];
  const norm = Math.hypot(w, x, y, z);
  return [w / norm, x / norm, y / norm, z / norm];
}
