import { createHash, type Hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { NavMeshSettings } from "../navmesh/settings.js";
import type { FileScene } from "../scenes/load.js";
import type { SceneModel } from "../scenes/model.js";

/**
 * SHA-256 of what defines a scene for an evaluation: its content and its walkable surface. File names and
 * locations are not hashed.
 */
export async function hashFileScene(
  scene: Pick<FileScene, "files" | "up">,
  walkable: NavMeshSettings | Uint8Array,
): Promise<string> {
  const hash = createHash("sha256");
  for (const file of scene.files) addBytes(hash, await readFile(file));
  addText(hash, `up ${scene.up.join(" ")}`);
  return finish(hash, walkable);
}

/** The generator may change between versions, so its output is hashed as well as its seed. */
export function hashGeneratedScene(model: SceneModel, walkable: NavMeshSettings): string {
  const hash = createHash("sha256");
  addText(hash, model.id);
  for (const { mesh, material, instance, transform, solid } of model.parts) {
    const { texture, ...look } = material;
    addText(hash, JSON.stringify({ instance, transform, solid, look }));
    addBytes(hash, mesh.positions);
    addBytes(hash, mesh.indices);
    for (const array of [mesh.normals, mesh.uvs, mesh.colors, texture?.data]) {
      addBytes(hash, array ?? new Uint8Array());
    }
  }
  addText(hash, JSON.stringify([model.instances, model.rooms, model.doors]));
  return finish(hash, walkable);
}

/** The same settings give the same text, whatever the order of their keys. */
export function settingsText(settings: NavMeshSettings): string {
  return JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function finish(hash: Hash, walkable: NavMeshSettings | Uint8Array): string {
  if (walkable instanceof Uint8Array) addBytes(hash, walkable);
  else addText(hash, settingsText(walkable));
  return hash.digest("hex");
}

function addText(hash: Hash, text: string): void {
  addBytes(hash, new TextEncoder().encode(text));
}

/** Hashes the length first, so that the concatenation of buffers is unambiguous. */
function addBytes(hash: Hash, bytes: Uint8Array | Float32Array | Uint32Array): void {
  hash.update(`${bytes.byteLength}:`).update(bytes);
}
