import { ConfigError, show } from "../../core/errors.js";
import type { View } from "./camera.js";

/**
 * An affine map as three rows of four: x' = m0 x + m1 y + m2 z + m3, and so on. glTF's matrices come
 * column by column and carry a fourth row that is always 0 0 0 1.
 */
export type Affine = Float64Array;

export function affineOf(transform: readonly number[] | undefined, where: string): Affine {
  const rows = new Float64Array(12);
  if (transform === undefined) {
    rows[0] = rows[5] = rows[10] = 1;
    return rows;
  }
  if (transform.length !== 16 || !transform.every(Number.isFinite)) {
    throw new ConfigError(
      "bad_transform",
      `a transform is 16 finite numbers, column by column; received ${show(transform)}`,
      { where },
    );
  }
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      rows[row * 4 + column] = transform[column * 4 + row] as number;
    }
  }
  return rows;
}

/** Turns a left glove into a right one: fronts and backs change places. */
export function isMirror(m: Affine): boolean {
  const at = (row: number, column: number) => m[row * 4 + column] as number;
  const minor = (column: number) => {
    const [p, q] = [(column + 1) % 3, (column + 2) % 3];
    return at(1, p) * at(2, q) - at(1, q) * at(2, p);
  };
  return at(0, 0) * minor(0) + at(0, 1) * minor(1) + at(0, 2) * minor(2) < 0;
}

/** From the part's own space straight to the camera's, into `out`. */
export function toCamera(view: View, m: Affine, out: Affine): void {
  const axes = [view.right, view.up, view.ahead];
  const [px, py, pz] = view.position;
  for (let row = 0; row < 3; row++) {
    const [x, y, z] = axes[row] as readonly [number, number, number];
    for (let column = 0; column < 4; column++) {
      // The camera is taken off before rotating: far from the origin nothing is lost to rounding.
      const last = column === 3 ? 1 : 0;
      out[row * 4 + column] =
        x * ((m[column] as number) - last * px) +
        y * ((m[4 + column] as number) - last * py) +
        z * ((m[8 + column] as number) - last * pz);
    }
  }
}

/**
 * What rotates normals: the cofactors of the map's linear part, which also holds under uneven scale.
 * Row by row, 9 numbers; the result of applying it is not yet a unit vector.
 */
export function normalMatrix(m: Affine): Float64Array {
  const at = (row: number, column: number) => m[(row % 3) * 4 + (column % 3)] as number;
  const sign = isMirror(m) ? -1 : 1;
  const out = new Float64Array(9);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      out[r * 3 + c] =
        sign * (at(r + 1, c + 1) * at(r + 2, c + 2) - at(r + 1, c + 2) * at(r + 2, c + 1));
    }
  }
  return out;
}
