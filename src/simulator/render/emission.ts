import type { Emission } from "../scenes/model.js";
import { toLinear, toSrgb } from "../scenes/srgb.js";
import { mipLevel } from "./mip-level.js";
import { nearestTexel, type Sampler, samplerOf } from "./sampler.js";
import { U, V, valueAt } from "./surfaces.js";
import { type MipLevel, type MipTexture, mipsOf, WHITE } from "./texture.js";

/** The light that a part gives off, prepared for rendering. */
export interface Glow {
  readonly color: Emission["color"];
  readonly mips: MipTexture;
  readonly sampler: Sampler;
}

export function glowOf({ color, texture }: Emission, hasUvs: boolean): Glow {
  const image = hasUvs ? texture : undefined;
  const mips = image ? mipsOf(image) : WHITE;
  return { color, mips, sampler: (image && samplerOf(image, true)) ?? REPEAT };
}

const REPEAT: Sampler = { wrapU: "repeat", wrapV: "repeat", linear: false };

const LINEAR = Float32Array.from({ length: 256 }, (_, i) => toLinear(i / 255));
/** Fine enough that neighbours differ by less than one of 255 levels, also in the dark. */
const STEPS = 4096;
const SRGB = Uint8Array.from({ length: STEPS + 1 }, (_, i) => Math.round(255 * toSrgb(i / STEPS)));

/** Adds the light to the pixels `from` to `to` of row `y`, which are shaded already; `x` is the first's column. */
export function addGlow(
  canvas: Int32Array,
  skipped: number,
  inverseDepth: Float32Array,
  from: number,
  to: number,
  x: number,
  y: number,
  planes: Float64Array,
  at: number,
  { color, mips, sampler }: Glow,
): void {
  const middle = (from + to) >> 1;
  const z = 1 / (inverseDepth[middle] as number);
  const level = mips.levels[mipLevel(planes, at, mips, x + middle - from, y, z)] as MipLevel;
  for (let p = from; p < to; p++) {
    const depth = 1 / (inverseDepth[p] as number);
    const column = x + p - from;
    const u = valueAt(planes, at + U, column, y) * depth * level.width;
    const v = valueAt(planes, at + V, column, y) * depth * level.height;
    const texel = nearestTexel(level, sampler, u, v);
    const lit = canvas[p - skipped] as number;
    let out = 0;
    for (let channel = 0; channel < 3; channel++) {
      const shift = channel * 8;
      const light =
        (LINEAR[(lit >>> shift) & 255] as number) +
        (LINEAR[(texel >>> shift) & 255] as number) * (color[channel] as number);
      out |= (SRGB[Math.min(STEPS, (light * STEPS + 0.5) | 0)] as number) << shift;
    }
    canvas[p - skipped] = out;
  }
}
