import { DataError } from "../../core/errors.js";
import type { ImageSize } from "./texture-file.js";

/** Larger textures are reduced: an image of 640 pixels shows no more detail. */
export const MAX_TEXTURE_SIDE = 2048;
/** Textures are not reduced further than this without being asked to. */
const MIN_SIDE = 64;
/** Limit on the pixels of all textures of one scene: four bytes each, so a quarter of a gigabyte. */
const MAX_PIXELS = 64 * 1024 * 1024;

/** Options of reading a scene. */
export interface SceneOptions {
  /** Largest side of a texture in pixels. Without it, textures are reduced as far as the memory limit requires. */
  readonly maxTextureSize?: number | undefined;
}

/** Shared by all files of one scene, so that their textures together stay within the memory limit. */
export class TextureBudget {
  #side: number;
  #reserved = 0;

  constructor(
    private readonly options: SceneOptions,
    side = options.maxTextureSize ?? MAX_TEXTURE_SIDE,
  ) {
    this.#side = side;
  }

  /**
   * Reserves memory for images before they are decoded. Returns the side in pixels that they must be reduced to.
   *
   * @throws TexturesTooLarge if they do not fit beside the images of earlier files
   */
  reserve(sizes: readonly ImageSize[], where: string): number {
    const asked = this.options.maxTextureSize !== undefined;
    // The first file has all textures of most scenes.
    if (!asked && this.#reserved === 0) {
      while (this.#side > MIN_SIDE && pixels(sizes, this.#side) > MAX_PIXELS) this.#side /= 2;
    }
    this.#reserved += pixels(sizes, this.#side);
    if (this.#reserved > MAX_PIXELS) throw new TexturesTooLarge(this.#reserved, this.#side, where);
    return this.#side;
  }
}

class TexturesTooLarge extends DataError {
  constructor(
    reserved: number,
    readonly side: number,
    where: string,
  ) {
    const needed = Math.round((reserved * 4) / 1e6);
    super(
      "scene_too_large",
      `the scene's textures, reduced to ${side} pixels, decode to ${needed} MB or more; at most ${Math.round((MAX_PIXELS * 4) / 1e6)} MB are kept`,
      {
        where,
        hint: `set simulator.max_texture_size (--max-texture-size of \`robot-eval scene\`) to ${Math.max(16, side / 2)} pixels or less, or leave it out: textures are then reduced to ${MIN_SIDE} pixels if needed`,
      },
    );
  }
}

/**
 * Reads a scene with one budget for all its files. If the textures of a later file do not fit, reads it
 * again with smaller textures, so that all files have the same limit.
 */
export async function withTextureBudget<T>(
  options: SceneOptions,
  read: (textures: TextureBudget) => Promise<T>,
): Promise<T> {
  for (let side: number | undefined; ; ) {
    try {
      return await read(new TextureBudget(options, side));
    } catch (error) {
      if (!(error instanceof TexturesTooLarge) || error.side <= MIN_SIDE) throw error;
      if (options.maxTextureSize !== undefined) throw error;
      side = error.side / 2;
    }
  }
}

function pixels(sizes: readonly ImageSize[], side: number): number {
  let sum = 0;
  for (const { width, height } of sizes) {
    const scale = Math.min(1, side / Math.max(width, height));
    sum += width * scale * height * scale;
  }
  return sum;
}
