import type { GlMip, GlTexture } from "./scene.js";

/**
 * s, t, and the square of the pixel's longer side in texels of the finest level: the arguments of `trilinear`. V8 boxes
 * numbers that are passed to calls, which takes longer than a lookup.
 */
export const place = new Float64Array(3);

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
  const levels = texture.faces[face] as readonly GlMip[];
  const scale = ((levels[0] as GlMip).width / 2) * inverse;
  const sign = m >= 0 ? 1 : -1;
  const dxm = sign * (dx[major] as number);
  const dym = sign * (dy[major] as number);
  const sx = sSign * (dx[sAxis] as number) - s * dxm;
  const tx = tSign * (dx[tAxis] as number) - t * dxm;
  const sy = sSign * (dy[sAxis] as number) - s * dym;
  const ty = tSign * (dy[tAxis] as number) - t * dym;
  place[0] = (s + 1) / 2;
  place[1] = (t + 1) / 2;
  place[2] = scale * scale * Math.max(sx * sx + tx * tx, sy * sy + ty * ty);
  return trilinear(levels, false);
}

/** The weight of the coarser level between two, of 256, by the square of the pixel's side in texels of the finer one. */
const SHARES = Uint8Array.from({ length: 4 * 64 }, (_, i) => 128 * Math.log2(Math.max(1, i / 64)));
const SCALES = Float64Array.from({ length: 16 }, (_, level) => 64 / 4 ** level);

/** Looks up an image at `place`, s and t from 0 to 1, with `GL_LINEAR_MIPMAP_LINEAR`. Returns r in the lowest byte, then g, b, a. */
export function trilinear(levels: readonly GlMip[], repeat: boolean): number {
  const last = levels.length - 1;
  const span2 = Math.min(place[2] as number, 2 ** 30);
  if (span2 < 1) return bilinear(levels[0] as GlMip, repeat);
  const fine = (31 - Math.clz32(span2)) >> 1;
  if (fine >= last) return bilinear(levels[last] as GlMip, repeat);
  const near = bilinear(levels[fine] as GlMip, repeat);
  const share = SHARES[(span2 * (SCALES[fine] as number)) | 0] as number;
  if (share === 0) return near;
  return mix(near, bilinear(levels[fine + 1] as GlMip, repeat), share);
}

/** Weights have 8 bits, as in Mesa. */
function bilinear({ width: w, height: h, texels }: GlMip, repeat: boolean): number {
  const s = place[0] as number;
  const t = place[1] as number;
  const fx = ((s * w * 256) | 0) - 128;
  const fy = ((t * h * 256) | 0) - 128;
  let x0 = fx >> 8;
  let y0 = fy >> 8;
  let x1 = x0 + 1;
  let y1 = y0 + 1;
  if (x0 < 0) x0 = repeat ? w - 1 : 0;
  if (y0 < 0) y0 = repeat ? h - 1 : 0;
  if (x1 >= w) x1 = repeat ? 0 : w - 1;
  if (y1 >= h) y1 = repeat ? 0 : h - 1;
  const a = texels[y0 * w + x0] as number;
  const b = texels[y0 * w + x1] as number;
  const c = texels[y1 * w + x0] as number;
  const d = texels[y1 * w + x1] as number;
  if (a === b && a === c && a === d) return a;
  const wx = fx & 255;
  return mix(mix(a, b, wx), mix(c, d, wx), fy & 255);
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
