import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { between } from "./draw.js";

/** Distance of the point that the camera keeps looking at. */
const LOOK_AT_M = 1;
/** The camera rises by up to this multiple of its shift. */
const CAMERA_RISE = 2;
/** Error of the camera's aim, per metre of its shift: 1.5 degrees at 5 cm. */
const CAMERA_AIM_DEG = 1.5;
const USUAL_SHIFT_M = 0.05;

/** Offset of a camera: metres along its axes (right, up, back), and degrees of pan (left) and tilt (up). */
export interface CameraOffset {
  readonly offsetM: Vec3;
  readonly panDeg: number;
  readonly tiltDeg: number;
}

/** Shifts the camera sideways and up, and aims it back at the same point with an error. */
export function cameraPose(shiftM: number, random: Random): CameraOffset {
  const offsetM: Vec3 = [
    between(random, -shiftM, shiftM),
    between(random, 0, CAMERA_RISE * shiftM),
    between(random, -shiftM, shiftM),
  ];
  const aimDeg = CAMERA_AIM_DEG * (shiftM / USUAL_SHIFT_M);
  const towards = (shift: number) => (Math.atan2(shift, LOOK_AT_M + offsetM[2]) * 180) / Math.PI;
  return {
    offsetM,
    panDeg: towards(offsetM[0]) + between(random, -aimDeg, aimDeg),
    tiltDeg: -towards(offsetM[1]) + between(random, -aimDeg, aimDeg),
  };
}
