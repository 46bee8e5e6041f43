import { linearTexel, nearestTexel, type Sampler } from "./sampler.js";
import { U, V, valueAt } from "./surfaces.js";
import type { MipLevel } from "./texture.js";

/**
 * Shades pixels with a texture that does not simply repeat or that is interpolated. Kept apart from the common
 * case, which it would slow down.
 */
export function shadeSampled(
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
  sampler: Sampler,
  linear: boolean,
): void {
  const du = (planes[at + U] as number) * level.width;
  const dv = (planes[at + V] as number) * level.height;
  let u = valueAt(planes, at + U, x, y) * level.width;
  let v = valueAt(planes, at + V, x, y) * level.height;
  const step = 1 / Math.max(1, to - from - 1);
  const dRed = growth(ends, 0, step);
  const dGreen = growth(ends, 1, step);
  const dBlue = growth(ends, 2, step);
  let red = (ends[0] as number) | 0;
  let green = (ends[1] as number) | 0;
  let blue = (ends[2] as number) | 0;
  for (let p = from; p < to; p++) {
    const z = 1 / (inverseDepth[p] as number);
    depth[p] = z;
    const texel = linear
      ? linearTexel(level, sampler, u * z, v * z)
      : nearestTexel(level, sampler, u * z, v * z);
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

/** Change of a channel per pixel, from the colours at both ends of a block. */
export function growth(ends: Float64Array, channel: number, step: number): number {
  return (((ends[channel + 3] as number) - (ends[channel] as number)) * step) | 0;
}
