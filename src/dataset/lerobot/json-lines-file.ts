import { type FileHandle, open } from "node:fs/promises";

/** A new JSON Lines file, flushed to disk when closed. */
export class JsonLinesFile {
  private constructor(private file: FileHandle | undefined) {}

  static async create(path: string): Promise<JsonLinesFile> {
    return new JsonLinesFile(await open(path, "wx"));
  }

  async add(document: object): Promise<void> {
    if (!this.file) throw new Error("cannot write a line: the file is closed");
    await this.file.writeFile(`${JSON.stringify(document)}\n`);
  }

  async close(): Promise<void> {
    const file = this.file;
    this.file = undefined;
    if (!file) return;
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
