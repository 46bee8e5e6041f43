import type { GlMipMap, GlTexture } from "./scene.js";

/**
 * Coordinates of textures and sizes of pixels are passed as whole numbers of these units, because V8 allocates memory for
 * other numbers that are passed to calls, which takes longer than a lookup.
 */
export const COORDINATE = 2 ** 22;
export const SPAN = 64;
/** The widest pixel, in units of `SPAN`. */
export const WIDEST = 2 ** 30;

/** Numbers per level of `GlMipMap.levels`. */
export const LEVEL = 4;

/** A direction and its changes to the next pixels: x, y, z each. */
export interface CubeLookup {
  readonly at: Float64Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
}

/** Which coordinates of a direction are a cube map's s and t, and their signs. */
export interface CubeFace {
  readonly major: number;
  readonly sAxis: number;
  readonly tAxis: number;
  readonly sSign: 1 | -1;
  readonly tSign: 1 | -1;
}

/** The faces of OpenGL's cube maps: +x, -x, +y, ... */
export const CUBE_FACES: readonly CubeFace[] = [
  { major: 0, sAxis: 2, tAxis: 1, sSign: -1, tSign: -1 },
  { major: 0, sAxis: 2, tAxis: 1, sSign: 1, tSign: -1 },
  { major: 1, sAxis: 0, tAxis: 2, sSign: 1, tSign: 1 },
  { major: 1, sAxis: 0, tAxis: 2, sSign: 1, tSign: -1 },
  { major: 2, sAxis: 0, tAxis: 1, sSign: 1, tSign: -1 },
  { major: 2, sAxis: 0, tAxis: 1, sSign: -1, tSign: -1 },
];

/** The face of a cube map that a direction points to. */
export function cubeFaceOf(x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  if (ax >= ay && ax >= az) return x >= 0 ? 0 : 1;
  if (ay >= az) return y >= 0 ? 2 : 3;
  return z >= 0 ? 4 : 5;
}

/** Looks up a cube map with trilinear filtering. Returns r in the lowest byte, then g, b, a. */
export function sampleCube(texture: GlTexture, { at, dx, dy }: CubeLookup): number {
  const face = cubeFaceOf(at[0] as number, at[1] as number, at[2] as number);
  const { major, sAxis, tAxis, sSign, tSign } = CUBE_FACES[face] as CubeFace;
  const m = at[major] as number;
  const inverse = m === 0 ? 1 : 1 / Math.abs(m);
  const s = sSign * (at[sAxis] as number) * inverse;
  const t = tSign * (at[tAxis] as number) * inverse;
  const map = texture.faces[face] as GlMipMap;
  const scale = ((map.levels[1] as number) / 2) * inverse;
  const sign = m >= 0 ? 1 : -1;
  const dxm = sign * (dx[major] as number);
  const dym = sign * (dy[major] as number);
  const sx = sSign * (dx[sAxis] as number) - s * dxm;
  const tx = tSign * (dx[tAxis] as number) - t * dxm;
  const sy = sSign * (dy[sAxis] as number) - s * dym;
  const ty = tSign * (dy[tAxis] as number) - t * dym;
  const span = SPAN * scale * scale * Math.max(sx * sx + tx * tx, sy * sy + ty * ty);
  return trilinear(
    map,
    (((s + 1) / 2) * COORDINATE) | 0,
    (((t + 1) / 2) * COORDINATE) | 0,
    Math.min(span, WIDEST) | 0,
  );
}

/** The weight of the coarser level between two, of 256, by the square of the pixel's side in texels of the finer one. */
const SHARES = Uint8Array.from(
  { length: 4 * SPAN },
  (_, i) => 128 * Math.log2(Math.max(1, i / SPAN)),
);
const PER_TEXEL = 256 / COORDINATE;
/** Leading zeros of `SPAN`. */
const SPAN_ZEROS = Math.clz32(SPAN);

/**
 * Looks up an image with `GL_LINEAR_MIPMAP_LINEAR`. Returns r in the lowest byte, then g, b, a.
 *
 * @param s from 0 to 1, in units of `COORDINATE`, as `t`
 * @param span square of the pixel's longer side in texels of the finest level, in units of `SPAN`
 */
export function trilinear(
  { levels, texels }: GlMipMap,
  s: number,
  t: number,
  span: number,
): number {
  let level = 0;
  let share = 0;
  if (span >= SPAN) {
    const last = levels.length / LEVEL - 1;
    level = (SPAN_ZEROS - Math.clz32(span)) >> 1;
    if (level >= last) level = last;
    else share = SHARES[span >> (2 * level)] as number;
  }
  const near = bilinear(texels, levels, LEVEL * level, s, t);
  return share === 0 ? near : mix(near, bilinear(texels, levels, LEVEL * (level + 1), s, t), share);
}

/** Weights have 8 bits, as in Mesa. */
function bilinear(
  texels: Int32Array,
  levels: Int32Array,
  level: number,
  s: number,
  t: number,
): number {
  const stride = levels[level + 3] as number;
  // Half a texel back, and one for the border.
  const fx = ((s * (levels[level + 1] as number) * PER_TEXEL) | 0) + 128;
  const fy = ((t * (levels[level + 2] as number) * PER_TEXEL) | 0) + 128;
  const x0 = fx >> 8;
  const y0 = fy >> 8;
  const x1 = x0 + 1;
  const y1 = y0 + 1;
  const left = ((x0 & ~3) << 2) + (x0 & 3);
  const right = ((x1 & ~3) << 2) + (x1 & 3);
  const first = levels[level] as number;
  const top = first + Math.imul(y0 >> 2, stride) + ((y0 & 3) << 2);
  const low = first + Math.imul(y1 >> 2, stride) + ((y1 & 3) << 2);
  const a = texels[top + left] as number;
  const b = texels[top + right] as number;
  const c = texels[low + left] as number;
  const d = texels[low + right] as number;
  if (a === b && a === c && a === d) return a;
  const wx = fx & 255;
  const wy = fy & 255;
  const weightD = (Math.imul(wx, wy) + 128) >> 8;
  const weightC = wy - weightD;
  const weightB = wx - weightD;
  const weightA = 256 - wy - weightB;
  const even =
    (Math.imul(a & PAIR, weightA) +
      Math.imul(b & PAIR, weightB) +
      Math.imul(c & PAIR, weightC) +
      Math.imul(d & PAIR, weightD) +
      HALVES) >>>
    8;
  const odd =
    (Math.imul((a >>> 8) & PAIR, weightA) +
      Math.imul((b >>> 8) & PAIR, weightB) +
      Math.imul((c >>> 8) & PAIR, weightC) +
      Math.imul((d >>> 8) & PAIR, weightD) +
      HALVES) |
    0;
  return (even & PAIR) | (odd & ~PAIR);
}

/** Two channels at a time. */
const PAIR = 0xff00ff;
const HALVES = 0x800080;

/** `a` with `share` / 256 of `b`, per channel. */
function mix(a: number, b: number, share: number): number {
  const lowA = a & PAIR;
  const highA = (a >>> 8) & PAIR;
  const low = ((lowA << 8) + Math.imul((b & PAIR) - lowA, share) + HALVES) >>> 8;
  const high = (highA << 8) + Math.imul(((b >>> 8) & PAIR) - highA, share) + HALVES;
  return (low & PAIR) | (high & ~PAIR);
}
