import type { GLTF } from "@gltf-transform/core";
import { isRecord } from "../../../core/record.js";
import type { Material, Texture } from "../model.js";
import { toSrgb } from "../srgb.js";
import {
  decodeTexture,
  type ImageSize,
  imageSize,
  isKtx2,
  type Opacity,
  sideWithin,
} from "../texture-file.js";
import type { GltfFile } from "./file.js";

/** A glTF material and the mapping of its texture onto the mesh. */
export interface GltfMaterial {
  readonly material: Material;
  /** n of the TEXCOORD_n that its texture uses. */
  readonly uvSet: number;
  /** KHR_texture_transform. */
  readonly uvTransform?: UvTransform;
  /** Opacity is ignored, including that of vertices. */
  readonly opaque: boolean;
}

export interface UvTransform {
  readonly offset: readonly number[];
  readonly rotation: number;
  readonly scale: readonly number[];
}

/** Colour of a surface whose texture cannot be read: plaster in daylight. */
const NEUTRAL = [0.74, 0.72, 0.69] as const;

const PLAIN: GltfMaterial = {
  material: { name: "default", color: [1, 1, 1, 1] },
  uvSet: 0,
  opaque: true,
};

/** All materials of a file in its order, followed by a default one for meshes without a material. */
export async function readMaterials(gltf: GltfFile, warnings: string[]): Promise<GltfMaterial[]> {
  const definitions = gltf.json.materials ?? [];
  const textures = await TextureReader.open(
    gltf,
    definitions.map((definition) => imageOf(gltf.json, baseColor(definition).texture)),
    warnings,
  );
  const out: GltfMaterial[] = [];
  for (const [i, definition] of definitions.entries()) out.push(await readMaterial(definition, i));
  return [...out, PLAIN];

  async function readMaterial(definition: GLTF.IMaterial, i: number): Promise<GltfMaterial> {
    const { factor, texture: info } = baseColor(definition);
    const [r = 1, g = 1, b = 1, a = 1] = factor;
    const opacity = opacityOf(definition, a);
    const image = imageOf(gltf.json, info);
    const texture = image === undefined ? undefined : await textures.get(image, opacity);
    const tint = image !== undefined && !texture ? NEUTRAL : ([1, 1, 1] as const);
    const transform = extension(info, "KHR_texture_transform");
    const material: Material = {
      name: definition.name ?? `material_${i}`,
      color: [
        toSrgb(r) * tint[0],
        toSrgb(g) * tint[1],
        toSrgb(b) * tint[2],
        opacity.mode === "blend" ? a : 1,
      ],
      ...(texture && { texture }),
      ...(extension(definition, "KHR_materials_unlit") && { unlit: true }),
      ...(definition.doubleSided && { doubleSided: true }),
    };
    return {
      material,
      opaque: opacity.mode === "opaque",
      uvSet: Number(transform?.texCoord ?? info?.texCoord ?? 0),
      ...(transform && { uvTransform: readTransform(transform) }),
    };
  }
}

/** Decodes each image once per opacity mode. */
class TextureReader {
  readonly #decoded = new Map<string, Promise<Texture>>();

  private constructor(
    private readonly gltf: GltfFile,
    private readonly images: ReadonlyMap<number, Uint8Array>,
    private readonly side: number,
  ) {}

  static async open(gltf: GltfFile, wanted: readonly (number | undefined)[], warnings: string[]) {
    const images = new Map<number, Uint8Array>();
    const sizes: ImageSize[] = [];
    let unreadable = 0;
    for (const index of new Set(wanted)) {
      if (index === undefined) continue;
      const bytes = await gltf.image(index);
      if (isKtx2(bytes)) {
        unreadable++;
        continue;
      }
      images.set(index, bytes);
      sizes.push(await imageSize(bytes, `${gltf.file}: image ${index}`));
    }
    if (unreadable > 0) {
      warnings.push(
        `${unreadable} of ${unreadable + images.size} textures are KTX2 (Basis Universal), which is not ` +
          "supported: their surfaces have a default colour; the geometry is complete. HM3D's .glb files that are not " +
          ".basis.glb have JPEG textures",
      );
    }
    const side = sideWithin(sizes);
    const shrunk = sizes.filter(({ width, height }) => Math.max(width, height) > side).length;
    if (shrunk > 0) warnings.push(`${shrunk} textures were reduced to at most ${side} pixels`);
    return new TextureReader(gltf, images, side);
  }

  get(index: number, opacity: Opacity): Promise<Texture> | undefined {
    const bytes = this.images.get(index);
    if (!bytes) return undefined;
    const key = `${index} ${opacity.mode} ${opacity.mode === "mask" ? opacity.cutoff : ""}`;
    const known = this.#decoded.get(key);
    if (known) return known;
    const texture = decodeTexture(bytes, `${this.gltf.file}: image ${index}`, this.side, opacity);
    this.#decoded.set(key, texture);
    return texture;
  }
}

interface BaseColor {
  readonly factor: readonly number[];
  readonly texture: GLTF.ITextureInfo | undefined;
}

function baseColor(definition: GLTF.IMaterial): BaseColor {
  // The older extension; files that use it often omit pbrMetallicRoughness.
  const older = extension(definition, "KHR_materials_pbrSpecularGlossiness");
  if (older) {
    return {
      factor: (older.diffuseFactor as number[] | undefined) ?? [1, 1, 1, 1],
      texture: older.diffuseTexture as GLTF.ITextureInfo | undefined,
    };
  }
  const pbr = definition.pbrMetallicRoughness;
  return { factor: pbr?.baseColorFactor ?? [1, 1, 1, 1], texture: pbr?.baseColorTexture };
}

/** The image of a texture reference; images of other formats are in extensions. */
function imageOf(json: GLTF.IGLTF, info: GLTF.ITextureInfo | undefined): number | undefined {
  if (!info) return undefined;
  const texture = json.textures?.[info.index];
  const other = extension(texture, "EXT_texture_webp") ?? extension(texture, "KHR_texture_basisu");
  const source = texture?.source ?? other?.source;
  return typeof source === "number" ? source : undefined;
}

function opacityOf(definition: GLTF.IMaterial, alpha: number): Opacity {
  if (definition.alphaMode === "BLEND") return { mode: "blend" };
  if (definition.alphaMode !== "MASK") return { mode: "opaque" };
  // The material's opacity multiplies the texture's before the comparison.
  return { mode: "mask", cutoff: (definition.alphaCutoff ?? 0.5) / Math.max(alpha, 1e-6) };
}

function readTransform(transform: Readonly<Record<string, unknown>>): UvTransform {
  return {
    offset: (transform.offset as number[] | undefined) ?? [0, 0],
    rotation: (transform.rotation as number | undefined) ?? 0,
    scale: (transform.scale as number[] | undefined) ?? [1, 1],
  };
}

function extension(of: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  const extensions = isRecord(of) ? of.extensions : undefined;
  const value = isRecord(extensions) ? extensions[name] : undefined;
  return isRecord(value) ? value : undefined;
}
