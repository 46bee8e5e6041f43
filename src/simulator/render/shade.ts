import { addGlow } from "./emission.js";
import { FULL_LIGHT, NEAR_LIGHT } from "./lighting.js";
import { mipLevel } from "./mip-level.js";
import { packInto } from "./outputs.js";
import { growth, shadeSampled } from "./shade-sampled.js";
import { BLUE, GREEN, RED, STRIDE, type Surfaces, U, V, valueAt, W } from "./surfaces.js";
import { type MipLevel, WHITE } from "./texture.js";
import type { Visibility } from "./visibility.js";

/** Background colour: a pale sky, (200, 214, 229). */
const BACKGROUND = 200 | (214 << 8) | (229 << 16);

/**
 * Pixels of a row, from the image's left edge, that share one mip level and across which colour and light are
 * interpolated: short blocks for steep surfaces, long ones for surfaces that face the camera.
 */
const SHORT_BLOCK = 16;
const LONG_BLOCK = 64;
/** Maximum relative change of 1 / depth within a long block. */
const MAX_DEPTH_CHANGE = 0.25;

/** Rows are shaded in bands of this many, which fit into the processor's L1 cache. */
const BAND = 4;

/** Shades every pixel of the image once into `rgb` and stores its depth in metres. */
export function shadeInto(
  rgb: Uint8Array,
  depth: Float32Array,
  visibility: Visibility,
  surfaces: Surfaces,
): void {
  const { width, height } = visibility;
  const canvas = new Int32Array(BAND * width);
  for (let top = 0; top < height; top += BAND) {
    const bottom = Math.min(top + BAND, height);
    shadeRows(canvas, depth, visibility, surfaces, top, bottom);
    packInto(rgb, top * width, canvas, (bottom - top) * width);
  }
}

/** Shades rows into `canvas`, which begins with row `top`: r in the lowest byte, then g and b. */
function shadeRows(
  canvas: Int32Array,
  depth: Float32Array,
  visibility: Visibility,
  surfaces: Surfaces,
  top: number,
  bottom: number,
): void {
  const { width, surface, inverseDepth } = visibility;
  const skipped = top * width;
  const { planes, parts, smooth } = surfaces;
  const ends = new Float64Array(6);
  for (let y = top; y < bottom; y++) {
    const row = y * width;
    const end = row + width;
    let from = row;
    while (from < end) {
      const number = surface[from] as number;
      let to = from + 1;
      while (to < end && surface[to] === number) to++;
      const part = parts[number];
      if (number === 0 || part === undefined) {
        canvas.fill(BACKGROUND, from - skipped, to - skipped);
        depth.fill(0, from, to);
        from = to;
        continue;
      }
      const at = number * STRIDE;
      const { mips, sampler, glow: emitted } = part;
      const textured = mips !== WHITE;
      const isSmooth = smooth[number] !== 0;
      const glow = part.material.unlit ? 0 : NEAR_LIGHT;
      colorAt(ends, 0, planes, at, isSmooth, from - row, y, inverseDepth[from] as number, glow);
      const change = LONG_BLOCK * Math.abs(planes[at + W] as number);
      const steady = change < MAX_DEPTH_CHANGE * (inverseDepth[from] as number);
      const block = (steady ? LONG_BLOCK : SHORT_BLOCK) - 1;
      while (from < to) {
        const next = row + ((from - row) | block) + 1;
        const stop = Math.min(next, to);
        const x = from - row;
        const last = stop - 1;
        colorAt(ends, 3, planes, at, isSmooth, last - row, y, inverseDepth[last] as number, glow);
        if (textured) {
          const middle = (from + stop) >> 1;
          const z = 1 / (inverseDepth[middle] as number);
          const index = mipLevel(planes, at, mips, middle - row, y, z);
          const level = mips.levels[index] as MipLevel;
          if (sampler === undefined) {
            shadeTextured(
              canvas,
              skipped,
              depth,
              inverseDepth,
              from,
              stop,
              x,
              y,
              planes,
              at,
              ends,
              level,
            );
          } else {
            shadeSampled(
              canvas,
              skipped,
              depth,
              inverseDepth,
              from,
              stop,
              x,
              y,
              planes,
              at,
              ends,
              level,
              sampler,
              sampler.linear && index === 0,
            );
          }
        } else shadePlain(canvas, skipped, depth, inverseDepth, from, stop, ends);
        if (emitted !== undefined) {
          addGlow(canvas, skipped, inverseDepth, from, stop, x, y, planes, at, emitted);
        }
        for (let k = 0; k < 3; k++) ends[k] = ends[k + 3] as number;
        from = stop;
      }
    }
  }
}

/** Writes colour times light at a pixel into `out`, where 65536 is full. `w` is 1 / depth. */
function colorAt(
  out: Float64Array,
  offset: number,
  planes: Float64Array,
  at: number,
  isSmooth: boolean,
  x: number,
  y: number,
  w: number,
  glow: number,
): void {
  const light = FULL_LIGHT * (1 - glow + glow * Math.min(w, 1));
  if (isSmooth) {
    const scale = light / w;
    out[offset] = within(valueAt(planes, at + RED, x, y) * scale);
    out[offset + 1] = within(valueAt(planes, at + GREEN, x, y) * scale);
    out[offset + 2] = within(valueAt(planes, at + BLUE, x, y) * scale);
  } else {
    out[offset] = (planes[at + RED + 2] as number) * light;
    out[offset + 1] = (planes[at + GREEN + 2] as number) * light;
    out[offset + 2] = (planes[at + BLUE + 2] as number) * light;
  }
}

/** Clamps a colour, which rounding may move out of range at the edge of a thin triangle. */
function within(color: number): number {
  return Math.min(Math.max(color, 0), FULL_LIGHT * FULL_LIGHT);
}

function shadePlain(
  canvas: Int32Array,
  skipped: number,
  depth: Float32Array,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  ends: Float64Array,
): void {
  let red = (ends[0] as number) | 0;
  let green = (ends[1] as number) | 0;
  let blue = (ends[2] as number) | 0;
  const step = 1 / Math.max(1, to - from - 1);
  const dRed = growth(ends, 0, step);
  const dGreen = growth(ends, 1, step);
  const dBlue = growth(ends, 2, step);
  for (let p = from; p < to; p++) {
    depth[p] = 1 / (inverseDepth[p] as number);
    canvas[p - skipped] =
      (Math.imul(255, red) >>> 16) |
      ((Math.imul(255, green) >>> 8) & 0xff00) |
      (Math.imul(255, blue) & 0xff0000);
    red = (red + dRed) | 0;
    green = (green + dGreen) | 0;
    blue = (blue + dBlue) | 0;
  }
}

function shadeTextured(
  canvas: Int32Array,
  skipped: number,
  depth: Float32Array,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  x: number,
  y: number,
  planes: Float64Array,
  at: number,
  ends: Float64Array,
  level: MipLevel,
): void {
  const { width, height, texels } = level;
  const maskX = width - 1;
  const shift = 31 - Math.clz32(width);
  const maskY = (height - 1) << shift;
  const du = (planes[at + U] as number) * width;
  const dv = (planes[at + V] as number) * height;
  let u = valueAt(planes, at + U, x, y) * width;
  let v = valueAt(planes, at + V, x, y) * height;
  let red = (ends[0] as number) | 0;
  let green = (ends[1] as number) | 0;
  let blue = (ends[2] as number) | 0;
  const step = 1 / Math.max(1, to - from - 1);
  const dRed = growth(ends, 0, step);
  const dGreen = growth(ends, 1, step);
  const dBlue = growth(ends, 2, step);
  for (let p = from; p < to; p++) {
    const z = 1 / (inverseDepth[p] as number);
    depth[p] = z;
    const texel = texels[(((v * z) << shift) & maskY) | ((u * z) & maskX)] as number;
    canvas[p - skipped] =
      (Math.imul(texel & 255, red) >>> 16) |
      ((Math.imul((texel >>> 8) & 255, green) >>> 8) & 0xff00) |
      (Math.imul((texel >>> 16) & 255, blue) & 0xff0000);
    u += du;
    v += dv;
    red = (red + dRed) | 0;
    green = (green + dGreen) | 0;
    blue = (blue + dBlue) | 0;
  }
}
