import { endianness } from "node:os";
import type { Texture } from "../scenes/model.js";

/** One mip level. Both sides are powers of two, so that repeating is a bit mask. */
export interface MipLevel {
  readonly width: number;
  readonly height: number;
  /** r in the lowest byte, then g, b, a. */
  readonly texels: Uint32Array;
}

/** A texture at all mip levels, each half of the one before, down to a single texel. */
export interface MipTexture {
  readonly levels: readonly MipLevel[];
  /** The lowest opacity of a texel, 0 to 255. */
  readonly minAlpha: number;
}

/** Larger textures are halved first; the difference is invisible at a camera's resolution. */
const MAX_SIDE = 2048;

const made = new WeakMap<Texture, MipTexture>();

/** Created once per texture and cached as long as the texture itself. */
export function mipsOf(texture: Texture): MipTexture {
  let mips = made.get(texture);
  if (mips === undefined) {
    mips = mipTexture(texture);
    made.set(texture, mips);
  }
  return mips;
}

function mipTexture(texture: Texture): MipTexture {
  let level = powerOfTwo(texture);
  const levels = [level];
  while (level.width > 1 || level.height > 1) {
    level = halved(level);
    levels.push(level);
  }
  while (levels.length > 1 && Math.max(levels[0]?.width ?? 0, levels[0]?.height ?? 0) > MAX_SIDE) {
    levels.shift();
  }
  let minAlpha = 255;
  for (const texel of levels[0]?.texels ?? []) minAlpha = Math.min(minAlpha, texel >>> 24);
  return { levels, minAlpha };
}

/** Texture of untextured surfaces. */
export const WHITE: MipTexture = {
  levels: [{ width: 1, height: 1, texels: Uint32Array.of(0xffffffff) }],
  minAlpha: 255,
};

/** Resamples bilinearly to the nearest power of two at or above each side, if needed. */
function powerOfTwo(texture: Texture): MipLevel {
  const { data, width: w, height: h } = texture;
  const width = 2 ** Math.ceil(Math.log2(w));
  const height = 2 ** Math.ceil(Math.log2(h));
  if (width === w && height === h) return { width, height, texels: asTexels(data) };
  const texels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [((x + 0.5) * w) / width - 0.5, ((y + 0.5) * h) / height - 0.5];
      texels[y * width + x] = sampled(texture, u, v);
    }
  }
  return { width, height, texels };
}

/** The same memory where possible: a scene's textures take hundreds of megabytes. */
function asTexels(data: Uint8Array): Uint32Array {
  if (data.byteOffset % 4 === 0 && endianness() === "LE") {
    return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  }
  return Uint32Array.from({ length: data.length / 4 }, (_, i) => packed(data, i * 4));
}

function packed(data: Uint8Array, at: number): number {
  const [r, g, b, a] = [data[at], data[at + 1], data[at + 2], data[at + 3]];
  return (
    ((r as number) | ((g as number) << 8) | ((b as number) << 16) | ((a as number) << 24)) >>> 0
  );
}

/** Bilinear sample of the image, beyond its edges as it wraps. */
function sampled(texture: Texture, x: number, y: number): number {
  const { data, width: w, height: h, wrap: [wrapU, wrapV] = ["repeat", "repeat"] } = texture;
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - x0, y - y0];
  // Repeating needs no power of two here: samples lie at most one texel outside.
  const place = (i: number, size: number, repeats: boolean) =>
    repeats ? (i + size) % size : Math.min(Math.max(i, 0), size - 1);
  const texel = (column: number, row: number, channel: number) =>
    data[
      (place(row, h, wrapV === "repeat") * w + place(column, w, wrapU === "repeat")) * 4 + channel
    ] as number;
  let out = 0;
  for (let channel = 0; channel < 4; channel++) {
    const top = texel(x0, y0, channel) * (1 - fx) + texel(x0 + 1, y0, channel) * fx;
    const low = texel(x0, y0 + 1, channel) * (1 - fx) + texel(x0 + 1, y0 + 1, channel) * fx;
    out |= Math.round(top * (1 - fy) + low * fy) << (channel * 8);
  }
  return out >>> 0;
}

/** Each texel is the mean of four (or two), weighted by opacity so that cut-outs get no fringe. */
function halved(from: MipLevel): MipLevel {
  const width = Math.max(1, from.width >> 1);
  const height = Math.max(1, from.height >> 1);
  const texels = new Uint32Array(width * height);
  const [stepX, stepY] = [from.width > 1 ? 1 : 0, from.height > 1 ? from.width : 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + Math.sign(stepY)) * from.width + x * (1 + stepX);
      texels[y * width + x] = mean(
        from.texels[at] as number,
        from.texels[at + stepX] as number,
        from.texels[at + stepY] as number,
        from.texels[at + stepX + stepY] as number,
      );
    }
  }
  return { width, height, texels };
}

function mean(a: number, b: number, c: number, d: number): number {
  const [wa, wb, wc, wd] = [a >>> 24, b >>> 24, c >>> 24, d >>> 24];
  const sum = wa + wb + wc + wd;
  if (sum === 0) return 0;
  let out = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    const weighted =
      wa * ((a >>> shift) & 255) +
      wb * ((b >>> shift) & 255) +
      wc * ((c >>> shift) & 255) +
      wd * ((d >>> shift) & 255);
    out |= ((weighted / sum + 0.5) | 0) << shift;
  }
  return (out | (((sum + 2) >> 2) << 24)) >>> 0;
}
