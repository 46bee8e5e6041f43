import { type FileHandle, open } from "node:fs/promises";

/** A new file of JSON documents, a line each, brought to the disk when it is closed. */
export class JsonLinesFile {
  #file: FileHandle | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<JsonLinesFile> {
    return new JsonLinesFile(await open(path, "wx"));
  }

  async add(document: object): Promise<void> {
    if (!this.#file) throw new Error("a line for a file that is closed");
    await this.#file.writeFile(`${JSON.stringify(document)}\n`);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
