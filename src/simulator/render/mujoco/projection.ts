import type { GlCamera, GlSettings } from "./scene.js";

/**
 * Maps world points to an image. The four rows give, for (x, y, z, 1): column times w, row times w, depth times w, and
 * w. Depth is 1 at the near and 0 at the far plane.
 */
export interface Projection {
  readonly width: number;
  readonly height: number;
  /** 16 numbers, row-major. The last row is 0, 0, 0, 1 for orthographic cameras only. */
  readonly matrix: Float64Array;
  /** Where specular highlights are seen from. */
  readonly eye: readonly [number, number, number];
  /** The camera itself, which a mirror does not move. */
  readonly head: readonly [number, number, number];
  /** Whether it mirrors, so that fronts appear clockwise. */
  readonly mirrored: boolean;
  /** Only points with a x + b y + c z + d >= 0 are drawn, for mirrors. */
  readonly clip?: readonly [number, number, number, number] | undefined;
}

export function projectionOf(
  camera: GlCamera,
  width: number,
  height: number,
  { znear, zfar }: Pick<GlSettings, "znear" | "zfar">,
): Projection {
  const { position, matrix: m, left, right, bottom, top, orthographic } = camera;
  // Rows of the view matrix: right, up and back.
  const axis = (column: number) => {
    const row = [m[column] ?? 0, m[3 + column] ?? 0, m[6 + column] ?? 0];
    const shift = -row.reduce((sum, value, i) => sum + value * (position[i] ?? 0), 0);
    return [...row, shift];
  };
  const [x, y, back] = [axis(0), axis(1), axis(2)];
  const rows = [];
  const flat = [0, 0, 0, 1];
  const depthOf = back.map((value) => -value);
  if (orthographic) {
    rows.push(
      combine(x, width / (right - left), flat, (-left * width) / (right - left)),
      combine(y, -height / (top - bottom), flat, (top * height) / (top - bottom)),
      combine(depthOf, -1 / (zfar - znear), flat, zfar / (zfar - znear)),
      flat,
    );
  } else {
    rows.push(
      combine(x, (width * znear) / (right - left), depthOf, (-left * width) / (right - left)),
      combine(y, (-height * znear) / (top - bottom), depthOf, (top * height) / (top - bottom)),
      combine(depthOf, -znear / (zfar - znear), flat, (zfar * znear) / (zfar - znear)),
      depthOf,
    );
  }
  return {
    width,
    height,
    matrix: Float64Array.from(rows.flat()),
    eye: position,
    head: position,
    mirrored: false,
  };
}

function combine(a: number[], s: number, b: number[], t: number): number[] {
  return a.map((value, i) => value * s + (b[i] ?? 0) * t);
}

/** The same view of the world mirrored at a plane through `point` with the unit vector `normal`. */
export function mirroredAt(
  projection: Projection,
  point: readonly [number, number, number],
  normal: readonly [number, number, number],
): Projection {
  const [nx, ny, nz] = normal;
  const offset = point[0] * nx + point[1] * ny + point[2] * nz;
  const { matrix, eye } = projection;
  const out = new Float64Array(16);
  for (let row = 0; row < 4; row++) {
    const at = 4 * row;
    const [a, b, c, d] = [...matrix.subarray(at, at + 4)] as [number, number, number, number];
    const along = a * nx + b * ny + c * nz;
    out.set(
      [a - 2 * along * nx, b - 2 * along * ny, c - 2 * along * nz, d + 2 * along * offset],
      at,
    );
  }
  const height = eye[0] * nx + eye[1] * ny + eye[2] * nz - offset;
  return {
    ...projection,
    matrix: out,
    eye: [eye[0] - 2 * height * nx, eye[1] - 2 * height * ny, eye[2] - 2 * height * nz],
    mirrored: !projection.mirrored,
    clip: [nx, ny, nz, -offset],
  };
}
