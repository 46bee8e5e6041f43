import { FULL_LIGHT, NEAR_LIGHT } from "./lighting.js";
import { mipLevel } from "./mip-level.js";
import { BLUE, GREEN, RED, STRIDE, type Surfaces, U, V, W } from "./surfaces.js";
import type { MipLevel } from "./texture.js";
import type { Visibility } from "./visibility.js";

/** What no triangle covers: a pale sky, (200, 214, 229). */
const BACKGROUND = 200 | (214 << 8) | (229 << 16);

/**
 * Pixels of a row, counted from the picture's left edge, that share one size of the texture, and across
 * which colour and light run evenly: few where the surface runs steeply into the distance, many where it
 * stands across.
 */
const SHORT_BLOCK = 16;
const LONG_BLOCK = 64;
/** By how much of itself 1 / depth may change within a long block. */
const STEADY = 0.25;

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
  const { planes, parts } = surfaces;
  const ramp = new Ramp(surfaces);
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
        from = to;
        continue;
      }
      const at = number * STRIDE;
      const { mips } = part;
      const textured = mips.levels.length > 1;
      ramp.begin(number, part.material.unlit === true);
      const change = LONG_BLOCK * Math.abs(planes[at + W] as number);
      const steady = change < STEADY * (inverseDepth[from] as number);
      const block = (steady ? LONG_BLOCK : SHORT_BLOCK) - 1;
      while (from < to) {
        const next = row + ((from - row) | block) + 1;
        const stop = Math.min(next, to);
        const x = from - row;
        ramp.span(inverseDepth, from, stop, x, y);
        if (textured) {
          const middle = (from + stop) >> 1;
          const z = 1 / (inverseDepth[middle] as number);
          const level = mips.levels[mipLevel(planes, at, mips, middle - row, y, z)] as MipLevel;
          shadeTextured(canvas, depth, inverseDepth, from, stop, x, y, planes, at, ramp, level);
        } else shadePlain(canvas, depth, inverseDepth, from, stop, ramp);
        from = stop;
      }
    }
  }
}

/**
 * Colour times light along a span of pixels: exact at both ends and even between them. Whole numbers, of
 * which 65536 is full.
 */
class Ramp {
  red = 0;
  green = 0;
  blue = 0;
  dRed = 0;
  dGreen = 0;
  dBlue = 0;
  readonly #planes: Float64Array;
  readonly #smooth: Uint8Array;
  #at = 0;
  #isSmooth = false;
  #glow = 0;

  constructor({ planes, smooth }: Surfaces) {
    this.#planes = planes;
    this.#smooth = smooth;
  }

  begin(number: number, unlit: boolean): void {
    this.#at = number * STRIDE;
    this.#isSmooth = this.#smooth[number] !== 0;
    this.#glow = unlit ? 0 : NEAR_LIGHT;
  }

  span(inverseDepth: Float32Array, from: number, to: number, x: number, y: number): void {
    const planes = this.#planes;
    const at = this.#at;
    const wFrom = inverseDepth[from] as number;
    const wTo = inverseDepth[to - 1] as number;
    const start = lightAt(wFrom, this.#glow);
    const step = 1 / (to - from);
    const end = lightAt(wTo, this.#glow);
    if (this.#isSmooth) {
      const xTo = x + (to - 1 - from);
      const a = start / wFrom;
      const b = end / wTo;
      this.red = (valueAt(planes, at + RED, x, y) * a) | 0;
      this.green = (valueAt(planes, at + GREEN, x, y) * a) | 0;
      this.blue = (valueAt(planes, at + BLUE, x, y) * a) | 0;
      this.dRed = ((valueAt(planes, at + RED, xTo, y) * b - this.red) * step) | 0;
      this.dGreen = ((valueAt(planes, at + GREEN, xTo, y) * b - this.green) * step) | 0;
      this.dBlue = ((valueAt(planes, at + BLUE, xTo, y) * b - this.blue) * step) | 0;
    } else {
      const change = (end - start) * step;
      const red = planes[at + RED + 2] as number;
      const green = planes[at + GREEN + 2] as number;
      const blue = planes[at + BLUE + 2] as number;
      this.red = (red * start) | 0;
      this.green = (green * start) | 0;
      this.blue = (blue * start) | 0;
      this.dRed = (red * change) | 0;
      this.dGreen = (green * change) | 0;
      this.dBlue = (blue * change) | 0;
    }
  }
}

/** What depth leaves of the light on a surface. */
function lightAt(w: number, glow: number): number {
  return FULL_LIGHT * (1 - glow + glow * Math.min(w, 1));
}

function shadePlain(
  canvas: Int32Array,
  depth: Float32Array,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  ramp: Ramp,
): void {
  let { red, green, blue } = ramp;
  const { dRed, dGreen, dBlue } = ramp;
  for (let p = from; p < to; p++) {
    depth[p] = 1 / (inverseDepth[p] as number);
    canvas[p] =
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
  depth: Float32Array,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  x: number,
  y: number,
  planes: Float64Array,
  at: number,
  ramp: Ramp,
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
  let { red, green, blue } = ramp;
  const { dRed, dGreen, dBlue } = ramp;
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

function valueAt(planes: Float64Array, plane: number, x: number, y: number): number {
  return (
    (planes[plane] as number) * x +
    (planes[plane + 1] as number) * y +
    (planes[plane + 2] as number)
  );
}
