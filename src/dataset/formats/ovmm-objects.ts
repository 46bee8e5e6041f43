import { aboutAxis, multiply } from "../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../core/math/rotation.js";

/** The name of an object's file without folder and endings: `024_bowl.object_config.json` is `024_bowl`. */
export function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.slice(0, name.indexOf(".") < 0 ? undefined : name.indexOf("."));
}

type Rows = readonly (readonly number[])[];

/** The rotation in a matrix of rows (Shepperd 1978): divides by the largest component, so that it is exact for all. */
export function quatOf(rows: Rows): QuatWxyz {
  const m = (i: number, j: number) => rows[i]?.[j] ?? 0;
  const trace = m(0, 0) + m(1, 1) + m(2, 2);
  const candidates = [trace, m(0, 0), m(1, 1), m(2, 2)];
  const largest = candidates.indexOf(Math.max(...candidates));
  if (largest === 0) {
    const s = 2 * Math.sqrt(1 + trace);
    return unit([s / 4, (m(2, 1) - m(1, 2)) / s, (m(0, 2) - m(2, 0)) / s, (m(1, 0) - m(0, 1)) / s]);
  }
  const [i, j, k] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ][largest - 1] as [number, number, number];
  const s = 2 * Math.sqrt(1 + m(i, i) - m(j, j) - m(k, k));
  const vector = [0, 0, 0];
  vector[i] = s / 4;
  vector[j] = (m(j, i) + m(i, j)) / s;
  vector[k] = (m(k, i) + m(i, k)) / s;
  return unit([(m(k, j) - m(j, k)) / s, vector[0] ?? 0, vector[1] ?? 0, vector[2] ?? 0]);
}

function unit([w, x, y, z]: readonly [number, number, number, number]): QuatWxyz {
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

/** The 4x4 matrix, row by row, of a position and a rotation. */
export function matrixOf(position: readonly number[], [w, x, y, z]: QuatWxyz): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), position[0] ?? 0],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), position[1] ?? 0],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), position[2] ?? 0],
    [0, 0, 0, 1],
  ];
}

const UP = aboutAxis([1, 0, 0], Math.PI / 2);
const DOWN = aboutAxis([1, 0, 0], -Math.PI / 2);

/** The rotation in axes with z up, from one in axes with y up; and back. */
export function upright(rotation: QuatWxyz): QuatWxyz {
  return multiply(multiply(UP, rotation), DOWN);
}

export function lying(rotation: QuatWxyz): QuatWxyz {
  return multiply(multiply(DOWN, rotation), UP);
}
