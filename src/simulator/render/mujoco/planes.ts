import { MeshBuilder, type TexcoordKind } from "./mesh-builder.js";
import type { GlMesh } from "./scene.js";

/** Most squares along a side (`mjMAXPLANEGRID`). */
const MOST_SQUARES = 200;

export interface PlaneSpec {
  /** Half sizes, 0 for an infinite side, and the distance of grid lines. */
  readonly size: readonly [number, number, number];
  /** The material's; undefined without material. */
  readonly texrepeat: readonly [number, number] | undefined;
  readonly texuniform: boolean;
  readonly texcoords: TexcoordKind;
  /** Far clipping distance in metres, which decides how far an infinite plane is drawn. */
  readonly zfar: number;
}

/** Step in which an infinite plane follows the camera: half a period of the grid. */
export function followStep({ texrepeat, zfar }: PlaneSpec, axis: 0 | 1): number {
  const repeat = texrepeat?.[axis] ?? 0;
  return repeat > 0 ? 2 / repeat : (2.1 * zfar) / (MOST_SQUARES - 2);
}

/** A plane as MuJoCo divides it: along its grid, because light is computed at the vertices. */
export function planeMesh(spec: PlaneSpec): GlMesh {
  const { size, texuniform, texrepeat, texcoords } = spec;
  const mesh = new MeshBuilder(texcoords);
  const xs = gridLines(spec, 0);
  const ys = gridLines(spec, 1);
  const scale = ([0, 1] as const).map((axis) => {
    const repeat = texrepeat?.[axis] ?? 0;
    return (repeat > 0 ? repeat : 1) * (texuniform && size[axis] > 0 ? size[axis] : 1);
  });
  const shift = size[0] <= 0 || size[1] <= 0 ? -0.5 : 0;
  const corner = (x: number, y: number) => {
    const u = size[0] > 0 ? (x + size[0]) / (2 * size[0]) : 0.5 * x;
    const v = size[1] > 0 ? 1 - (y + size[1]) / (2 * size[1]) : -0.5 * y;
    const uv = [u * (scale[0] ?? 1) + shift, v * (scale[1] ?? 1) + shift] as const;
    const cube = texuniform ? ([x * size[0], y * size[1], 0] as const) : ([x, y, 0] as const);
    return { at: [x, y, 0] as const, normal: [0, 0, 1] as const, uv, cube };
  };
  for (let i = 0; i + 1 < xs.length; i++) {
    const [left, right] = [xs[i] as number, xs[i + 1] as number];
    for (let j = 0; j + 1 < ys.length; j++) {
      const [low, high] = [ys[j] as number, ys[j + 1] as number];
      if (left === right || low === high) continue;
      mesh.quad(corner(left, low), corner(right, low), corner(right, high), corner(left, high));
    }
  }
  const [x0, x1] = [xs[0] ?? 0, xs.at(-1) ?? 0];
  const [y0, y1] = [ys[0] ?? 0, ys.at(-1) ?? 0];
  return mesh.build({
    positions: Float32Array.of(x0, y0, 0, x1, y0, 0, x1, y1, 0, x0, y1, 0),
    faces: Uint32Array.of(0, 1, 3, 1, 2, 3),
  });
}

function gridLines(spec: PlaneSpec, axis: 0 | 1): readonly number[] {
  const half = spec.size[axis];
  if (half <= 0) {
    const step = (2.1 * spec.zfar + 2 * followStep(spec, axis)) / MOST_SQUARES;
    return Array.from({ length: MOST_SQUARES + 1 }, (_, i) => step * (i - MOST_SQUARES / 2));
  }
  const spacing = Math.max(spec.size[2], half / (MOST_SQUARES - 2));
  const whole = Math.floor(half / Math.max(1e-15, spacing));
  const even = whole - (whole % 2);
  const pad = half - even * spacing;
  const lines = [-half];
  for (let i = 0; i <= even; i++) lines.push(-half + pad + 2 * spacing * i);
  lines.push(half);
  return lines;
}
