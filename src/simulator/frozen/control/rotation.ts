import type { Vec3 } from "../../../core/math/vec3.js";

/** Rotation matrix, row by row. */
export type Matrix3 = readonly number[];

const { fround } = Math;

/**
 * With the quaternion in single precision, as in robosuite: its goals are off by 1e-8, and so must ours be.
 *
 * @param vector rotation axis times angle in radians
 */
export function matrixOfVector([x, y, z]: Vec3): Matrix3 {
  const angle = Math.sqrt(x * x + y * y + z * z);
  if (angle === 0) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const sine = Math.sin(angle / 2);
  const unit = [Math.cos(angle / 2), (x / angle) * sine, (y / angle) * sine, (z / angle) * sine];
  const single = unit.map(fround);
  const length = fround(single.reduce((sum, value) => sum + fround(value * value), 0));
  const scale = Math.sqrt(2 / length);
  const q = single.map((value) => fround(value * scale));
  const q2 = (i: number, j: number) => fround((q[i] as number) * (q[j] as number));
  return [
    1 - q2(2, 2) - q2(3, 3),
    fround(q2(1, 2) - q2(3, 0)),
    fround(q2(1, 3) + q2(2, 0)),
    fround(q2(1, 2) + q2(3, 0)),
    1 - q2(1, 1) - q2(3, 3),
    fround(q2(2, 3) - q2(1, 0)),
    fround(q2(1, 3) - q2(2, 0)),
    fround(q2(2, 3) + q2(1, 0)),
    1 - q2(1, 1) - q2(2, 2),
  ];
}

export function times(a: Matrix3, b: Matrix3): Matrix3 {
  const product = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      product[row + column] =
        at3(a, row) * at3(b, column) +
        at3(a, row + 1) * at3(b, column + 3) +
        at3(a, row + 2) * at3(b, column + 6);
    }
  }
  return product;
}

export function transposed(m: Matrix3): Matrix3 {
  return [0, 3, 6, 1, 4, 7, 2, 5, 8].map((at) => at3(m, at));
}

export function apply(m: Matrix3, [x, y, z]: Vec3): Vec3 {
  const row = (at: number) => at3(m, at) * x + at3(m, at + 1) * y + at3(m, at + 2) * z;
  return [row(0), row(3), row(6)];
}

/** Half the sum of the cross products of both matrices' columns: the axis times the sine of the angle between them. */
export function rotationError(desired: Matrix3, current: Matrix3): Vec3 {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let column = 0; column < 3; column++) {
    const cx = at3(current, column);
    const cy = at3(current, column + 3);
    const cz = at3(current, column + 6);
    const dx = at3(desired, column);
    const dy = at3(desired, column + 3);
    const dz = at3(desired, column + 6);
    x += (cy * dz - cz * dy) / 2;
    y += (cz * dx - cx * dz) / 2;
    z += (cx * dy - cy * dx) / 2;
  }
  return [x, y, z];
}

function at3(m: Matrix3, at: number): number {
  return m[at] as number;
}
