import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { aboutAxis, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz, QuatXyzw } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { LookSpec } from "../world/world.js";

/**
 * From MuJoCo's axes (z up) to the renderer's (y up): (x, y, z) becomes (x, z, -y), a quarter turn about x.
 * Geoms and cameras stay in their own frames; only where those stand is turned.
 */
const UPRIGHT: QuatWxyz = [Math.SQRT1_2, -Math.SQRT1_2, 0, 0];

/** Where a geom stands, as the renderer takes it: 16 numbers column by column. */
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

/** A camera's place for the renderer. Both look along their own -z with y up. */
export function viewpointOf(pose: Pose3): { position: Vec3; rotation: QuatXyzw } {
  const [x, y, z] = pose.position;
  const [qw, qx, qy, qz] = multiply(UPRIGHT, pose.rotation_wxyz);
  return { position: [x, z, 0 - y], rotation: [qx, qy, qz, qw] };
}

/** The same camera moved along its own axes (right, up, back), then panned to its left and tilted up. */
export function nudged(pose: Pose3, { offsetM, panDeg, tiltDeg }: LookSpec["camera"]): Pose3 {
  const [dx, dy, dz] = rotate(pose.rotation_wxyz, offsetM);
  const [x, y, z] = pose.position;
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const turn = multiply(
    aboutAxis([0, 1, 0], radians(panDeg)),
    aboutAxis([1, 0, 0], radians(tiltDeg)),
  );
  return {
    position: [x + dx, y + dy, z + dz],
    rotation_wxyz: multiply(pose.rotation_wxyz, turn),
  };
}

/** Horizontal field of view of a picture whose vertical one is known; degrees. */
export function hfovOf(fovyDeg: number, width: number, height: number): number {
  const half = Math.tan((fovyDeg * Math.PI) / 360) * (width / height);
  return (Math.atan(half) * 360) / Math.PI;
}
