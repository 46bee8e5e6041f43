import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { WorldGeometry } from "../../core/interfaces/simulator.js";
import type { FrozenWorld } from "./world-files.js";

/** The folder of meshes and textures, which viewers get by plain names. */
const FOLDERS = / (mesh|texture)dir="assets"/g;

/** The model for the viewer. Meshes and textures whose checksums are `known` are not sent again. */
export function geometryOfFrozen(
  { main, files, description }: FrozenWorld,
  known: ReadonlySet<string>,
): WorldGeometry {
  const assets = new Map<string, Uint8Array>();
  const names: Record<string, string> = {};
  for (const [path, bytes] of Object.entries(files)) {
    if (path === main) continue;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    names[basename(path)] = sha256;
    if (!known.has(sha256)) assets.set(sha256, bytes);
  }
  const text = new TextDecoder().decode(files[main]);
  return {
    mjcf: text.replaceAll(FOLDERS, ""),
    files: names,
    assets,
    groups: description.cameras.geom_groups,
  };
}
