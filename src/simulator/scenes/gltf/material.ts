import type { GLTF } from "@gltf-transform/core";
import type { Emission, Material } from "../model.js";
import { toSrgb } from "../srgb.js";
import type { TextureBudget } from "../texture-budget.js";
import type { Opacity } from "../texture-file.js";
import { extension } from "./extensions.js";
import type { GltfFile } from "./file.js";
import { TextureReader } from "./textures.js";

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

const PLAIN: GltfMaterial = {
  material: { name: "default", color: [1, 1, 1, 1] },
  uvSet: 0,
  opaque: true,
};

/** All materials of a file in its order, followed by a default one for meshes without a material. */
export async function readMaterials(
  gltf: GltfFile,
  warnings: string[],
  budget: TextureBudget,
): Promise<GltfMaterial[]> {
  const definitions = gltf.json.materials ?? [];
  const infos = definitions.flatMap((definition) => [
    baseColor(definition).texture,
    emissiveTexture(definition),
  ]);
  const textures = await TextureReader.open(gltf, infos, warnings, budget);
  const out: GltfMaterial[] = [];
  for (const [i, definition] of definitions.entries()) out.push(await readMaterial(definition, i));
  return [...out, PLAIN];

  async function readMaterial(definition: GLTF.IMaterial, i: number): Promise<GltfMaterial> {
    const { factor, texture: info } = baseColor(definition);
    const [r = 1, g = 1, b = 1, a = 1] = factor;
    const opacity = opacityOf(definition, a);
    const name = definition.name ?? `material_${i}`;
    const texture = await textures.get(info, opacity);
    const emission = await readEmission(definition, texture && info, name);
    const mapping = mappingOf(texture ? info : definition.emissiveTexture);
    const material: Material = {
      name,
      color: [toSrgb(r), toSrgb(g), toSrgb(b), opacity.mode === "blend" ? a : 1],
      ...(texture && { texture }),
      ...(emission && { emission }),
      ...(extension(definition, "KHR_materials_unlit") && { unlit: true }),
      ...(definition.doubleSided && { doubleSided: true }),
    };
    return { material, opaque: opacity.mode === "opaque", ...mapping };
  }

  /** The renderer has one set of texture coordinates per surface: that of the base texture, `base`. */
  async function readEmission(
    definition: GLTF.IMaterial,
    base: GLTF.ITextureInfo | undefined,
    name: string,
  ): Promise<Emission | undefined> {
    const [r = 0, g = 0, b = 0] = emissiveFactor(definition);
    if (r + g + b === 0 || extension(definition, "KHR_materials_unlit")) return undefined;
    const color = [r, g, b] as const;
    const info = emissiveTexture(definition);
    if (!info) return { color };
    if (base && JSON.stringify(mappingOf(base)) !== JSON.stringify(mappingOf(info))) {
      warnings.push(
        `the emissive texture of the material ${name} is ignored: it has other texture coordinates than the base colour`,
      );
      return undefined;
    }
    const texture = await textures.get(info, { mode: "opaque" });
    return texture && { color, texture };
  }
}

/** Linear; KHR_materials_emissive_strength may exceed 1. */
function emissiveFactor(definition: GLTF.IMaterial): readonly number[] {
  const strength = extension(definition, "KHR_materials_emissive_strength")?.emissiveStrength;
  return (definition.emissiveFactor ?? []).map((value) => value * Number(strength ?? 1));
}

/** Undefined also if its factor is 0, as it is by default. */
function emissiveTexture(definition: GLTF.IMaterial): GLTF.ITextureInfo | undefined {
  return emissiveFactor(definition).some((value) => value > 0)
    ? definition.emissiveTexture
    : undefined;
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

function opacityOf(definition: GLTF.IMaterial, alpha: number): Opacity {
  if (definition.alphaMode === "BLEND") return { mode: "blend" };
  if (definition.alphaMode !== "MASK") return { mode: "opaque" };
  // The material's opacity multiplies the texture's before the comparison.
  return { mode: "mask", cutoff: (definition.alphaCutoff ?? 0.5) / Math.max(alpha, 1e-6) };
}

function mappingOf(info: GLTF.ITextureInfo | undefined) {
  const transform = extension(info, "KHR_texture_transform");
  return {
    uvSet: Number(transform?.texCoord ?? info?.texCoord ?? 0),
    ...(transform && { uvTransform: readTransform(transform) }),
  };
}

function readTransform(transform: Readonly<Record<string, unknown>>): UvTransform {
  return {
    offset: (transform.offset as number[] | undefined) ?? [0, 0],
    rotation: (transform.rotation as number | undefined) ?? 0,
    scale: (transform.scale as number[] | undefined) ?? [1, 1],
  };
}
