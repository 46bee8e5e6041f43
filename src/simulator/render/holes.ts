import { mipLevel } from "./mip-level.js";
import type { RenderPart } from "./part.js";
import { nearestTexel } from "./sampler.js";
import { STRIDE, type Surfaces, U, V, valueAt } from "./surfaces.js";
import { type MipLevel, WHITE } from "./texture.js";

/**
 * Where a surface with a cut-out texture (leaves, a fence, a net curtain) is solid: texels of at least half
 * opacity. There is no blending.
 */
export class Holes {
  #planes = new Float64Array(0);
  #at = 0;
  #part: RenderPart | undefined;
  #level = WHITE.levels[0] as MipLevel;
  #minAlpha = 0;

  /** Selects the surface for the following queries. */
  begin(surfaces: Surfaces, number: number, part: RenderPart): void {
    this.#planes = surfaces.planes;
    this.#at = number * STRIDE;
    this.#part = part;
    this.#minAlpha = part.minAlpha;
  }

  /** Starts a row of pixels around (x, y), which lies at `depth`. */
  beginSpan(x: number, y: number, depth: number): void {
    const mips = this.#part?.mips ?? WHITE;
    const level = mipLevel(this.#planes, this.#at, mips, x, y, depth);
    this.#level = mips.levels[level] as MipLevel;
  }

  isSolid(x: number, y: number, depth: number): boolean {
    const planes = this.#planes;
    const at = this.#at;
    const { width, height, texels } = this.#level;
    const u = valueAt(planes, at + U, x, y) * depth * width;
    const v = valueAt(planes, at + V, x, y) * depth * height;
    const sampler = this.#part?.sampler;
    const texel = sampler
      ? nearestTexel(this.#level, sampler, u, v)
      : (texels[((v & (height - 1)) * width) | (u & (width - 1))] as number);
    return texel >>> 24 >= this.#minAlpha;
  }
}
