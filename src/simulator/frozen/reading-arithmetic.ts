import type { QuatWxyz } from "../../core/math/rotation.js";

type Values = readonly number[];

export function difference(one: Values, other: Values): Values {
  return one.map((value, i) => value - (other[i] ?? 0));
}

export function sum(one: Values, other: Values): Values {
  return one.map((value, i) => value + (other[i] ?? 0));
}

/** @param low, high one number for all values, or one for each */
export function clip(values: Values, low: Values, high: Values): Values {
  const of = (bounds: Values, i: number) => (bounds.length === 1 ? bounds[0] : bounds[i]);
  return values.map((value, i) =>
    Math.min(of(high, i) ?? value, Math.max(of(low, i) ?? value, value)),
  );
}

/** The same rotation with its largest component positive: the sign that SciPy's `Rotation.from_matrix` gives. */
export function largestPositive(quaternion: Values): Values {
  const largest = quaternion.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  return largest < 0 ? quaternion.map((value) => -value) : quaternion;
}

/** Angles about x, y and z as Gymnasium-Robotics' `mat2euler` computes them; at the poles, the first one is 0. */
export function euler([w, x, y, z]: QuatWxyz): Values {
  const [m00, m01, m02] = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)];
  const [m10, m11, m12] = [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)];
  const m22 = 1 - 2 * (x * x + y * y);
  const cosine = Math.hypot(m22, m12);
  const middle = Math.atan2(m02, cosine);
  // Four times the smallest difference of numbers near 1.
  if (cosine > 4 * Number.EPSILON) return [-Math.atan2(m12, m22), middle, -Math.atan2(m01, m00)];
  return [0, middle, Math.atan2(m10, m11)];
}
