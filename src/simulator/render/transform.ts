import { ConfigError, show } from "../../core/errors.js";
import type { View } from "./camera.js";

/**
 * An affine map as three rows of four: x' = m0 x + m1 y + m2 z + m3, and so on. glTF's matrices are in
 * column-major order and have a fourth row that is always 0 0 0 1.
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
      `a transform must be 16 finite numbers in column-major order; received ${show(transform)}`,
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

/** True if the map changes handedness, which swaps front and back faces. */
export function isMirror(m: Affine): boolean {
  const at = (row: number, column: number) => m[row * 4 + column] as number;
  const minor = (column: number) => {
    const [p, q] = [(column + 1) % 3, (column + 2) % 3];
    return at(1, p) * at(2, q) - at(1, q) * at(2, p);
  };
  return at(0, 0) * minor(0) + at(0, 1) * minor(1) + at(0, 2) * minor(2) < 0;
}

/** Writes the map from the part's own space to camera space into `out`. */
export function toCamera(view: View, m: Affine, out: Affine): void {
  const axes = [view.right, view.up, view.ahead];
  const [px, py, pz] = view.position;
  for (let row = 0; row < 3; row++) {
    const [x, y, z] = axes[row] as readonly [number, number, number];
    for (let column = 0; column < 4; column++) {
      // Subtracts the camera's position before rotating, to avoid rounding errors far from the origin.
      const last = column === 3 ? 1 : 0;
      out[row * 4 + column] =
        x * ((m[column] as number) - last * px) +
        y * ((m[4 + column] as number) - last * py) +
        z * ((m[8 + column] as number) - last * pz);
    }
  }
}

/**
 * The matrix for normals: the cofactors of the map's linear part, valid under non-uniform scale. Row by row,
 * 9 numbers; its results are not unit vectors.
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
