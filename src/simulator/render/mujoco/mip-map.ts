import { LEVEL } from "./sample.js";
import type { GlMipMap, GlTexture } from "./scene.js";

/** Texel data as MuJoCo stores it: rows from t = 0 on. */
export interface TexelData {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytes: Uint8Array;
}

interface Level {
  readonly width: number;
  readonly height: number;
  readonly texels: Int32Array;
}

/** An image that repeats. `srgb` images are decoded, as OpenGL does with `GL_SRGB8`. */
export function imageTexture(data: TexelData, srgb: boolean): GlTexture {
  return { kind: "image", faces: [mipMap(firstLevel(data, data.height, 0, srgb), true)] };
}

/** A cube map: six square faces below each other, or one for all. Its faces are in OpenGL's order: +x, -x, +y, ... */
export function cubeTexture(data: TexelData): GlTexture {
  const { width, height } = data;
  if (width === height) {
    const face = mipMap(firstLevel(data, width, 0, false), false);
    return { kind: "cube", faces: Array.from({ length: 6 }, () => face) };
  }
  const faces = Array.from({ length: 6 }, (_, i) =>
    mipMap(firstLevel(data, width, i * width, false), false),
  );
  return { kind: "cube", faces };
}

function firstLevel(data: TexelData, height: number, firstRow: number, srgb: boolean): Level {
  const { width, channels, bytes } = data;
  const texels = new Int32Array(width * height);
  for (let i = 0; i < width * height; i++) {
    const from = channels * (firstRow * width + i);
    let texel = channels < 4 ? 255 << 24 : 0;
    for (let k = 0; k < channels; k++) {
      const value = bytes[from + k] ?? 0;
      texel |= (srgb && k < 3 ? (LINEAR[value] as number) : value) << (8 * k);
    }
    texels[i] = texel;
  }
  return { width, height, texels };
}

const LINEAR = Uint8Array.from({ length: 256 }, (_, i) => {
  const s = i / 255;
  return Math.round(255 * (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4));
});

function mipMap(finest: Level, repeats: boolean): GlMipMap {
  const all = [finest];
  for (let last = finest; last.width > 1 || last.height > 1; ) {
    last = halved(last);
    all.push(last);
  }
  const strides = all.map(({ width }) => 4 * 4 * Math.ceil((width + 2) / 4));
  const sizes = all.map(({ height }, i) => (strides[i] as number) * Math.ceil((height + 2) / 4));
  const texels = new Int32Array(sizes.reduce((sum, size) => sum + size, 0));
  const levels = new Int32Array(LEVEL * all.length);
  let start = 0;
  for (const [i, level] of all.entries()) {
    const stride = strides[i] as number;
    levels.set([start, level.width, level.height, stride], LEVEL * i);
    writeBlocks(texels, start, stride, level, repeats);
    start += sizes[i] as number;
  }
  return { levels, texels };
}

function writeBlocks(
  out: Int32Array,
  start: number,
  stride: number,
  { width, height, texels }: Level,
  repeats: boolean,
): void {
  const within = (i: number, size: number) =>
    repeats ? (i + size) % size : Math.min(Math.max(i, 0), size - 1);
  const columns = Int32Array.from({ length: width + 2 }, (_, x) => within(x - 1, width));
  for (let y = 0; y < height + 2; y++) {
    const row = within(y - 1, height) * width;
    const first = start + (y >> 2) * stride + (y & 3) * 4;
    for (let x = 0; x < width + 2; x++) {
      out[first + (x >> 2) * 16 + (x & 3)] = texels[row + (columns[x] as number)] as number;
    }
  }
}

/**
 * `glGenerateMipmap` renders each level with a linear filter at the centre of the new texels: the mean of four texels
 * if the side is even.
 */
function halved({ width: w, height: h, texels }: Level): Level {
  const width = Math.max(1, w >> 1);
  const height = Math.max(1, h >> 1);
  const out = new Int32Array(width * height);
  for (let y = 0; y < height; y++) {
    const fy = ((y + 0.5) * h) / height - 0.5;
    const y0 = Math.max(0, Math.floor(fy));
    const y1 = Math.min(h - 1, y0 + 1);
    const wy = fy - y0;
    for (let x = 0; x < width; x++) {
      const fx = ((x + 0.5) * w) / width - 0.5;
      const x0 = Math.max(0, Math.floor(fx));
      const x1 = Math.min(w - 1, x0 + 1);
      const wx = fx - x0;
      const a = texels[y0 * w + x0] as number;
      const b = texels[y0 * w + x1] as number;
      const c = texels[y1 * w + x0] as number;
      const d = texels[y1 * w + x1] as number;
      let texel = 0;
      for (let shift = 0; shift < 32; shift += 8) {
        const top = ((a >>> shift) & 255) * (1 - wx) + ((b >>> shift) & 255) * wx;
        const low = ((c >>> shift) & 255) * (1 - wx) + ((d >>> shift) & 255) * wx;
        texel |= Math.round(top * (1 - wy) + low * wy) << shift;
      }
      out[y * width + x] = texel;
    }
  }
  return { width, height, texels: out };
}
