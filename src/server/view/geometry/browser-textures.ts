import sharp from "sharp";
import type { Material, SceneModel, Texture } from "../../../simulator/scenes/model.js";

/** Longest side of a texture, in pixels. */
const LONGEST = 1024;
/** Pixels of all textures together: a browser needs 4 bytes each, plus a third for mipmaps. */
const MOST_PIXELS = 32 * 1024 * 1024;

/** Textures up to this side are enlarged, because browsers would blur a checker of 2 x 2 pixels. */
const TINY = 8;
const MAGNIFIED = 64;

/** Converts a scene's textures for browsers: scans have hundreds of large ones. */
export async function withBrowserTextures(model: SceneModel): Promise<SceneModel> {
  const textures = new Set(
    model.parts.flatMap(({ material: { texture, emission } }) =>
      [texture, emission?.texture].flatMap((used) => used ?? []),
    ),
  );
  const longest = longestSide([...textures]);
  const fit = new Map<Texture, Texture>();
  for (const texture of textures) fit.set(texture, await fitting(texture, longest));
  const materials = new Map<Material, Material>();
  const parts = model.parts.map((part) => {
    const material = materials.get(part.material) ?? withTextures(part.material, fit);
    materials.set(part.material, material);
    return { ...part, material };
  });
  return { ...model, parts };
}

function withTextures(material: Material, fit: ReadonlyMap<Texture, Texture>): Material {
  const texture = material.texture && fit.get(material.texture);
  const { emission } = material;
  const glow = emission?.texture && fit.get(emission.texture);
  return {
    ...material,
    ...(texture && { texture }),
    ...(emission && glow && { emission: { ...emission, texture: glow } }),
  };
}

/** Halves the longest side until all textures together fit. */
function longestSide(textures: readonly Texture[]): number {
  let longest = LONGEST;
  const pixels = () =>
    textures.reduce((sum, { width, height }) => {
      const scale = Math.min(1, longest / Math.max(width, height));
      return sum + width * height * scale * scale;
    }, 0);
  while (longest > 32 && pixels() > MOST_PIXELS) longest /= 2;
  return longest;
}

async function fitting(texture: Texture, longest: number): Promise<Texture> {
  const { width, height, data } = texture;
  const side = Math.max(width, height);
  const isTiny = side <= TINY;
  if (!isTiny && side <= longest) return texture;
  const scale = isTiny ? Math.floor(MAGNIFIED / side) : longest / side;
  const { data: resized, info } = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize({
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      fit: "fill",
      kernel: isTiny ? "nearest" : "lanczos3",
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: w, height: h } = info;
  return { ...texture, width: w, height: h, data: new Uint8Array(resized) };
}
