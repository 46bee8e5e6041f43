import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz, QuatXyzw } from "../../../core/math/rotation.js";
import { add, type Vec3 } from "../../../core/math/vec3.js";
import type { LookSpec } from "../world/world.js";

/**
 * From MuJoCo's axes (z up) to the renderer's (y up): (x, y, z) becomes (x, z, -y), a quarter turn about x. The frames
 * of geoms and cameras stay the same; only their poses are converted.
 */
const UPRIGHT: QuatWxyz = [Math.SQRT1_2, -Math.SQRT1_2, 0, 0];

/** A point or direction in the renderer's axes. */
export function toScene([x, y, z]: Vec3): Vec3 {
  return [x, z, 0 - y];
}

/** A point or direction in MuJoCo's axes, from the renderer's. */
export function fromScene([x, y, z]: Vec3): Vec3 {
  return [x, 0 - z, y];
}

/** A geom's pose as the renderer's 4x4 matrix, column-major. */
export function transformOf({ position: [px, py, pz], rotation_wxyz }: Pose3): number[] {
  const [w, x, y, z] = rotation_wxyz;
  const column = (cx: number, cy: number, cz: number) => [cx, cz, 0 - cy, 0];
  return [
    ...column(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
    ...column(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
    ...column(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
    ...column(px, py, pz).slice(0, 3),
    1,
  ];
}

/** A camera's pose in the renderer's axes. In both, cameras look along their -z with y up. */
export function viewpointOf(pose: Pose3): { position: Vec3; rotation: QuatXyzw } {
  const [qw, qx, qy, qz] = multiply(UPRIGHT, pose.rotation_wxyz);
  return { position: toScene(pose.position), rotation: [qx, qy, qz, qw] };
}

/** Moves a camera along its own axes (right, up, back), then pans it to the left and tilts it up. */
export function withOffset(pose: Pose3, { offsetM, panDeg, tiltDeg }: LookSpec["camera"]): Pose3 {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const turn = multiply(
    aboutAxis([0, 1, 0], radians(panDeg)),
    aboutAxis([1, 0, 0], radians(tiltDeg)),
  );
  return {
    position: add(pose.position, rotate(pose.rotation_wxyz, offsetM)),
    rotation_wxyz: multiply(pose.rotation_wxyz, turn),
  };
}

/** Horizontal field of view for a vertical one, in degrees. */
export function hfovOf(fovyDeg: number, width: number, height: number): number {
  const half = Math.tan((fovyDeg * Math.PI) / 360) * (width / height);
  return (Math.atan(half) * 360) / Math.PI;
}
