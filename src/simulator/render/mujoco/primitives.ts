import { type Corner, MeshBuilder, type TexcoordKind } from "./mesh-builder.js";
import type { GlMesh } from "./scene.js";

/** How finely MuJoCo divides its primitives: `visual/quality` of the model. */
export interface Quality {
  readonly numslices: number;
  readonly numstacks: number;
  readonly numquads: number;
}

type Size = readonly [number, number, number];
type Vec = readonly [number, number, number];

/**
 * Corners of a unit shape, scaled. Normals get the inverse scale, as OpenGL does. Cube maps are looked up by the unit
 * shape, or by the real size for `texuniform`.
 */
function scaler(size: Size, uniform: boolean) {
  return (unit: Vec, normal: Vec, uv: readonly [number, number]): Corner => {
    const at: Vec = [unit[0] * size[0], unit[1] * size[1], unit[2] * size[2]];
    return {
      at,
      normal: [normal[0] / size[0], normal[1] / size[1], normal[2] / size[2]],
      uv,
      cube: uniform ? at : unit,
    };
  };
}

/** What `primitive` needs besides the shape. */
export interface Tessellation {
  readonly quality: Quality;
  readonly texcoords: TexcoordKind;
  readonly texuniform: boolean;
}

/**
 * A primitive in the triangles that MuJoCo draws (`render_context.c`). They show: light is computed at the vertices.
 *
 * @param size half sizes along x, y and z
 */
export function primitive(
  shape: "sphere" | "capsule" | "cylinder" | "box",
  size: Size,
  { quality, texcoords, texuniform }: Tessellation,
): GlMesh {
  const mesh = new MeshBuilder(texcoords);
  const { numslices, numstacks } = quality;
  const corner = scaler(size, texuniform);
  switch (shape) {
    case "sphere":
      for (const sign of [-1, 1] as const) {
        cap(mesh, sign, numslices, Math.floor(numstacks / 2), (unit, v, u) =>
          corner(unit, unit, [u, 0.5 - (sign * v) / 2]),
        );
      }
      return mesh.build();
    case "cylinder":
      disk(mesh, -1, numslices, Math.floor(numstacks / 2), corner);
      tube(mesh, numslices, numstacks, corner);
      disk(mesh, 1, numslices, Math.floor(numstacks / 2), corner);
      return mesh.build();
    case "capsule": {
      tube(mesh, numslices, numstacks, corner);
      const radius = (size[0] + size[1]) / 2;
      for (const sign of [-1, 1] as const) {
        const scale = texuniform ? size : ([1, 1, 1] as const);
        cap(mesh, sign, numslices, Math.floor(numstacks / 2), (unit, v, u) => ({
          at: [unit[0] * size[0], unit[1] * size[1], sign * size[2] + unit[2] * radius],
          normal: [unit[0] / size[0], unit[1] / size[1], unit[2] / radius],
          uv: [u, sign > 0 ? 1 - v : v],
          // MuJoCo's half sphere spans 1 to 2 along z.
          cube: [unit[0] * scale[0], unit[1] * scale[1], (sign + unit[2]) * scale[2]],
        }));
      }
      return mesh.build();
    }
    case "box":
      box(mesh, quality.numquads, corner);
      return mesh.build(boxOutline(size));
  }
}

type ToCorner = (unit: Vec, normal: Vec, uv: readonly [number, number]) => Corner;

/** Half a unit sphere. `make` gets the point, its elevation from 0 (equator) to 1 (pole), and the way around. */
function cap(
  mesh: MeshBuilder,
  sign: 1 | -1,
  slices: number,
  stacks: number,
  make: (unit: Vec, v: number, u: number) => Corner,
): void {
  const point = (slice: number, stack: number): Corner => {
    const azimuth = (2 * Math.PI * (slice % slices)) / slices;
    const elevation = (Math.PI / 2) * sign * (stack / stacks);
    const level = Math.cos(elevation);
    const unit: Vec = [Math.cos(azimuth) * level, Math.sin(azimuth) * level, Math.sin(elevation)];
    return make(unit, stack / stacks, slice / slices);
  };
  for (let slice = 0; slice < slices; slice++) {
    const pole = make([0, 0, sign], 1, (slice + 0.5) / slices);
    const [a, b] = [point(slice, stacks - 1), point(slice + 1, stacks - 1)];
    if (sign > 0) mesh.triangle(a, b, pole);
    else mesh.triangle(pole, b, a);
    for (let stack = 0; stack < stacks - 1; stack++) {
      const low = [point(slice, stack), point(slice + 1, stack)] as const;
      const high = [point(slice, stack + 1), point(slice + 1, stack + 1)] as const;
      if (sign > 0) mesh.quad(low[0], low[1], high[1], high[0]);
      else mesh.quad(high[0], high[1], low[1], low[0]);
    }
  }
}

/** The side of a cylinder of radius 1 from z = -1 to 1. */
function tube(mesh: MeshBuilder, slices: number, stacks: number, corner: ToCorner): void {
  const point = (slice: number, stack: number): Corner => {
    const azimuth = (2 * Math.PI * (slice % slices)) / slices;
    const [x, y] = [Math.cos(azimuth), Math.sin(azimuth)];
    const z = (2 * stack) / stacks - 1;
    return corner([x, y, z], [x, y, 0], [slice / slices, (1 - z) / 2]);
  };
  for (let stack = 0; stack < stacks; stack++) {
    for (let slice = 0; slice < slices; slice++) {
      mesh.quad(
        point(slice, stack),
        point(slice + 1, stack),
        point(slice + 1, stack + 1),
        point(slice, stack + 1),
      );
    }
  }
}

function disk(
  mesh: MeshBuilder,
  sign: 1 | -1,
  slices: number,
  stacks: number,
  corner: ToCorner,
): void {
  const point = (slice: number, stack: number): Corner => {
    const azimuth = (2 * Math.PI * (slice % slices)) / slices;
    const radius = stack / stacks;
    const [x, y] = [Math.cos(azimuth) * radius, Math.sin(azimuth) * radius];
    return corner([x, y, sign], [0, 0, sign], [0.5 + 0.5 * x, 0.5 + 0.5 * y]);
  };
  for (let slice = 0; slice < slices; slice++) {
    const centre = corner([0, 0, sign], [0, 0, sign], [0.5, 0.5]);
    const [a, b] = [point(slice, 1), point(slice + 1, 1)];
    if (sign > 0) mesh.triangle(a, b, centre);
    else mesh.triangle(centre, b, a);
    for (let stack = 1; stack < stacks; stack++) {
      const outer = [point(slice, stack + 1), point(slice + 1, stack + 1)] as const;
      const inner = [point(slice, stack), point(slice + 1, stack)] as const;
      if (sign > 0) mesh.quad(outer[0], outer[1], inner[1], inner[0]);
      else mesh.quad(inner[0], inner[1], outer[1], outer[0]);
    }
  }
}

/** The sides of a box: their axis and direction, and the axes of u and v. */
const SIDES = [
  { axis: 2, sign: 1, u: 0, v: 1 },
  { axis: 2, sign: -1, u: 0, v: 1 },
  { axis: 0, sign: 1, u: 1, v: 2 },
  { axis: 0, sign: -1, u: 1, v: 2 },
  { axis: 1, sign: -1, u: 0, v: 2 },
  { axis: 1, sign: 1, u: 0, v: 2 },
] as const;

function box(mesh: MeshBuilder, quads: number, corner: ToCorner): void {
  for (const { axis, sign, u, v } of SIDES) {
    // Seen from outside, u and v turn clockwise on these sides.
    const mirrored = axis === 1 ? sign > 0 : sign < 0;
    const point = (i: number, j: number): Corner => {
      const unit: [number, number, number] = [sign, sign, sign];
      const normal: [number, number, number] = [0, 0, 0];
      unit[u] = (2 * i) / quads - 1;
      unit[v] = (2 * j) / quads - 1;
      normal[axis] = sign;
      return corner(unit, normal, [i / quads, 1 - j / quads]);
    };
    for (let i = 0; i < quads; i++) {
      for (let j = 0; j < quads; j++) {
        if (mirrored) {
          mesh.quad(point(i, j + 1), point(i + 1, j + 1), point(i + 1, j), point(i, j));
        } else mesh.quad(point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
      }
    }
  }
}

function boxOutline(size: Size): GlMesh["outline"] {
  const mesh = new MeshBuilder(undefined);
  box(mesh, 1, scaler(size, false));
  const { positions, faces } = mesh.build();
  return { positions, faces };
}
