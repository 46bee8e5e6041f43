import type { Pose3 } from "../interfaces/manipulation-view.js";
import { conjugate, rotate } from "../math/quat-wxyz.js";
import { subtract, type Vec3 } from "../math/vec3.js";

/** Distance of an object's centre from its highest point, which equals that from its lowest. */
export function halfHeight(shape: string, [x, y, z]: Vec3, { rotation_wxyz }: Pose3): number {
  // Last row of the rotation: the vertical component of each of the object's axes.
  const [ux, uy, uz] = rotate(conjugate(rotation_wxyz), [0, 0, 1]);
  const [a, b, c] = [(ux * x) / 2, (uy * y) / 2, (uz * z) / 2];
  if (shape === "box") return Math.abs(a) + Math.abs(b) + Math.abs(c);
  if (shape === "capsule") {
    const radius = Math.min(x, y) / 2;
    return radius + Math.abs(uz) * Math.max(z / 2 - radius, 0);
  }
  // Other round shapes are bounded by their cylinder.
  return Math.sqrt(a * a + b * b) + Math.abs(c);
}

/** Distance of a point from an object's bounding box; 0 inside. */
export function distanceToBox(point: Vec3, pose: Pose3, size: Vec3): number {
  const local = rotate(conjugate(pose.rotation_wxyz), subtract(point, pose.position));
  const out = (axis: 0 | 1 | 2) => Math.max(Math.abs(local[axis]) - size[axis] / 2, 0);
  const [x, y, z] = [out(0), out(1), out(2)];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Horizontal distance of a point from the bounding box of an upright object; 0 above, below and inside. */
export function levelToBox([x, y]: Vec3, pose: Pose3, size: Vec3): number {
  return distanceToBox([x, y, pose.position[2]], pose, size);
}
