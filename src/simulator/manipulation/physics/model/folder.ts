import { posix } from "node:path";
import type { Mujoco } from "../mujoco.js";
import type { ModelFiles } from "./compile.js";
import { contentHash } from "./content-hash.js";

/** Folder of files with relative names. */
const RELATIVE = "/model";

/**
 * A model's files in MuJoCo's in-memory file system, until they are removed. Absolute names keep their paths, because
 * documents may contain them. `MjVFS.addBuffer` takes a microsecond per byte, which is a minute for the meshes of a
 * robot; writing files takes milliseconds.
 *
 * MuJoCo caches parsed meshes and their convex hulls by path and modification time in seconds. The time is therefore
 * derived from the content: files that differ are never mixed up, and worlds with the same robot share its meshes.
 */
export class ModelFolder {
  readonly #mujoco: Mujoco;
  readonly #files = new Set<string>();
  readonly #folders: string[] = [];

  constructor(mujoco: Mujoco, files: ModelFiles) {
    this.#mujoco = mujoco;
    try {
      for (const [name, bytes] of Object.entries(files)) this.#write(pathOf(name), bytes);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  remove(): void {
    const { FS } = this.#mujoco;
    for (const file of this.#files) FS.unlink(file);
    for (const folder of this.#folders.reverse()) FS.rmdir(folder);
    this.#files.clear();
    this.#folders.length = 0;
  }

  #write(path: string, bytes: Uint8Array): void {
    const { FS } = this.#mujoco;
    this.#makeFolder(posix.dirname(path));
    // `canOwn` avoids a copy; MuJoCo only reads files.
    FS.writeFile(path, bytes, { canOwn: true });
    this.#files.add(path);
    const timeMs = 1000 * contentTimeS(bytes);
    FS.utime(path, timeMs, timeMs);
  }

  #makeFolder(path: string): void {
    const { FS } = this.#mujoco;
    if (FS.analyzePath(path, false).exists) return;
    this.#makeFolder(posix.dirname(path));
    FS.mkdir(path, 0o777);
    this.#folders.push(path);
  }
}

/** The path of a model's file in MuJoCo's file system. */
export function pathOf(name: string): string {
  return posix.resolve(RELATIVE, name);
}

/** 40 bits of the content's hash; Emscripten's dates allow no more than 42. */
function contentTimeS(bytes: Uint8Array): number {
  return Number.parseInt(contentHash(bytes).slice(0, 10), 16);
}
