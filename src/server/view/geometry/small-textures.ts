import sharp from "sharp";
import type { Material, SceneModel, Texture } from "../../../simulator/scenes/model.js";

/** Longest side of a texture, in pixels. */
const LONGEST = 1024;
/** Pixels of all of them: a browser holds four bytes for each, and a third more for its smaller copies. */
const MOST_PIXELS = 32 * 1024 * 1024;

/** The scene with pictures that a browser can hold: scans have hundreds of large ones. */
export async function withSmallTextures(model: SceneModel): Promise<SceneModel> {
  const textures = new Set(model.parts.flatMap(({ material }) => material.texture ?? []));
  const longest = longestSide([...textures]);
  const small = new Map<Texture, Texture>();
  for (const texture of textures) small.set(texture, await shrunk(texture, longest));
  const materials = new Map<Material, Material>();
  const parts = model.parts.map((part) => {
    const { texture } = part.material;
    const fitting = texture && small.get(texture);
    if (!fitting || fitting === texture) return part;
    const material = materials.get(part.material) ?? { ...part.material, texture: fitting };
    materials.set(part.material, material);
    return { ...part, material };
  });
  return { ...model, parts };
}

/** Halved until all of them together are few enough. */
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

async function shrunk(texture: Texture, longest: number): Promise<Texture> {
  const { width, height, data } = texture;
  if (Math.max(width, height) <= longest) return texture;
  const { data: smaller, info } = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize({ width: longest, height: longest, fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(smaller) };
}
