import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { conjugate, rotate } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";

/** Width over height of the head camera's default picture. */
const ASPECT = 4 / 3;

/** Whether a point is in a camera's picture of 4:3. It looks along its own -z, y up; nothing is in the way. */
export function isInPicture(
  point: Vec3,
  { pose, fovyDeg }: { readonly pose: Pose3; readonly fovyDeg: number },
): boolean {
  const [px, py, pz] = pose.position;
  const [x, y, z] = rotate(conjugate(pose.rotation_wxyz), [
    point[0] - px,
    point[1] - py,
    point[2] - pz,
  ]);
  if (z >= 0) return false;
  const high = Math.tan((fovyDeg * Math.PI) / 360) * -z;
  return Math.abs(y) <= high && Math.abs(x) <= high * ASPECT;
}
