import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../core/errors.js";
import { check } from "../check.js";
import { streamJsonLines } from "../readers/json-stream.js";
import { withParquet } from "../readers/parquet.js";
import type { LerobotInfo } from "./info.js";

const lineSchema = z.looseObject({ task_index: z.int().nonnegative(), task: z.string() });

/** Reads the instructions by number: `meta/tasks.jsonl`, or `meta/tasks.parquet` in version 3. */
export async function readTasks(info: LerobotInfo): Promise<ReadonlyMap<number, string>> {
  return info.major === 2
    ? fromLines(join(info.root, "meta", "tasks.jsonl"))
    : fromTable(join(info.root, "meta", "tasks.parquet"));
}

async function fromLines(file: string): Promise<Map<number, string>> {
  const tasks = new Map<number, string>();
  for await (const { value, line } of streamJsonLines(file)) {
    const { task_index, task } = check(lineSchema, value, { file, item: `line ${line}` });
    tasks.set(task_index, task);
  }
  return tasks;
}

function fromTable(path: string): Promise<Map<number, string>> {
  return withParquet(path, async (file) => {
    // The texts are the index of a pandas table, whose column may be unnamed.
    const texts = ["task", "__index_level_0__"].find((name) => file.columns.includes(name));
    if (texts === undefined) {
      throw new DataError("missing_column", "the column with the task texts is missing", {
        where: path,
        hint: `expected "task" or "__index_level_0__"; the file has the columns ${file.columns.join(", ")}`,
      });
    }
    const [numbers, words] = [await file.column("task_index"), await file.column(texts)];
    const rows = numbers.map((task_index, i) =>
      check(lineSchema, { task_index, task: words[i] }, { file: path, item: `row ${i}` }),
    );
    return new Map(rows.map(({ task_index, task }) => [task_index, task]));
  });
}
