import { ConfigError, DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import type { Registry } from "../../core/registry.js";
import type { ContentSample, DatasetFormat } from "../format.js";

import { streamJson, streamJsonLines } from "../json-stream.js";
import { readSample } from "../source.js";
import type { ResultsFormat } from "./format.js";
import { table } from "./table.js";

export interface DetectOptions {
  readonly path: string;
  /** A results format's name; found out from the content when absent. */
  readonly format?: string | undefined;
  /** Only a table's columns can be named, so naming them says that it is one. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly results: Registry<ResultsFormat>;
  /** For telling a submission from a file that nobody knows. */
  readonly formats: Registry<DatasetFormat>;
}

/** The named format, or the one that the content is of. */
export async function resolveResultsFormat(options: DetectOptions): Promise<ResultsFormat> {
  const { path, format, columns, results } = options;
  if (columns !== undefined && format !== undefined && format !== table.name) {
    throw new ConfigError("bad_columns", `columns can be named in a table, not in ${format}`, {
      where: "--columns",
      hint: "leave --columns or --format out",
    });
  }
  if (format !== undefined) return results.get(format);
  if (columns !== undefined) return table;
  const sample = await readSample(path);
  const found = [...results.entries()].filter(([, known]) => known.detect(sample));
  const [first, ...others] = found;
  if (first && others.length === 0) return first[1];
  if (first) {
    const names = found.map(([name]) => name).join(", ");
    throw new DataError("unknown_format", `the content fits several formats: ${names}`, {
      where: path,
      hint: "name one with --format",
    });
  }
  await rejectDamaged(sample);
  throw unknown(sample, options);
}

function unknown(sample: ContentSample, { results, formats }: DetectOptions): DataError {
  const submission = [...formats.entries()].find(([, known]) => known.submission?.detect(sample));
  if (submission) {
    return new DataError(
      "no_dataset",
      `this is a submission (${submission[0]}), which is scored against its dataset`,
      { where: sample.path, hint: "name the dataset with --dataset" },
    );
  }
  return new DataError(
    "unknown_format",
    `the file is of no known results format${beginning(sample)}`,
    {
      where: sample.path,
      hint: `results formats: ${results.list().join(", ")}; for a table with other columns, --columns episode_id=<column>,success=<column>; for a submission, name its dataset with --dataset`,
    },
  );
}

function beginning({ text, head }: ContentSample): string {
  const first = Array.isArray(head) ? head[0] : head;
  if (isRecord(first)) return `; its keys are ${show(Object.keys(first), 100)}`;
  return text === "" ? "" : `; it begins with ${show(text.slice(0, 60))}`;
}

/** What is recognised as nothing may be a good file that was damaged: reading it to its end tells. */
async function rejectDamaged({ path, text }: ContentSample): Promise<void> {
  const start = text.trimStart();
  if (!/^[[{]/.test(start)) return;
  const [firstLine = ""] = start.split("\n", 1);
  const parts = isJson(firstLine) && start.length > firstLine.length ? streamJsonLines : streamJson;
  for await (const _ of parts(path));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
