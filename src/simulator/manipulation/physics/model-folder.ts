import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { ModelFiles } from "./compile.js";
import type { Mujoco } from "./mujoco.js";

/**
 * Files in the memory that MuJoCo takes for a disk, until they are removed.
 *
 * MuJoCo's own list of files (`MjVFS.addBuffer`) takes a microsecond for each byte, a minute for the meshes of a
 * robot; here they are copied at once. The folder's name is that of its content: MuJoCo keeps what it has made of a
 * file by the file's name and the second in which it was written, and two models' files may share both.
 */
export class ModelFolder {
  readonly #mujoco: Mujoco;
  readonly #path: string;

  private constructor(mujoco: Mujoco, path: string) {
    this.#mujoco = mujoco;
    this.#path = path;
  }

  /** Undefined where a name leads elsewhere than into the folder. */
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
    this.#empty(this.#path);
  }

  #empty(folder: string): void {
    const { FS } = this.#mujoco;
    for (const name of FS.readdir(folder) as readonly string[]) {
      if (name === "." || name === "..") continue;
      const path = posix.join(folder, name);
      if (FS.isDir(FS.stat(path, true).mode)) this.#empty(path);
      else FS.unlink(path);
    }
    FS.rmdir(folder);
  }
}

function isInside(path: string): boolean {
  return !posix.isAbsolute(path) && posix.normalize(path) === path && !path.startsWith("..");
}
