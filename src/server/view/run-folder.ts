import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataError } from "../../core/errors.js";
import { FILES } from "../../runs/directory/run-files.js";
import { inside } from "./inside.js";

/**
 * The folder whose runs are shown. Ids are looked up among the folder's entries and never joined to a path unchecked,
 * so an id cannot name anything else.
 */
export class RunFolder {
  /** Real path of the folder that contains the runs. */
  readonly #root: string;
  /** Set if the given folder is itself a run, which is then the only one. */
  readonly #only: string | undefined;
  /** Names found by the last reading of the folder. */
  #found: ReadonlySet<string> = new Set();

  private constructor(root: string, only?: string) {
    this.#root = root;
    this.#only = only;
  }

  /** @throws DataError `no_folder` */
  static async open(path: string): Promise<RunFolder> {
    const real = await realpath(path).catch(() => undefined);
    const found = real === undefined ? undefined : await stat(real);
    if (real === undefined || !found?.isDirectory()) {
      throw new DataError("no_folder", "the folder of runs does not exist", {
        where: path,
        hint: "name the folder that runs are written to (output.log_dir, or --out of `run`), or one run",
      });
    }
    const info = await stat(join(real, FILES.info)).catch(() => undefined);
    return info?.isFile() ? new RunFolder(dirname(real), basename(real)) : new RunFolder(real);
  }

  /** Real path of the folder of runs; undefined if a single run is shown. */
  get root(): string | undefined {
    return this.#only === undefined ? this.#root : undefined;
  }

  /** Reads the folder; returns the real path of each folder that may be a run, by name. */
  async paths(): Promise<Map<string, string>> {
    const paths = new Map<string, string>();
    if (this.#only !== undefined) {
      paths.set(this.#only, join(this.#root, this.#only));
    } else {
      const entries = await readdir(this.#root, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const { name } = entry;
        // Runs that are being assembled have names that start with a dot.
        if (name.startsWith(".")) continue;
        const path = join(this.#root, name);
        if (entry.isDirectory()) paths.set(name, path);
        else if (entry.isSymbolicLink()) {
          const real = await inside(this.#root, path).catch(() => undefined);
          if (real !== undefined) paths.set(name, real);
        }
      }
    }
    this.#found = new Set(paths.keys());
    return paths;
  }

  /** Real path of a folder that may be a run. @throws DataError `unknown_run` */
  async pathOf(id: string): Promise<string> {
    if (!this.#found.has(id)) await this.paths();
    // Resolved each time, because the folder may have been replaced by a link.
    const real = this.#found.has(id)
      ? await inside(this.#root, join(this.#root, id)).catch(() => undefined)
      : undefined;
    if (real !== undefined) return real;
    throw unknownRun();
  }
}

export function unknownRun(): DataError {
  return new DataError("unknown_run", "there is no run of this name in the folder", {
    hint: "it may have been renamed or deleted since the page was opened",
  });
}
