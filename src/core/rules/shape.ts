import type { Pose3 } from "../interfaces/manipulation-view.js";
import { conjugate, rotate } from "../math/quat-wxyz.js";
import type { Vec3 } from "../math/vec3.js";

/** Metres from an object's middle up to its highest point, and as far down to its lowest. */
export function halfHeight(shape: string, [x, y, z]: Vec3, { rotation_wxyz }: Pose3): number {
  // What the object's own axes add to the height of a point: the last row of its rotation.
  const [ux, uy, uz] = rotate(conjugate(rotation_wxyz), [0, 0, 1]);
  const [a, b, c] = [(ux * x) / 2, (uy * y) / 2, (uz * z) / 2];
  if (shape === "box") return Math.abs(a) + Math.abs(b) + Math.abs(c);
  if (shape === "capsule") {
    const radius = Math.min(x, y) / 2;
    return radius + Math.abs(uz) * Math.max(z / 2 - radius, 0);
  }
  // Upright round things lie within the cylinder around them.
  return Math.sqrt(a * a + b * b) + Math.abs(c);
}

/** Metres from a point to the box around an object; 0 inside. */
export function distanceToBox(point: Vec3, pose: Pose3, size: Vec3): number {
  const [px, py, pz] = pose.position;
  const local = rotate(conjugate(pose.rotation_wxyz), [
    point[0] - px,
    point[1] - py,
    point[2] - pz,
  ]);
  const out = (axis: 0 | 1 | 2) => Math.max(Math.abs(local[axis]) - size[axis] / 2, 0);
  const [x, y, z] = [out(0), out(1), out(2)];
  return Math.sqrt(x * x + y * y + z * z);
}
