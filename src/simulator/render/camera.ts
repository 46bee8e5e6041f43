import { ConfigError, show } from "../../core/errors.js";
import type { QuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";

/** A pinhole camera with square pixels. */
export interface Camera {
  readonly width: number;
  readonly height: number;
  /** Horizontal field of view; the vertical one follows from the aspect ratio. */
  readonly hfovDeg: number;
  readonly position: Vec3;
  /** The camera looks along its own -z with y up. */
  readonly rotation: QuatXyzw;
  /** Near plane: nothing closer along the axis is rendered. 0.01 by default, as in Habitat. */
  readonly nearM?: number;
  /** Far plane: nothing farther along the axis is rendered. Unlimited by default. */
  readonly farM?: number;
}

const DEFAULT_NEAR_M = 0.01;
const MAX_SIDE_PX = 4096;

/**
 * The derived parameters of a camera. In camera space x points right, y up and d ahead. d is the metric
 * depth, which makes the space left-handed.
 */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly nearM: number;
  readonly farM: number;
  /** Focal length in pixels: pixel x = centreX + focalPx * x / d, pixel y = centreY - focalPx * y / d. */
  readonly focalPx: number;
  readonly centreX: number;
  readonly centreY: number;
  readonly position: Vec3;
  /** The camera's axes in the world, as unit vectors. */
  readonly right: Vec3;
  readonly up: Vec3;
  readonly ahead: Vec3;
}

export function viewOf(camera: Camera): View {
  const { width, height, hfovDeg, position } = camera;
  checkSide("width", width);
  checkSide("height", height);
  if (!(hfovDeg > 0 && hfovDeg < 180)) {
    throw badCamera("hfovDeg", hfovDeg, "an angle above 0 and below 180 degrees");
  }
  if (position.length !== 3 || !position.every(Number.isFinite)) {
    throw badCamera("position", position, "three finite numbers, in metres");
  }
  const nearM = camera.nearM ?? DEFAULT_NEAR_M;
  if (!(nearM > 0 && Number.isFinite(nearM))) {
    throw badCamera("nearM", nearM, "a finite distance above 0, in metres");
  }
  const farM = camera.farM ?? Number.POSITIVE_INFINITY;
  if (!(farM > nearM)) {
    throw badCamera("farM", farM, `a distance above nearM, ${nearM} m`);
  }
  const focalPx = width / 2 / Math.tan((hfovDeg * Math.PI) / 360);
  const centre = { centreX: width / 2, centreY: height / 2 };
  return { width, height, nearM, farM, focalPx, ...centre, position, ...axesOf(camera.rotation) };
}

/** The columns of the rotation matrix; the quaternion may have any length above 0. */
function axesOf(rotation: QuatXyzw): { right: Vec3; up: Vec3; ahead: Vec3 } {
  const [x, y, z, w] = rotation;
  const length2 = x * x + y * y + z * z + w * w;
  if (rotation.length !== 4 || !(length2 > 1e-12 && length2 < 1e12)) {
    throw badCamera("rotation", rotation, "a quaternion [x, y, z, w] of finite numbers, not all 0");
  }
  const s = 2 / length2;
  return {
    right: [1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)],
    up: [s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)],
    ahead: [-s * (x * z + w * y), -s * (y * z - w * x), s * (x * x + y * y) - 1],
  };
}

function checkSide(name: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 1 && value <= MAX_SIDE_PX)) {
    throw badCamera(name, value, `a whole number of pixels from 1 to ${MAX_SIDE_PX}`);
  }
}

function badCamera(field: string, value: unknown, valid: string): ConfigError {
  return new ConfigError(
    "bad_camera",
    `a camera's ${field} cannot be ${show(value)}; valid is ${valid}`,
    { hint: "correct the sensor's entry in the benchmark, or the camera's pose" },
  );
}
