import { createHash } from "node:crypto";
import sharp from "sharp";
import type { QuatXyzw } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { Material, SceneModel, ScenePart, Texture, TriangleMesh } from "../model.js";
import { toLinear } from "../srgb.js";
import { GlbBuffer } from "./glb-buffer.js";
import { instanceExtras, sceneExtras } from "./scene-extras.js";

/** Opaque textures with a larger side than this are smaller as JPEG, in pixels. */
const SMALL_PX = 256;

interface GlbOptions {
  /**
   * For viewing: stores large textures as JPEG to keep the file small. Without it, the round trip is
   * lossless.
   */
  readonly lossy?: boolean;
  /** For a viewer that moves the instances; their parts are then in the instance's frame. */
  readonly stand?: GlbStand;
}

export interface GlbStand {
  /** The root node, above all instances. */
  readonly root: { readonly name: string; readonly rotation: QuatXyzw };
  /** Pose of each instance in the root's frame. */
  readonly places: readonly { readonly translation: Vec3; readonly rotation: QuatXyzw }[];
}

/**
 * Writes a scene as binary glTF 2.0 that any viewer shows and `loadScene` reads back. Each instance is a node
 * with its properties in `extras` and a child node for each of its parts. Textures are PNG; rooms and doors
 * are in the scene's `extras`. Equal scenes give equal bytes.
 *
 * @example
 * import { writeFileSync } from "node:fs";
 * writeFileSync("apartment.glb", await writeGlb(generateApartment(7)));
 */
export async function writeGlb(
  model: SceneModel,
  { lossy = false, stand }: GlbOptions = {},
): Promise<Uint8Array> {
  const buffer = new GlbBuffer();
  const images: object[] = [];
  const samplers: object[] = [];
  const textures: object[] = [];
  const materials: object[] = [];
  const meshes: object[] = [];
  const extensions = usedExtensions(model);

  // Keyed by content, not identity, so that the bytes do not depend on how a generator shares its objects.
  const imageAt = new Once<number>();
  const samplerAt = new Once<number>();
  const textureAt = new Once<number>();
  const materialAt = new Once<number>();
  const accessorsAt = new Once<Record<string, unknown>>();
  const meshAt = new Once<number>();

  async function image(texture: Texture): Promise<number> {
    const { width, height, data } = texture;
    return imageAt.get(`${width} ${height} ${sha256(data)}`, async () => {
      const raw = { width, height, channels: 4 as const };
      const isLarge = Math.max(width, height) > SMALL_PX;
      if (lossy && isLarge && !seesThrough(texture)) {
        const jpeg = await sharp(data, { raw }).removeAlpha().jpeg({ quality: 85 }).toBuffer();
        return images.push({ bufferView: buffer.view(jpeg), mimeType: "image/jpeg" }) - 1;
      }
      const png = await sharp(data, { raw }).png({ compressionLevel: 6 }).toBuffer();
      return images.push({ bufferView: buffer.view(png), mimeType: "image/png" }) - 1;
    });
  }

  async function texture(of: Texture | undefined): Promise<number | undefined> {
    if (!of) return undefined;
    const source = await image(of);
    const definition = samplerDefinition(of);
    const key = JSON.stringify(definition);
    // Without a sampler, glTF's texture repeats, as ours does.
    const sampler = definition && (await samplerAt.get(key, () => samplers.push(definition) - 1));
    return textureAt.get(`${source} ${key}`, () => {
      return textures.push({ source, ...(sampler !== undefined && { sampler }) }) - 1;
    });
  }

  async function material(look: Material): Promise<number> {
    const base = await texture(look.texture);
    const definition = materialDefinition(look, base, await texture(look.emission?.texture));
    return materialAt.get(JSON.stringify(definition), () => materials.push(definition) - 1);
  }

  async function mesh({ mesh: triangles, material: look }: ScenePart): Promise<number> {
    const digest = meshDigest(triangles);
    const geometry = await accessorsAt.get(digest, () => writeTriangles(buffer, triangles));
    const index = await material(look);
    return meshAt.get(`${digest} ${index}`, () => {
      return meshes.push({ primitives: [{ ...geometry, material: index, mode: 4 }] }) - 1;
    });
  }

  const nodes: Record<string, unknown>[] = model.instances.map((instance, i) => ({
    name: instance.name,
    ...stand?.places[i],
    extras: instanceExtras(instance, i),
  }));
  const children = model.instances.map((): number[] => []);
  for (const [i, part] of model.parts.entries()) {
    // glTF does not allow meshes without triangles.
    if (part.mesh.indices.length === 0) continue;
    const node = {
      mesh: await mesh(part),
      ...(part.transform && { matrix: part.transform }),
      extras: { part: i, ...(part.solid === false && { solid: false }) },
    };
    children[part.instance]?.push(nodes.push(node) - 1);
  }
  for (const [i, list] of children.entries()) {
    if (list.length > 0) Object.assign(nodes[i] as object, { children: list });
  }

  const tops = model.instances.map((_, i) => i);
  const roots = stand ? [nodes.push({ ...stand.root, ...filled({ children: tops }) }) - 1] : tops;

  return buffer.glb({
    asset: { version: "2.0", generator: "robot-eval" },
    ...filled({ extensionsUsed: extensions }),
    scene: 0,
    scenes: [{ nodes: roots, extras: sceneExtras(model) }],
    nodes,
    ...filled({ meshes, materials, images, samplers, textures }),
  });
}

function materialDefinition(
  look: Material,
  texture: number | undefined,
  emissiveTexture: number | undefined,
): object {
  const [r, g, b, a] = look.color;
  const { emission } = look;
  // glTF's factor ends at 1; an extension multiplies it.
  const strength = emission ? Math.max(1, ...emission.color) : 1;
  const extensions = {
    ...(look.unlit && { KHR_materials_unlit: {} }),
    ...(strength > 1 && { KHR_materials_emissive_strength: { emissiveStrength: strength } }),
  };
  return {
    name: look.name,
    pbrMetallicRoughness: {
      baseColorFactor: [toLinear(r), toLinear(g), toLinear(b), a],
      ...(texture !== undefined && { baseColorTexture: { index: texture } }),
      metallicFactor: 0,
      roughnessFactor: 1,
    },
    ...(emission && { emissiveFactor: emission.color.map((value) => value / strength) }),
    ...(emissiveTexture !== undefined && { emissiveTexture: { index: emissiveTexture } }),
    ...(a < 1 || (look.texture && seesThrough(look.texture)) ? { alphaMode: "BLEND" } : {}),
    ...(look.doubleSided && { doubleSided: true }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

const WRAPS = { repeat: 10497, clamp: 33071, mirror: 33648 } as const;
const LINEAR = 9729;
const LINEAR_MIPMAP_LINEAR = 9987;

function samplerDefinition({ wrap, filter }: Texture): object | undefined {
  if (!wrap && !filter) return undefined;
  return {
    ...(wrap && { wrapS: WRAPS[wrap[0]], wrapT: WRAPS[wrap[1]] }),
    ...(filter && { magFilter: LINEAR, minFilter: LINEAR_MIPMAP_LINEAR }),
  };
}

function usedExtensions({ parts }: SceneModel): string[] {
  const uses = (test: (material: Material) => boolean | undefined) =>
    parts.some(({ material }) => test(material));
  return [
    ...(uses(({ unlit }) => unlit) ? ["KHR_materials_unlit"] : []),
    ...(uses(({ emission }) => emission?.color.some((value) => value > 1))
      ? ["KHR_materials_emissive_strength"]
      : []),
  ];
}

function writeTriangles(buffer: GlbBuffer, mesh: TriangleMesh): Record<string, unknown> {
  const { positions, indices, normals, uvs, colors } = mesh;
  const attributes: Record<string, number> = { POSITION: buffer.positions(positions) };
  if (normals) attributes.NORMAL = buffer.floats(normals, "VEC3");
  if (uvs) attributes.TEXCOORD_0 = buffer.floats(uvs, "VEC2");
  if (colors) attributes.COLOR_0 = buffer.floats(linearColors(colors), "VEC4");
  return { attributes, indices: buffer.indices(indices) };
}

/** As floats, because 8-bit linear colours would lose precision of 8-bit sRGB colours. */
function linearColors(colors: Uint8Array): Float32Array {
  return Float32Array.from(colors, (value, i) =>
    i % 4 === 3 ? value / 255 : toLinear(value / 255),
  );
}

function seesThrough({ data }: Texture): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}

function meshDigest(mesh: TriangleMesh): string {
  const { positions, indices, normals, uvs, colors } = mesh;
  return [positions, indices, normals, uvs, colors]
    .map((array) => (array ? sha256(array) : "none"))
    .join(" ");
}

function sha256(array: Uint8Array | Float32Array | Uint32Array): string {
  return createHash("sha256").update(array).digest("hex");
}

/** glTF does not allow empty lists. */
function filled<T>(lists: Record<string, readonly T[]>): Record<string, readonly T[]> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** Creates a value on first use of its key and caches it. */
class Once<T> {
  readonly #made = new Map<string, T>();

  async get(key: string, make: () => T | Promise<T>): Promise<T> {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = await make();
    this.#made.set(key, made);
    return made;
  }
}
