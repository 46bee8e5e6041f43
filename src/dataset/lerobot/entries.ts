import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../core/errors.js";
import { check, type DataLocation } from "../check.js";
import { streamJsonLines } from "../readers/json-stream.js";
import { type ParquetCell, withParquet } from "../readers/parquet.js";
import { opening } from "../source.js";
import { dataFile, type LerobotInfo } from "./info.js";

/** An episode listed in `meta`. */
export interface LerobotEntry {
  readonly index: number;
  readonly length: number;
  /** The instructions, if the list has them. */
  readonly tasks: readonly string[] | undefined;
  /** The file that contains its frames, and the index of the first one. */
  readonly file: string;
  readonly firstRow: number;
  /** The location in `meta`, for error messages. */
  readonly at: DataLocation;
}

/** Reads the list of episodes, whether or not their data exists. */
export async function readEntries(info: LerobotInfo): Promise<readonly LerobotEntry[]> {
  const [entries, source] = info.major === 2 ? await fromLines(info) : await fromTables(info);
  const { total_episodes: total = entries.length } = info;
  if (total !== entries.length) {
    throw new DataError(
      "truncated_dataset",
      `info.json announces ${total} episodes, and ${entries.length} are listed`,
      { where: source, hint: "copy or download the meta folder again" },
    );
  }
  return entries;
}

const lineSchema = z.looseObject({
  episode_index: z.int().nonnegative(),
  length: z.int().nonnegative(),
  tasks: z.array(z.string()).optional(),
});

/** Version 2: one line and one data file per episode. */
async function fromLines(info: LerobotInfo): Promise<[LerobotEntry[], string]> {
  const file = join(info.root, "meta", "episodes.jsonl");
  const entries: LerobotEntry[] = [];
  for await (const { value, line } of streamJsonLines(file)) {
    const {
      episode_index: index,
      length,
      tasks,
    } = check(lineSchema, value, {
      file,
      item: `line ${line}`,
    });
    const numbers = { episode_chunk: Math.floor(index / info.chunks_size), episode_index: index };
    const at = { file, item: `line ${line}`, subject: `episode ${index}` };
    entries.push({ index, length, tasks, file: dataFile(info, numbers), firstRow: 0, at });
  }
  return [entries, file];
}

const rowSchema = z.object({
  episode_index: z.int().nonnegative(),
  length: z.int().nonnegative(),
  tasks: z.array(z.string()).nullish(),
  "data/chunk_index": z.int().nonnegative(),
  "data/file_index": z.int().nonnegative(),
  dataset_from_index: z.int().nonnegative(),
});

/** Version 3: tables of episodes, and data files with many episodes each. */
async function fromTables(info: LerobotInfo): Promise<[LerobotEntry[], string]> {
  const folder = join(info.root, "meta", "episodes");
  const names = await opening(folder, () => readdir(folder, { recursive: true }));
  const rows: { readonly row: z.output<typeof rowSchema>; readonly at: DataLocation }[] = [];
  for (const name of names.filter((one) => one.endsWith(".parquet")).sort()) {
    const file = join(folder, name);
    for (const [i, cells] of (await tableRows(file)).entries()) {
      const at = { file, item: `row ${i}`, subject: `episode ${cells.episode_index}` };
      rows.push({ row: check(rowSchema, cells, at), at });
    }
  }
  // Frames are numbered across the dataset; a file begins at the lowest index of its episodes.
  const bases = new Map<string, number>();
  const fileOf = (row: z.output<typeof rowSchema>) =>
    dataFile(info, { chunk_index: row["data/chunk_index"], file_index: row["data/file_index"] });
  for (const { row } of rows) {
    const first = Math.min(
      row.dataset_from_index,
      bases.get(fileOf(row)) ?? row.dataset_from_index,
    );
    bases.set(fileOf(row), first);
  }
  const entries = rows.map(({ row, at }): LerobotEntry => {
    const file = fileOf(row);
    return {
      index: row.episode_index,
      length: row.length,
      tasks: row.tasks ?? undefined,
      file,
      firstRow: row.dataset_from_index - (bases.get(file) ?? 0),
      at,
    };
  });
  return [entries, folder];
}

/** Reads only these columns, because the tables also contain statistics, which are far larger. */
function tableRows(path: string): Promise<Readonly<Record<string, ParquetCell>>[]> {
  return withParquet(path, async (file) => {
    const names = Object.keys(rowSchema.shape).filter(
      (name) => name !== "tasks" || file.columns.includes(name),
    );
    const columns = await Promise.all(names.map((name) => file.column(name)));
    return Array.from({ length: file.rows }, (_, row) =>
      Object.fromEntries(names.map((name, i) => [name, columns[i]?.[row] ?? null])),
    );
  });
}
