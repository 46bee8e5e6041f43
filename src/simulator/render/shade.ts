import { FULL_LIGHT, NEAR_LIGHT } from "./lighting.js";
import { mipLevel } from "./mip-level.js";
import { BLUE, GREEN, RED, STRIDE, type Surfaces, U, V, W } from "./surfaces.js";
import type { MipLevel } from "./texture.js";
import type { Visibility } from "./visibility.js";

/** What no triangle covers: a pale sky, (200, 214, 229). */
const BACKGROUND = 200 | (214 << 8) | (229 << 16);

/**
 * Pixels of a row, counted from the picture's left edge, that share one size of the texture, and across
 * which the brightness runs evenly: few where the surface runs steeply into the distance, many where it stands across.
 */
const SHORT_BLOCK = 16;
const LONG_BLOCK = 64;
/** By how much of itself 1 / depth may change within a long block. */
const STEADY = 0.06;

/**
 * Colours every pixel of the picture, once, into `canvas`, r in the lowest byte, then g and b; and notes
 * its depth in metres.
 */
export function shadeInto(
  canvas: Int32Array,
  depth: Float32Array,
  visibility: Visibility,
  surfaces: Surfaces,
): void {
  const { width, height, surface, inverseDepth } = visibility;
  const { planes, parts, smooth } = surfaces;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const end = row + width;
    let from = row;
    while (from < end) {
      const number = surface[from] as number;
      let to = from + 1;
      while (to < end && surface[to] === number) to++;
      const part = parts[number];
      if (number === 0 || part === undefined) {
        canvas.fill(BACKGROUND, from, to);
        depth.fill(0, from, to);
      }
      else {
        const at = number * STRIDE;
        const glow = part.material.unlit ? 0 : NEAR_LIGHT;
        const { mips } = part;
        const isSmooth = smooth[number] !== 0;
        if (!isSmooth && mips.levels.length === 1) {
          shadePlain(canvas, depth, inverseDepth, from, to, planes, at, glow);
        } else {
          const change = LONG_BLOCK * Math.abs(planes[at + W] as number);
          const steady = change < STEADY * (inverseDepth[from] as number);
          const block = (steady ? LONG_BLOCK : SHORT_BLOCK) - 1;
          for (let p = from; p < to; ) {
            const x = p - row;
            const next = row + (x | block) + 1;
            const stop = next < to ? next : to;
            const middle = (p + stop) >> 1;
            const w = inverseDepth[middle] as number;
            const level = mipLevel(planes, at, mips, middle - row, y, 1 / w);
            const light = lightAt(inverseDepth[p] as number, glow);
            const lightEnd = lightAt(inverseDepth[stop - 1] as number, glow);
            const map = mips.levels[level] as MipLevel;
            if (isSmooth) {
              shadeSmooth(canvas, depth, inverseDepth, p, stop, x, y, planes, at, light, lightEnd, map);
            } else shadeTextured(canvas, depth, inverseDepth, p, stop, x, y, planes, at, light, lightEnd, map);
            p = stop;
          }
        }
      }
      from = to;
    }
  }
}

/** What depth leaves of the light on a surface. */
function lightAt(w: number, glow: number): number {
  return FULL_LIGHT * (1 - glow + glow * (w < 1 ? w : 1));
}

function shadePlain(
  canvas: Int32Array,
  depth: Float32Array,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  planes: Float64Array,
  at: number,
  glow: number,
): void {
  const red = (255 * (planes[at + RED + 2] as number)) | 0;
  const green = (255 * (planes[at + GREEN + 2] as number)) | 0;
  const blue = (255 * (planes[at + BLUE + 2] as number)) | 0;
  const base = FULL_LIGHT * (1 - glow);
  const near = FULL_LIGHT * glow;
  for (let p = from; p < to; p++) {
    const w = inverseDepth[p] as number;
    depth[p] = 1 / w;
    const light = (base + near * (w < 1 ? w : 1)) | 0;
    canvas[p] =
      (Math.imul(red, light) >>> 16) |
      ((Math.imul(green, light) >>> 8) & 0xff00) |
      (Math.imul(blue, light) & 0xff0000);
  }
}

function shadeTextured(
  canvas: Int32Array,
  depth: Float32Array,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  x: number,
  y: number,
  planes: Float64Array,
  at: number,
  light: number,
  lightEnd: number,
  map: MipLevel,
): void {
  const { width, height, texels } = map;
  const maskX = width - 1;
  const shift = 31 - Math.clz32(width);
  const maskY = (height - 1) << shift;
  const du = (planes[at + U] as number) * width;
  const dv = (planes[at + V] as number) * height;
  let u = valueAt(planes, at + U, x, y) * width;
  let v = valueAt(planes, at + V, x, y) * height;
  let red = ((planes[at + RED + 2] as number) * light) | 0;
  let green = ((planes[at + GREEN + 2] as number) * light) | 0;
  let blue = ((planes[at + BLUE + 2] as number) * light) | 0;
  const dLight = (lightEnd - light) / (to - from);
  const dRed = ((planes[at + RED + 2] as number) * dLight) | 0;
  const dGreen = ((planes[at + GREEN + 2] as number) * dLight) | 0;
  const dBlue = ((planes[at + BLUE + 2] as number) * dLight) | 0;
  for (let p = from; p < to; p++) {
    const z = 1 / (inverseDepth[p] as number);
    depth[p] = z;
    const texel = texels[(((v * z) << shift) & maskY) | ((u * z) & maskX)] as number;
    canvas[p] =
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

function shadeSmooth(
  canvas: Int32Array,
  depth: Float32Array,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  x: number,
  y: number,
  planes: Float64Array,
  at: number,
  lightStart: number,
  lightEnd: number,
  map: MipLevel,
): void {
  const { width, height, texels } = map;
  const light = (lightStart + lightEnd) / 2;
  const maskX = width - 1;
  const shift = 31 - Math.clz32(width);
  const maskY = (height - 1) << shift;
  const du = (planes[at + U] as number) * width;
  const dv = (planes[at + V] as number) * height;
  let u = valueAt(planes, at + U, x, y) * width;
  let v = valueAt(planes, at + V, x, y) * height;
  let red = valueAt(planes, at + RED, x, y) * light;
  let green = valueAt(planes, at + GREEN, x, y) * light;
  let blue = valueAt(planes, at + BLUE, x, y) * light;
  const dRed = (planes[at + RED] as number) * light;
  const dGreen = (planes[at + GREEN] as number) * light;
  const dBlue = (planes[at + BLUE] as number) * light;
  for (let p = from; p < to; p++) {
    const z = 1 / (inverseDepth[p] as number);
    depth[p] = z;
    const texel = texels[(((v * z) << shift) & maskY) | ((u * z) & maskX)] as number;
    canvas[p] =
      (Math.imul(texel & 255, (red * z) | 0) >>> 16) |
      ((Math.imul((texel >>> 8) & 255, (green * z) | 0) >>> 8) & 0xff00) |
      (Math.imul((texel >>> 16) & 255, (blue * z) | 0) & 0xff0000);
    u += du;
    v += dv;
    red += dRed;
    green += dGreen;
    blue += dBlue;
  }
}

function valueAt(planes: Float64Array, plane: number, x: number, y: number): number {
  return (
    (planes[plane] as number) * x +
    (planes[plane + 1] as number) * y +
    (planes[plane + 2] as number)
  );
}
