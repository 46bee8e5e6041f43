import type { Affine } from "./transform.js";

/** An axis-aligned box: smallest x, y, z, then largest. */
export type Box = Float64Array;

export function emptyBox(): Box {
  const box = new Float64Array(6);
  box.fill(Number.POSITIVE_INFINITY, 0, 3);
  box.fill(Number.NEGATIVE_INFINITY, 3, 6);
  return box;
}

export function growBox(box: Box, x: number, y: number, z: number): void {
  if (x < (box[0] as number)) box[0] = x;
  if (y < (box[1] as number)) box[1] = y;
  if (z < (box[2] as number)) box[2] = z;
  if (x > (box[3] as number)) box[3] = x;
  if (y > (box[4] as number)) box[4] = y;
  if (z > (box[5] as number)) box[5] = z;
}

/** Writes the smallest axis-aligned box around a transformed one into `out`. */
export function moveBox(box: Box, m: Affine, out: Box): void {
  for (let row = 0; row < 3; row++) {
    let low = m[row * 4 + 3] as number;
    let high = low;
    for (let column = 0; column < 3; column++) {
      const factor = m[row * 4 + column] as number;
      const a = factor * (box[column] as number);
      const b = factor * (box[column + 3] as number);
      low += Math.min(a, b);
      high += Math.max(a, b);
    }
    out[row] = low;
    out[row + 3] = high;
  }
}
