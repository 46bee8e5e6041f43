import { type Document, GLB_BUFFER, Logger, NodeIO } from "@gltf-transform/core";
import { errorMessage, RobotEvalError } from "../../../core/errors.js";
import type { SceneDraft } from "../draft.js";
import { TextureBudget } from "../texture-budget.js";
import { decompress } from "./decompress.js";
import { checkExtensions } from "./extensions.js";
import { badGltf, type GltfFile, openGltf } from "./file.js";
import { readMaterials } from "./material.js";
import { MeshReader } from "./mesh-reader.js";
import { sceneOf, walk } from "./nodes.js";
import { readSceneExtras } from "./scene-extras.js";

/**
 * Reads a glTF scene in the file's own axes. Each node with a mesh is an instance; a node whose extras name a
 * category merges everything below it into one instance. Only the default scene is read. Animations and
 * morph targets are ignored: node transforms give the pose, also that of skinned meshes.
 */
export async function readGltf(
  file: string,
  textures = new TextureBudget({}),
): Promise<SceneDraft> {
  const gltf = await openGltf(file);
  try {
    checkExtensions(gltf.json, file);
    const warnings: string[] = [];
    const materials = await readMaterials(gltf, warnings, textures);
    const meshes = new MeshReader(gltf, await decodeGeometry(gltf), materials);
    const { parts, instances, complete } = walk(gltf, meshes);
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
async function decodeGeometry(gltf: GltfFile): Promise<Document> {
  const { json, buffers } = await decompress(gltf);
  const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  const names = buffers.map((_, i) => (i === 0 ? GLB_BUFFER : `buffer_${i}.bin`));
  return io.readJSON({
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
      buffers.map((bytes, i) => [names[i] as string, withOwnBuffer(bytes)]),
    ),
  });
}

/** The library reads from the underlying memory, so the bytes must start and end with it. */
function withOwnBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
