/**
 * A transform as in glTF: 16 numbers in column-major order, with the last row 0, 0, 0, 1. Undefined means the
 * identity.
 */
export type Transform = readonly number[];

export const IDENTITY: Transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Applies `b` first, then `a`. */
export function multiply(a: Transform, b: Transform): Transform {
  const out: number[] = [];
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) {
        sum += (a[4 * k + row] as number) * (b[4 * column + k] as number);
      }
      out.push(sum);
    }
  }
  return out;
}

/** Composes glTF's translation, rotation (x, y, z, w) and scale, each with its default. */
export function compose(
  [tx = 0, ty = 0, tz = 0]: readonly number[] = [],
  [x = 0, y = 0, z = 0, w = 1]: readonly number[] = [],
  [sx = 1, sy = 1, sz = 1]: readonly number[] = [],
): Transform {
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  ];
}

export function isIdentity(m: Transform): boolean {
  return IDENTITY.every((value, i) => m[i] === value);
}

/** True if the transform changes handedness, which reverses the winding of triangles. */
export function mirrors(m: Transform): boolean {
  const [a = 0, b = 0, c = 0, , d = 0, e = 0, f = 0, , g = 0, h = 0, i = 0] = m;
  return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e) < 0;
}

/** Transforms the points x, y, z, ... and writes them into `out`, starting at `at`. */
export function transformInto(
  out: Float32Array,
  at: number,
  points: Float32Array,
  m: Transform = IDENTITY,
): void {
  const [a = 0, b = 0, c = 0] = m;
  const [d = 0, e = 0, f = 0] = m.slice(4);
  const [g = 0, h = 0, i = 0] = m.slice(8);
  const [tx = 0, ty = 0, tz = 0] = m.slice(12);
  for (let p = 0; p + 2 < points.length; p += 3) {
    const x = points[p] as number;
    const y = points[p + 1] as number;
    const z = points[p + 2] as number;
    out[at + p] = a * x + d * y + g * z + tx;
    out[at + p + 1] = b * x + e * y + h * z + ty;
    out[at + p + 2] = c * x + f * y + i * z + tz;
  }
}
