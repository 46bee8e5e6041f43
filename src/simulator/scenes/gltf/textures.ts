import type { GLTF } from "@gltf-transform/core";
import type { Texture, TextureWrap } from "../model.js";
import type { TextureBudget } from "../texture-budget.js";
import { decodeTexture, type ImageSize, imageSize, type Opacity } from "../texture-file.js";
import { extension } from "./extensions.js";
import type { GltfFile } from "./file.js";

/** Extensions that give a texture's image in another format. */
const OTHER_FORMATS = ["EXT_texture_webp", "KHR_texture_basisu", "GOOGLE_texture_basis"];

const WRAPS: Readonly<Record<number, TextureWrap>> = { 33071: "clamp", 33648: "mirror" };
const LINEAR = 9729;

/** Reads the textures of a file. Each image is decoded once, reduced as the budget requires. */
export class TextureReader {
  readonly #decoded = new Map<string, Promise<Texture>>();

  private constructor(
    private readonly gltf: GltfFile,
    private readonly images: ReadonlyMap<number, Uint8Array>,
    private readonly side: number,
  ) {}

  /** Reads the images' headers only. `infos` are the references of all materials. */
  static async open(
    gltf: GltfFile,
    infos: readonly (GLTF.ITextureInfo | undefined)[],
    warnings: string[],
    budget: TextureBudget,
  ): Promise<TextureReader> {
    const images = new Map<number, Uint8Array>();
    const sizes: ImageSize[] = [];
    for (const index of new Set(infos.map((info) => imageOf(gltf.json, info)))) {
      if (index === undefined) continue;
      const bytes = await gltf.image(index);
      images.set(index, bytes);
      sizes.push(await imageSize(bytes, `${gltf.file}: image ${index}`));
    }
    const side = budget.reserve(sizes, gltf.file);
    const shrunk = sizes.filter(({ width, height }) => Math.max(width, height) > side).length;
    if (shrunk > 0) warnings.push(`${shrunk} textures were reduced to at most ${side} pixels`);
    return new TextureReader(gltf, images, side);
  }

  async get(info: GLTF.ITextureInfo | undefined, opacity: Opacity): Promise<Texture | undefined> {
    const index = imageOf(this.gltf.json, info);
    const bytes = this.images.get(index ?? -1);
    if (!info || index === undefined || !bytes) return undefined;
    const sampler = samplerOf(this.gltf.json, info);
    const mode = `${opacity.mode} ${opacity.mode === "mask" ? opacity.cutoff : ""}`;
    const image = await this.#once(`${index} ${mode}`, () =>
      decodeTexture(bytes, `${this.gltf.file}: image ${index}`, this.side, opacity),
    );
    if (Object.keys(sampler).length === 0) return image;
    // One object for each use of the image with the same sampler, by which the renderer caches.
    return this.#once(`${index} ${mode} ${JSON.stringify(sampler)}`, async () => ({
      ...image,
      ...sampler,
    }));
  }

  #once(key: string, make: () => Promise<Texture>): Promise<Texture> {
    const known = this.#decoded.get(key) ?? make();
    this.#decoded.set(key, known);
    return known;
  }
}

/** The image of a texture reference. */
function imageOf(json: GLTF.IGLTF, info: GLTF.ITextureInfo | undefined): number | undefined {
  if (!info) return undefined;
  const texture = json.textures?.[info.index];
  const other = OTHER_FORMATS.map((name) => extension(texture, name)?.source);
  const source = texture?.source ?? other.find((index) => index !== undefined);
  return typeof source === "number" ? source : undefined;
}

function samplerOf(json: GLTF.IGLTF, info: GLTF.ITextureInfo): Pick<Texture, "wrap" | "filter"> {
  const {
    wrapS = 0,
    wrapT = 0,
    magFilter,
  } = json.samplers?.[json.textures?.[info.index]?.sampler ?? -1] ?? {};
  const [s = "repeat", t = "repeat"] = [WRAPS[wrapS], WRAPS[wrapT]];
  return {
    ...((s !== "repeat" || t !== "repeat") && { wrap: [s, t] as const }),
    ...(magFilter === LINEAR && { filter: "linear" as const }),
  };
}
