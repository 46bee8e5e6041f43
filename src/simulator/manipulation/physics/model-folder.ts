import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { ModelFiles } from "./compile.js";
import type { Mujoco } from "./mujoco.js";

/**
 * A folder in MuJoCo's in-memory file system, until it is removed.
 *
 * `MjVFS.addBuffer` takes a microsecond per byte, which is a minute for the meshes of a robot; writing files is fast.
 * The folder's name is the hash of its content, because MuJoCo caches files by name and modification time in seconds,
 * which the files of two models may share.
 */
export class ModelFolder {
  readonly #mujoco: Mujoco;
  readonly #path: string;

  private constructor(mujoco: Mujoco, path: string) {
    this.#mujoco = mujoco;
    this.#path = path;
  }

  /** Undefined if a path leads out of the folder. */
  static write(mujoco: Mujoco, files: ModelFiles): ModelFolder | undefined {
    const entries = Object.entries(files);
    if (!entries.every(([path]) => isInside(path))) return undefined;
    const digest = createHash("sha256");
    for (const [path, bytes] of entries) digest.update(`${path}\0${bytes.length}\0`).update(bytes);
    const folder = new ModelFolder(mujoco, `/models/${digest.digest("hex")}`);
    for (const [path, bytes] of entries) {
      const name = folder.pathOf(path);
      mujoco.FS.mkdirTree(posix.dirname(name), 0o777);
      mujoco.FS.writeFile(name, bytes);
    }
    return folder;
  }

  pathOf(name: string): string {
    return posix.join(this.#path, name);
  }

  remove(): void {
    this.#removeFolder(this.#path);
  }

  #removeFolder(folder: string): void {
    const { FS } = this.#mujoco;
    for (const name of FS.readdir(folder) as readonly string[]) {
      if (name === "." || name === "..") continue;
      const path = posix.join(folder, name);
      if (FS.isDir(FS.stat(path, true).mode)) this.#removeFolder(path);
      else FS.unlink(path);
    }
    FS.rmdir(folder);
  }
}

function isInside(path: string): boolean {
  return !posix.isAbsolute(path) && posix.normalize(path) === path && !path.startsWith("..");
}
