import type { RotationForm } from "../../config/mapping.js";
import { DataError, show } from "../../core/errors.js";
import { aboutAxis, multiply, rotate } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { cross, dot } from "../../core/math/vec3.js";

/** Number of values of each form. */
export const ROTATION_SIZES: Readonly<Record<RotationForm, number>> = {
  quat_wxyz: 4,
  quat_xyzw: 4,
  axis_angle: 3,
  axis_angle_full: 3,
  euler_xyz: 3,
  rotation_6d: 6,
  rotation_6d_interleaved: 6,
};

/**
 * Converts a rotation to another form. The result depends on the rotation alone, not on the sign of a quaternion:
 * quaternions have w >= 0, an axis-angle turns by at most pi. Only `axis_angle_full` keeps the sign: a quaternion with w < 0
 * turns by more than pi, as robosuite's `quat2axisangle` computes it. A hand that points down is always close to pi.
 */
export function convertRotation(
  values: readonly number[],
  from: RotationForm,
  to: RotationForm,
): number[] {
  if (values.length !== ROTATION_SIZES[from]) {
    throw new DataError(
      "bad_rotation",
      `${from} has ${ROTATION_SIZES[from]} numbers, got ${values.length}`,
    );
  }
  const rotation = normalized(read(values, from), values);
  return written(to === "axis_angle_full" ? rotation : positive(rotation), to);
}

function read(values: readonly number[], form: RotationForm): QuatWxyz {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  switch (form) {
    case "quat_wxyz":
      return [a, b, c, d];
    case "quat_xyzw":
      return [d, a, b, c];
    case "axis_angle":
    case "axis_angle_full": {
      const angle = Math.hypot(a, b, c);
      return angle === 0 ? [1, 0, 0, 0] : aboutAxis([a / angle, b / angle, c / angle], angle);
    }
    case "euler_xyz":
      return multiply(
        multiply(aboutAxis([0, 0, 1], c), aboutAxis([0, 1, 0], b)),
        aboutAxis([1, 0, 0], a),
      );
    case "rotation_6d":
      return fromColumns([a, b, c], [d, e, f]);
    case "rotation_6d_interleaved":
      return fromColumns([a, c, e], [b, d, f]);
  }
}

function written(q: QuatWxyz, form: RotationForm): number[] {
  const [w, x, y, z] = q;
  switch (form) {
    case "quat_wxyz":
      return [w, x, y, z];
    case "quat_xyzw":
      return [x, y, z, w];
    case "axis_angle":
    case "axis_angle_full": {
      const sine = Math.hypot(x, y, z);
      // For tiny angles the axis is numerically undefined; there the angle is 2 sin(a/2).
      const perSine = sine < 1e-12 ? 2 : (2 * Math.atan2(sine, w)) / sine;
      return [x * perSine, y * perSine, z * perSine];
    }
    case "euler_xyz":
      return eulerXyz(q);
    case "rotation_6d":
      return [...rotate(q, [1, 0, 0]), ...rotate(q, [0, 1, 0])];
    case "rotation_6d_interleaved": {
      const [x0, x1, x2] = rotate(q, [1, 0, 0]);
      const [y0, y1, y2] = rotate(q, [0, 1, 0]);
      return [x0, y0, x1, y1, x2, y2];
    }
  }
}

/** Angles about fixed x, then y, then z. At gimbal lock the whole turn goes to x. */
function eulerXyz(q: QuatWxyz): number[] {
  const [m00, m10, m20] = rotate(q, [1, 0, 0]);
  const [, m11, m21] = rotate(q, [0, 1, 0]);
  const [, m12, m22] = rotate(q, [0, 0, 1]);
  const cosine = Math.hypot(m00, m10);
  const pitch = Math.atan2(-m20, cosine);
  return cosine > 1e-9
    ? [Math.atan2(m21, m22), pitch, Math.atan2(m10, m00)]
    : [Math.atan2(-m12, m11), pitch, 0];
}

/** Gram-Schmidt on two predicted columns; the first keeps its direction (Zhou et al. 2019). */
function fromColumns(first: Vec3, second: Vec3): QuatWxyz {
  const x = unit(first);
  const along = dot(x, second);
  const y = unit([second[0] - along * x[0], second[1] - along * x[1], second[2] - along * x[2]]);
  const z = cross(x, y);
  return fromMatrix(x, y, z);
}

/** Chooses the one of four formulas that divides by the largest number (Shepperd 1978). */
function fromMatrix(x: Vec3, y: Vec3, z: Vec3): QuatWxyz {
  const squares = [
    1 + x[0] + y[1] + z[2],
    1 + x[0] - y[1] - z[2],
    1 - x[0] + y[1] - z[2],
    1 - x[0] - y[1] + z[2],
  ];
  const largest = Math.max(...squares);
  const s = 2 * Math.sqrt(largest);
  switch (squares.indexOf(largest)) {
    case 0:
      return [s / 4, (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s];
    case 1:
      return [(y[2] - z[1]) / s, s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s];
    case 2:
      return [(z[0] - x[2]) / s, (y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s];
    default:
      return [(x[1] - y[0]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4];
  }
}

function normalized(q: QuatWxyz, values: readonly number[]): QuatWxyz {
  const length = Math.hypot(...q);
  if (!(length > 1e-9) || !Number.isFinite(length)) {
    throw new DataError("bad_rotation", `${show(values)} is not a rotation`);
  }
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

function positive(q: QuatWxyz): QuatWxyz {
  return q[0] < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
}

function unit(v: Vec3): Vec3 {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
}
