import { GLB_BUFFER, type GLTF, Logger, type Mesh, NodeIO } from "@gltf-transform/core";
import { errorMessage, RobotEvalError } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { categoryOfName } from "../category-of-name.js";
import type { DraftInstance, SceneDraft } from "../draft.js";
import type { ScenePart, TriangleMesh } from "../model.js";
import { checkExtensions } from "./extensions.js";
import { badGltf, type GltfFile, openGltf } from "./file.js";
import { type GltfMaterial, readMaterials } from "./material.js";
import { readMesh } from "./mesh.js";
import { readInstanceExtras, readSceneExtras } from "./scene-extras.js";
import { compose, IDENTITY, isIdentity, multiply, type Transform } from "./transform.js";

/**
 * Reads a glTF scene in the file's own axes. Each node with a mesh is an instance; a node whose extras name a
 * category merges everything below it into one instance. Only the default scene is read. Animations, skins
 * and morph targets are ignored: node transforms give the pose.
 */
export async function readGltf(file: string): Promise<SceneDraft> {
  const gltf = await openGltf(file);
  try {
    checkExtensions(gltf.json, file);
    const warnings: string[] = [];
    const materials = await readMaterials(gltf, warnings);
    const meshes = new MeshReader(gltf, await decodeMeshes(gltf), materials);
    const { parts, instances, complete } = walk(gltf.json, meshes);
    return {
      parts,
      instances,
      hasBuilding: complete,
      isUpright: complete,
      ...readSceneExtras(sceneOf(gltf.json)?.extras),
      warnings,
      files: gltf.files,
    };
  } catch (error) {
    if (error instanceof RobotEvalError) throw error;
    throw badGltf(file, errorMessage(error), error);
  }
}

/** Passes only geometry to the library, so that no other part of the file can make it fail. */
async function decodeMeshes({ json, buffers }: GltfFile): Promise<readonly Mesh[]> {
  const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  const names = buffers.map((_, i) => (i === 0 ? GLB_BUFFER : `buffer_${i}.bin`));
  const document = await io.readJSON({
    json: {
      asset: { version: "2.0" },
      buffers: buffers.map(({ byteLength }, i) =>
        i === 0 ? { byteLength } : { byteLength, uri: names[i] as string },
      ),
      bufferViews: json.bufferViews ?? [],
      accessors: json.accessors ?? [],
      meshes: (json.meshes ?? []).map(({ primitives }) => ({
        primitives: primitives.map(({ attributes, indices, mode }) => ({
          attributes,
          ...(indices !== undefined && { indices }),
          ...(mode !== undefined && { mode }),
        })),
      })),
    },
    resources: Object.fromEntries(
      // Copies the bytes to offset 0 of a new buffer, because the library reads from the underlying memory.
      buffers.map((bytes, i) => [names[i] as string, new Uint8Array(bytes)]),
    ),
  });
  return document.getRoot().listMeshes();
}

interface Primitive {
  readonly mesh: TriangleMesh;
  readonly material: GltfMaterial["material"];
}

/** Reads each mesh once, even if several nodes use it. */
class MeshReader {
  readonly #made = new Map<number, readonly Primitive[]>();

  constructor(
    private readonly gltf: GltfFile,
    private readonly meshes: readonly Mesh[],
    private readonly materials: readonly GltfMaterial[],
  ) {}

  get(index: number): readonly Primitive[] {
    const made = this.#made.get(index) ?? this.#read(index);
    this.#made.set(index, made);
    return made;
  }

  #read(index: number): Primitive[] {
    const out: Primitive[] = [];
    const definition = this.gltf.json.meshes?.[index];
    for (const [i, primitive] of (this.meshes[index]?.listPrimitives() ?? []).entries()) {
      const material = this.materials.at(definition?.primitives[i]?.material ?? -1);
      if (!material) throw new Error(`mesh ${index} refers to a missing material`);
      const where = `${this.gltf.file}: mesh ${definition?.name ?? index}, primitive ${i}`;
      const mesh = readMesh(primitive, material, where);
      if (mesh) out.push({ mesh, material: material.material });
    }
    return out;
  }
}

interface Walked {
  readonly parts: readonly ScenePart[];
  readonly instances: readonly DraftInstance[];
  /** The file was written by this program and numbers its instances, the building first. */
  readonly complete: boolean;
}

function walk(json: GLTF.IGLTF, meshes: MeshReader): Walked {
  const parts: (ScenePart & { order: number })[] = [];
  const instances: (DraftInstance & { order: number })[] = [];
  const seen = new Set<number>();

  const stack = roots(json)
    .map((node) => ({ node, above: IDENTITY, owner: -1 }))
    .reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node: index, above } = next;
    const node = json.nodes?.[index];
    if (!node) throw new Error(`node ${index} does not exist`);
    if (seen.has(index)) throw new Error(`node ${index} is its own ancestor, or has two parents`);
    seen.add(index);
    const here = multiply(above, localTransform(node));
    let owner = next.owner;
    const declared = readInstanceExtras(node.extras);
    const name = node.name ?? json.meshes?.[node.mesh ?? -1]?.name ?? `node_${index}`;
    const primitives = node.mesh === undefined ? [] : meshes.get(node.mesh);
    if (declared || (owner < 0 && primitives.length > 0)) {
      owner = instances.length;
      instances.push({ name, category: categoryOfName(name), order: Number.NaN, ...declared });
    }
    const { part: order, solid } = isRecord(node.extras) ? node.extras : {};
    for (const { mesh, material } of primitives) {
      parts.push({
        mesh,
        material,
        instance: owner,
        ...(!isIdentity(here) && { transform: here }),
        ...(solid === false && { solid }),
        order: typeof order === "number" ? order : Number.NaN,
      });
    }
    for (const child of [...(node.children ?? [])].reverse()) {
      stack.push({ node: child, above: here, owner });
    }
  }
  return numbered(parts, instances);
}

/** Files written by this program store the order of parts and instances, which a round trip restores. */
function numbered(
  parts: (ScenePart & { order: number })[],
  instances: (DraftInstance & { order: number })[],
): Walked {
  const complete = instances.length > 0 && instances.every(({ order }) => order < instances.length);
  const plain = {
    parts: parts.map(({ order: _, ...part }) => part),
    instances: instances.map(({ order: _, ...instance }) => instance),
    complete,
  };
  if (!complete) return plain;
  const sorted = instances.map((_, i) => i).sort((a, b) => at(a) - at(b));
  const place = new Map(sorted.map((from, to) => [from, to]));
  function at(i: number): number {
    return instances[i]?.order ?? 0;
  }
  return {
    complete,
    instances: sorted.flatMap((i) => plain.instances[i] ?? []),
    parts: parts
      .sort((a, b) => a.order - b.order || 0)
      .map(({ order: _, ...part }) => ({ ...part, instance: place.get(part.instance) ?? 0 })),
  };
}

function sceneOf(json: GLTF.IGLTF): GLTF.IScene | undefined {
  return json.scenes?.[json.scene ?? 0];
}

/** The default scene's nodes; in a file without scenes, all nodes without a parent. */
function roots(json: GLTF.IGLTF): number[] {
  const scene = sceneOf(json);
  if (scene) return [...(scene.nodes ?? [])];
  const children = new Set((json.nodes ?? []).flatMap((node) => node.children ?? []));
  return [...(json.nodes ?? []).keys()].filter((index) => !children.has(index));
}

function localTransform(node: GLTF.INode): Transform {
  if (node.matrix?.length === 16) return node.matrix;
  return compose(node.translation, node.rotation, node.scale);
}
