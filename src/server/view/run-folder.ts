import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError } from "../../core/errors.js";
import { FILES } from "../../runs/run-files.js";
import { inside } from "./inside.js";

/**
 * The folder whose runs are shown. An id is looked up among the folder's entries and never joined to a
 * path unseen, so no id can name anything else.
 */
export class RunFolder {
  /** Real path of what holds the runs. */
  readonly #root: string;
  /** Set where the folder given is itself a run, and the only one to be shown. */
  readonly #only: string | undefined;

  private constructor(root: string, only?: string) {
    this.#root = root;
    this.#only = only;
  }

  /** @throws DataError `no_folder` */
  static async open(path: string): Promise<RunFolder> {
    const real = await realpath(path).catch(() => undefined);
    const found = real === undefined ? undefined : await stat(real);
    if (real === undefined || !found?.isDirectory()) {
      throw new DataError("no_folder", "there is no such folder of runs", {
        where: path,
        hint: "name the folder that runs are written to (output.log_dir, or --out of `run`), or one run",
      });
    }
    return (await isFile(join(real, FILES.info)))
      ? new RunFolder(dirname(real), basename(real))
      : new RunFolder(real);
  }

  /** Of all that looks like a run, damaged or not. */
  async ids(): Promise<string[]> {
    const names = await this.#names();
    const runs = await Promise.all(names.map((name) => this.#looksLikeRun(name)));
    return names.filter((_, i) => runs[i]).sort();
  }

  /** Real path of a run. @throws DataError `unknown_run` */
  async pathOf(id: string): Promise<string> {
    const names = await this.#names();
    if (names.includes(id) && (await this.#looksLikeRun(id))) {
      return inside(this.#root, join(this.#root, id));
    }
    throw new DataError("unknown_run", "there is no run of this name in the folder", {
      hint: "it may have been renamed or deleted since the page was opened",
    });
  }

  async #names(): Promise<string[]> {
    if (this.#only !== undefined) return [this.#only];
    const names = await readdir(this.#root).catch(() => []);
    // What is being put together has a dot before its name.
    return names.filter((name) => !name.startsWith("."));
  }

  async #looksLikeRun(name: string): Promise<boolean> {
    const folder = await inside(this.#root, join(this.#root, name)).catch(() => undefined);
    if (folder === undefined) return false;
    if (await isFile(join(folder, FILES.info))) return true;
    if (await isFile(join(folder, FILES.summary))) return true;
    // An empty one is made just before run.json is.
    const lines = await stat(join(folder, FILES.episodes)).catch(() => undefined);
    return lines?.isFile() === true && lines.size > 0;
  }
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}
