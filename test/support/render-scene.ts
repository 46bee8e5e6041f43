import type { Random } from "../../src/core/math/random.js";
import type { QuatXyzw } from "../../src/core/math/rotation.js";
import type { Vec3 } from "../../src/core/math/vec3.js";
import { type Camera, Renderer } from "../../src/simulator/render/renderer.js";
import type {
  Material,
  ScenePart,
  Texture,
  TriangleMesh,
} from "../../src/simulator/scenes/model.js";

/** Small scenes for renderer tests, and the rays of camera pixels. */

/** Unlit, so that a test compares the texture alone. */
export const WHITE: Material = { name: "white", color: [1, 1, 1, 1], unlit: true };
/** The renderer's background colour. */
export const BACKGROUND = [200, 214, 229];

export const camera = (changes: Partial<Camera> = {}): Camera => ({
  width: 64,
  height: 48,
  hfovDeg: 90,
  position: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  ...changes,
});

/** A flat quad with corners counter-clockwise as seen from its front. */
function quad(corners: readonly Vec3[], more: Partial<TriangleMesh> = {}): TriangleMesh {
  return {
    positions: Float32Array.from(corners.flat()),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
    ...more,
  };
}

/** A quad at z = -distance that faces a camera looking along -z. */
export const wall = (distance: number, half = 100, more: Partial<TriangleMesh> = {}) =>
  quad(
    [
      [-half, -half, -distance],
      [half, -half, -distance],
      [half, half, -distance],
      [-half, half, -distance],
    ],
    more,
  );

export const floor = (y: number, half: number, more: Partial<TriangleMesh> = {}) =>
  quad(
    [
      [-half, y, half],
      [half, y, half],
      [half, y, -half],
      [-half, y, -half],
    ],
    more,
  );

export const part = (mesh: TriangleMesh, changes: Partial<ScenePart> = {}): ScenePart => ({
  mesh,
  material: WHITE,
  instance: 1,
  ...changes,
});

export const rendererOf = (...parts: ScenePart[]) => new Renderer({ parts });

/** The world-space ray through a pixel's centre, with length 1 along the camera axis. */
function rayOf(c: Camera, x: number, y: number): Vec3 {
  const slope = Math.tan((c.hfovDeg * Math.PI) / 360) / (c.width / 2);
  return rotate(c.rotation, [
    (x + 0.5 - c.width / 2) * slope,
    (c.height / 2 - y - 0.5) * slope,
    -1,
  ]);
}

function rotate(rotation: QuatXyzw, v: Vec3): Vec3 {
  const length = Math.hypot(...rotation);
  const [x, y, z, w] = rotation.map((c) => c / length) as unknown as QuatXyzw;
  const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const t = cross([x, y, z], v);
  const s = cross([x, y, z], t);
  return [0, 1, 2].map(
    (k) => (v[k] as number) + 2 * (w * (t[k] as number) + (s[k] as number)),
  ) as unknown as Vec3;
}

export function pixels(
  c: Camera,
  visit: (at: number, ray: Vec3, x: number, y: number) => void,
): void {
  for (let y = 0; y < c.height; y++) {
    for (let x = 0; x < c.width; x++) visit(y * c.width + x, rayOf(c, x, y), x, y);
  }
}

/** An upright box; side -1 turns its faces inwards. */
export function box(min: Vec3, max: Vec3, side: 1 | -1 = 1): TriangleMesh {
  const positions: number[] = [];
  for (let k = 0; k < 8; k++) {
    positions.push(...[0, 1, 2].map((axis) => ((k >> axis) & 1 ? max : min)[axis] as number));
  }
  const faces = [
    [1, 3, 7, 5],
    [0, 4, 6, 2],
    [2, 6, 7, 3],
    [0, 1, 5, 4],
    [4, 5, 7, 6],
    [0, 2, 3, 1],
  ];
  const indices = faces.flatMap(([a, b, c, d]) =>
    side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c],
  ) as number[];
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

export function boxes(random: Random, count: number): { min: Vec3; max: Vec3 }[] {
  return Array.from({ length: count }, () => {
    const min = [0, 1, 2].map(() => (random.uniform() - 0.5) * 8) as unknown as Vec3;
    const max = min.map((v) => v + 0.1 + random.uniform() * 1.5) as unknown as Vec3;
    return { min, max };
  }).filter(({ min, max }) => !min.every((v, k) => v < 0.2 && (max[k] as number) > -0.2));
}

export function texture(
  width: number,
  height: number,
  at: (x: number, y: number) => readonly number[],
): Texture {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(at(x, y), (y * width + x) * 4);
  }
  return { width, height, data };
}
