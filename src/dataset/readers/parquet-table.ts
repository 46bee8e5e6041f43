import { type FileHandle, open } from "node:fs/promises";
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { LEAVES, sourceOf } from "./parquet-write.js";

/** A column of a table with optional cells. */
export interface TableColumn {
  readonly name: string;
  readonly type: "float64" | "int64" | "string";
}

export type TableCell = number | string | null;

/** Rows buffered, compressed and written at a time, so that memory does not grow with the table. */
const GROUP_ROWS = 10_000;

/** A new Parquet file, written row by row with snappy compression and flushed to disk when finished. */
export class ParquetTable {
  #rows: (readonly TableCell[])[] = [];

  private constructor(
    private readonly columns: readonly TableColumn[],
    private readonly file: FileHandle,
    private readonly buffer: ByteWriter,
    private readonly writer: ParquetWriter,
  ) {}

  /** @param path must not exist yet */
  static async create(path: string, columns: readonly TableColumn[]): Promise<ParquetTable> {
    const library = await import("hyparquet-writer");
    const buffer = new library.ByteWriter();
    const writer = new library.ParquetWriter({
      writer: buffer,
      schema: [
        { name: "schema", num_children: columns.length },
        ...columns.map(({ name, type }) => {
          return { name, ...LEAVES[type], repetition_type: "OPTIONAL" as const };
        }),
      ],
    });
    return new ParquetTable(columns, await open(path, "wx"), buffer, writer);
  }

  /** @param row one cell per column, in column order */
  async add(row: readonly TableCell[]): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= GROUP_ROWS) await this.#writeGroup();
  }

  async finish(): Promise<void> {
    await this.#writeGroup();
    await this.writer.finish();
    await this.#flush();
    await this.file.sync();
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    const columnData = this.columns.map((column, i) =>
      sourceOf({ ...column, data: rows.map((row) => row[i] ?? null) }),
    );
    await this.writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    await this.#flush();
  }

  /** The library continues counting by `offset`; the buffered bytes are being written to disk. */
  async #flush(): Promise<void> {
    await this.file.writeFile(this.buffer.getBytes());
    this.buffer.index = 0;
  }
}
