import { ConfigError, DataError } from "../../core/errors.js";
import type { Registry } from "../../core/registry.js";
import type { ContentSample, DatasetFormat } from "../format.js";
import { describeStart, readToEnd, recognise } from "../recognise.js";
import { readSample } from "../source.js";
import type { ResultsFormat } from "./format.js";
import { table } from "./table.js";

export interface DetectOptions {
  readonly path: string;
  /** A results format's name; detected from the content if omitted. */
  readonly format?: string | undefined;
  /** Implies the format `table`, the only one with configurable columns. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly results: Registry<ResultsFormat>;
  /** Used to tell a submission from an unknown file. */
  readonly formats: Registry<DatasetFormat>;
}

/** Returns the named format, or detects it from the content. */
export async function resolveResultsFormat(options: DetectOptions): Promise<ResultsFormat> {
  const { path, format, columns, results } = options;
  if (columns !== undefined && format !== undefined && format !== table.name) {
    throw new ConfigError("bad_columns", `columns can only be set for a table, not for ${format}`, {
      where: "--columns",
      hint: "remove --columns or --format",
    });
  }
  if (format !== undefined) return results.get(format);
  if (columns !== undefined) return table;
  const sample = await readSample(path);
  const found = recognise(sample, results, { path, hint: "name one with --format" });
  if (found) return found;
  await readToEnd(sample);
  throw unknown(sample, options);
}

function unknown(sample: ContentSample, { results, formats }: DetectOptions): DataError {
  const submission = [...formats.entries()].find(([, known]) => known.submission?.detect(sample));
  if (submission) {
    return new DataError(
      "no_dataset",
      `this is a submission (${submission[0]}), which must be scored against its dataset`,
      { where: sample.path, hint: "pass the dataset with --dataset" },
    );
  }
  return new DataError(
    "unknown_format",
    `the file does not match any known results format${describeStart(sample)}`,
    {
      where: sample.path,
      hint: `results formats: ${results.list().join(", ")}; for a table with other columns, --columns episode_id=<column>,success=<column>; for a submission, pass its dataset with --dataset`,
    },
  );
}
