import { U, V, W } from "./surfaces.js";
import type { MipTexture } from "./texture.js";

/**
 * The mip level for the pixel (x, y) of the surface whose planes start at `at`: the one whose texels are
 * about as large as the longer side of the pixel's footprint. Preferring the coarser level reduces flicker on
 * distant floors as the camera moves.
 */
export function mipLevel(
  planes: Float64Array,
  at: number,
  mips: MipTexture,
  x: number,
  y: number,
  depth: number,
): number {
  const { levels } = mips;
  const base = levels[0];
  if (base === undefined || levels.length === 1) return 0;
  const ux = planes[at + U] as number;
  const uy = planes[at + U + 1] as number;
  const vx = planes[at + V] as number;
  const vy = planes[at + V + 1] as number;
  const wx = planes[at + W] as number;
  const wy = planes[at + W + 1] as number;
  const u = (ux * x + uy * y + (planes[at + U + 2] as number)) * depth;
  const v = (vx * x + vy * y + (planes[at + V + 2] as number)) * depth;
  const scaleU = depth * base.width;
  const scaleV = depth * base.height;
  const ax = (ux - u * wx) * scaleU;
  const bx = (vx - v * wx) * scaleV;
  const ay = (uy - u * wy) * scaleU;
  const by = (vy - v * wy) * scaleV;
  const alongX = ax * ax + bx * bx;
  const alongY = ay * ay + by * by;
  const side2 = SHARPNESS * Math.max(alongX, alongY);
  if (!(side2 >= 4)) return 0;
  // Half the binary logarithm of the square, from the position of its highest bit.
  const level = (31 - Math.clz32(Math.min(side2, 0x3fffffff))) >> 1;
  return level < levels.length ? level : levels.length - 1;
}

/** Factor on the squared texel size: 2 would round to the nearest level, less prefers the finer one. */
const SHARPNESS = 1.4;
