import type { Texture, TextureWrap } from "../scenes/model.js";
import type { MipLevel } from "./texture.js";

/** How a texture is read where the fast path, which repeats it and takes the nearest texel, would be wrong. */
export interface Sampler {
  readonly wrapU: TextureWrap;
  readonly wrapV: TextureWrap;
  readonly linear: boolean;
}

/** Undefined for a texture that the fast path can read. */
export function samplerOf(texture: Texture, leavesImage: boolean): Sampler | undefined {
  const linear = texture.filter === "linear";
  if (!leavesImage && !linear) return undefined;
  const [wrapU, wrapV] = texture.wrap ?? ["repeat", "repeat"];
  return { wrapU, wrapV, linear };
}

/**
 * Whether texture coordinates leave an image that does not repeat. Within the image, all ways to wrap are equal.
 */
export function leavesImage(texture: Texture | undefined, uvs: Float32Array | undefined): boolean {
  if (!texture?.wrap || !uvs) return false;
  return uvs.some((value) => value < 0 || value > 1);
}

/** The index of a texel along one axis, for any whole number. `size` is a power of two. */
function wrapped(index: number, size: number, wrap: TextureWrap): number {
  if (wrap === "repeat") return index & (size - 1);
  if (wrap === "clamp") return index < 0 ? 0 : index < size ? index : size - 1;
  const place = index & (2 * size - 1);
  return place < size ? place : 2 * size - 1 - place;
}

/** The texel at u and v, which are in texels of this level. */
export function nearestTexel(level: MipLevel, sampler: Sampler, u: number, v: number): number {
  const { width, height, texels } = level;
  const column = wrapped(Math.floor(u), width, sampler.wrapU);
  const row = wrapped(Math.floor(v), height, sampler.wrapV);
  return texels[row * width + column] as number;
}

/** The four texels around u and v, interpolated; opacity is not. */
export function linearTexel(level: MipLevel, sampler: Sampler, u: number, v: number): number {
  const { width, height, texels } = level;
  const left = Math.floor(u - 0.5);
  const top = Math.floor(v - 0.5);
  const x0 = wrapped(left, width, sampler.wrapU);
  const x1 = wrapped(left + 1, width, sampler.wrapU);
  const y0 = wrapped(top, height, sampler.wrapV) * width;
  const y1 = wrapped(top + 1, height, sampler.wrapV) * width;
  const fx = ((u - 0.5 - left) * 256) | 0;
  const fy = ((v - 0.5 - top) * 256) | 0;
  const upper = mix(texels[y0 + x0] as number, texels[y0 + x1] as number, fx);
  const lower = mix(texels[y1 + x0] as number, texels[y1 + x1] as number, fx);
  return mix(upper, lower, fy);
}

/** Interpolates red and blue together, then green: `share` of 256 parts of `b`. */
function mix(a: number, b: number, share: number): number {
  const rest = 256 - share;
  const redBlue = ((a & 0xff00ff) * rest + (b & 0xff00ff) * share) >>> 8;
  const green = ((a & 0xff00) * rest + (b & 0xff00) * share) >>> 8;
  return (redBlue & 0xff00ff) | (green & 0xff00);
}
