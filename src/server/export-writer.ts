import { copyFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../config/output-path.js";
import { errorMessage, RobotEvalError } from "../core/errors.js";
import { cannotWrite } from "../runs/directory/files.js";
import { contentAt } from "./view/addresses.js";
import type { RunLibrary } from "./view/library.js";

/** Writes the contents of addresses below `api` to files with the same names. */
export class ExportWriter {
  readonly #written = new Set<string>();
  readonly skipped: { what: string; why: string }[] = [];
  files = 0;

  constructor(
    private readonly folder: string,
    private readonly library: RunLibrary,
  ) {}

  skip(what: string, why: string): void {
    this.skipped.push({ what, why });
  }

  async copy(from: string, name: string): Promise<void> {
    const to = join(this.folder, name);
    await this.#put(to, () => copyFile(from, to));
  }

  /** Returns the text that was written. */
  async write(...parts: readonly string[]): Promise<string> {
    const content = await contentAt(this.library, parts, false);
    const to = join(this.folder, "api", ...parts);
    await this.#put(to, () =>
      "file" in content ? copyFile(content.file, to) : writeFile(to, content.body),
    );
    return "body" in content && typeof content.body === "string" ? content.body : "";
  }

  /** Skips contents that cannot be made, because a file is damaged or a scene is missing. */
  async tryWrite(...parts: readonly string[]): Promise<string | undefined> {
    try {
      return await this.write(...parts);
    } catch (error) {
      if (!(error instanceof RobotEvalError) || error.code === "cannot_write") throw error;
      this.skip(parts.join("/"), errorMessage(error));
      return undefined;
    }
  }

  async once(...parts: readonly string[]): Promise<void> {
    const name = parts.join("/");
    if (this.#written.has(name)) return;
    this.#written.add(name);
    await this.tryWrite(...parts);
  }

  async #put(path: string, put: () => Promise<void>): Promise<void> {
    try {
      makeFolder(dirname(path));
      await put();
    } catch (cause) {
      throw cannotWrite(path, cause);
    }
    this.files++;
  }
}
