import { type FileHandle, open } from "node:fs/promises";
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type Column, elementsOf, IMAGE_ROWS, metadataOf, sourceOf } from "./parquet-write.js";

/** A Parquet file that grows by whole tables, so that only one of them is in memory. Flushed to disk when closed. */
export class ParquetAppender {
  #bytes = 0;
  #isClosed = false;

  private constructor(
    private readonly file: FileHandle,
    private readonly buffer: ByteWriter,
    private readonly writer: ParquetWriter,
  ) {}

  /**
   * @param path must not exist yet
   * @param like columns with the names and types of all tables
   */
  static async create(
    path: string,
    like: readonly Column[],
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<ParquetAppender> {
    const library = await import("hyparquet-writer");
    const buffer = new library.ByteWriter();
    const own = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    const writer = new library.ParquetWriter({
      writer: buffer,
      schema: [{ name: "schema", num_children: like.length }, ...like.flatMap(elementsOf)],
      ...metadataOf(like, own),
    });
    return new ParquetAppender(await open(path, "wx"), buffer, writer);
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async append(columns: readonly Column[]): Promise<void> {
    const rows = columns[0]?.data.length ?? 0;
    const hasImages = columns.some(({ type }) => type === "image");
    await this.writer.write({
      columnData: columns.map(sourceOf),
      rowGroupSize: Math.max(1, hasImages ? Math.min(IMAGE_ROWS, rows) : rows),
    });
    await this.#flush();
  }

  /** Writes the footer. A file without it is not readable. */
  async finish(): Promise<void> {
    await this.writer.finish();
    await this.#flush();
    await this.file.sync();
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.file.close();
  }

  /** The library continues counting by `offset`; the buffered bytes are being written to disk. */
  async #flush(): Promise<void> {
    const bytes = this.buffer.getBytes();
    await this.file.writeFile(bytes);
    this.#bytes += bytes.byteLength;
    this.buffer.index = 0;
  }
}
