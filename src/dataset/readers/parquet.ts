import { type FileHandle, open } from "node:fs/promises";
import type { AsyncBuffer, FileMetaData, ParquetRowRange, ParquetScan } from "hyparquet";
import { DataError, errorMessage, show } from "../../core/errors.js";
import { rejectLfsPointer } from "../../core/lfs-pointer.js";
import { noteProgress } from "../reader/progress.js";
import { emptyFile, opening } from "../source.js";
import { checkFooter, checkPages, chunksOf } from "./parquet-guard.js";

/** A range of rows; `to` is exclusive. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** The value of a cell. 64-bit integers become numbers; lists may be nested. */
export type ParquetCell =
  | number
  | string
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly ParquetCell[];

const MAGIC = "PAR1";

/**
 * A Parquet file opened for reading. Opening reads only the footer; later reads load the row groups of the
 * requested columns. The latest group of each column is cached, so sequential reads within it are free.
 */
export class ParquetFile {
  /** Columns of row groups whose pages have been checked. */
  readonly #checked = new Set<string>();

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly file: AsyncBuffer,
    private readonly scan: ParquetScan,
  ) {}

  static async open(path: string): Promise<ParquetFile> {
    const handle = await opening(path, () => open(path, "r"));
    try {
      const { size } = await handle.stat();
      if (size === 0) throw emptyFile(path);
      const file = sliced(handle, size, path);
      await checkMagic(file, path);
      const scan = await withReadErrors(path, async () => {
        // Loaded on first use, because most commands never read a Parquet file.
        const [{ parquetMetadataAsync, parquetScan }, { compressors }] = await Promise.all([
          import("hyparquet"),
          import("hyparquet-compressors"),
        ]);
        checkFooter(await footerOf(file));
        const metadata = await parquetMetadataAsync(file);
        checkCodecs(metadata, Object.keys(compressors), path);
        return parquetScan({ file, metadata, compressors });
      });
      return new ParquetFile(path, handle, file, scan);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get rows(): number {
    return Number(this.scan.metadata.num_rows);
  }

  /** The names of the top-level columns. */
  get columns(): readonly string[] {
    return topLevelNames(this.scan.metadata);
  }

  async column(
    name: string,
    range: RowRange = { from: 0, to: this.rows },
  ): Promise<readonly ParquetCell[]> {
    if (!this.columns.includes(name)) {
      throw new DataError("missing_column", `column "${name}" does not exist`, {
        where: this.path,
        hint: `the file has the columns ${this.columns.join(", ")}`,
      });
    }
    if (range.to > this.rows) {
      throw new DataError(
        "missing_rows",
        `rows ${range.from} to ${range.to - 1} do not exist: the file has ${this.rows} rows`,
        { where: this.path, hint: "copy or download the dataset again" },
      );
    }
    const cells: ParquetCell[] = [];
    for (const [i, group] of this.#groups.entries()) {
      const from = Math.max(range.from, group.rowStart);
      const to = Math.min(range.to, group.rowEnd);
      if (from >= to) continue;
      noteProgress();
      const whole = await withReadErrors(this.path, () => this.#readGroup(name, i, group));
      if (whole.length !== group.rowEnd - group.rowStart)
        throw this.#shortColumn(name, whole.length);
      for (let row = from; row < to; row++) {
        cells.push(this.#cell(whole[row - group.rowStart], name, row));
      }
    }
    if (cells.length !== range.to - range.from) throw this.#shortColumn(name, cells.length);
    return cells;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  get #groups(): ParquetRowRange[] {
    let rowStart = 0;
    return this.scan.metadata.row_groups.map(({ num_rows }) => {
      const group = { rowStart, rowEnd: rowStart + Number(num_rows) };
      rowStart = group.rowEnd;
      return group;
    });
  }

  async #readGroup(column: string, group: number, rows: ParquetRowRange) {
    const key = `${group} ${column}`;
    if (!this.#checked.has(key)) {
      for (const chunk of chunksOf(this.scan.metadata, group, column)) {
        checkPages(await this.file.slice(chunk.from, chunk.to), chunk);
      }
      this.#checked.add(key);
    }
    return this.scan.readColumn({ column, ...rows });
  }

  #cell(value: unknown, column: string, row: number): ParquetCell {
    if (typeof value === "bigint") {
      const number = Number(value);
      if (Number.isSafeInteger(number)) return number;
      throw new DataError(
        "unsafe_integer",
        `column ${column}, row ${row}: ${value} exceeds the largest exact integer (2^53)`,
        { where: this.path },
      );
    }
    if (Array.isArray(value)) return value.map((item) => this.#cell(item, column, row));
    switch (typeof value) {
      case "number":
      case "string":
      case "boolean":
        return value;
      case "undefined":
        return null;
      default:
        if (value === null || value instanceof Date || value instanceof Uint8Array) return value;
        throw new DataError(
          "unsupported_column",
          `column ${column}, row ${row}: ${show(value)} is neither a value nor a list`,
          { where: this.path },
        );
    }
  }

  #shortColumn(name: string, found: number): DataError {
    return damaged(
      this.path,
      `column ${name} has ${found} rows in a group, which contradicts the footer`,
    );
  }
}

export async function withParquet<T>(
  path: string,
  use: (file: ParquetFile) => Promise<T>,
): Promise<T> {
  const file = await ParquetFile.open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function sliced(handle: FileHandle, byteLength: number, path: string): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      // A damaged footer may point anywhere and request any amount of memory.
      if (!(start >= 0 && end >= start && end <= byteLength)) {
        throw damaged(path, `it refers to bytes ${start} to ${end} of ${byteLength}`);
      }
      const bytes = new Uint8Array(end - start);
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
        if (bytesRead === 0) throw damaged(path, `it ends at byte ${start + done}`);
        done += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

/** `PAR1` marks both ends of the file, so truncation is detected at once. */
async function checkMagic(file: AsyncBuffer, path: string): Promise<void> {
  const { byteLength } = file;
  const textAt = async (from: number, to: number) =>
    Buffer.from(await file.slice(from, to)).toString("latin1");
  const first = await textAt(0, Math.min(4, byteLength));
  if (first === "PARE") {
    throw new DataError("encrypted_parquet", "the Parquet file is encrypted", {
      where: path,
      hint: "write it again without encryption",
    });
  }
  if (first !== MAGIC) {
    rejectLfsPointer(new Uint8Array(await file.slice(0, Math.min(64, byteLength))), path);
    throw new DataError("not_parquet", `not a Parquet file: it begins with ${show(first)}`, {
      where: path,
    });
  }
  if (byteLength < 12 || (await textAt(byteLength - 4, byteLength)) !== MAGIC) {
    throw damaged(path, `its end marker is missing, so it was cut off at byte ${byteLength}`);
  }
}

/** The four bytes before the end marker give the length of the footer, which precedes them. */
async function footerOf(file: AsyncBuffer): Promise<ArrayBuffer> {
  const end = file.byteLength - 8;
  const length = new DataView(await file.slice(end, end + 4)).getUint32(0, true);
  return file.slice(end - length, end);
}

function checkCodecs(metadata: FileMetaData, known: readonly string[], path: string): void {
  for (const { columns } of metadata.row_groups) {
    for (const { meta_data: column } of columns) {
      if (!column || column.codec === "UNCOMPRESSED" || known.includes(column.codec)) continue;
      throw new DataError(
        "unsupported_codec",
        `column ${column.path_in_schema.join(".")} is compressed with ${column.codec}`,
        {
          where: path,
          hint: `write it with one of UNCOMPRESSED, ${known.join(", ")}`,
        },
      );
    }
  }
}

/** The schema is a tree in preorder; its first element is the root. */
function topLevelNames({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  let inside = 0;
  for (const { name, num_children: children = 0 } of schema.slice(1)) {
    if (inside === 0) names.push(name);
    else inside--;
    inside += children;
  }
  return names;
}

/** Reports any reader error as damage, because the file is the reader's only input. */
async function withReadErrors<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw damaged(path, errorMessage(error), error);
  }
}

function damaged(path: string, problem: string, cause?: unknown): DataError {
  return new DataError("damaged_parquet", `the Parquet file is damaged: ${problem}`, {
    where: path,
    hint: "copy or download the file again",
    cause,
  });
}
