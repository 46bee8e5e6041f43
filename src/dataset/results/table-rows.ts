import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";

import { streamJsonLines, streamList } from "../readers/json-stream.js";
import { readSample } from "../source.js";
import { readCsv } from "./csv.js";

/** A row of a table, independent of the file type. */
export interface Row {
  /** Raw values by column; null if empty. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly where: string;
  /** The row as the file writes it; undefined for CSV, whose values are text. */
  readonly text?: string;
  /** The location of one cell. */
  at(column: string): string;
}

/** Yields the rows of a table. The first character determines the file type. */
export async function* rowsOf(path: string): AsyncGenerator<Row> {
  const { text } = await readSample(path);
  const [first] = text.replace(/^\uFEFF/, "").trimStart();
  if (first === "[") {
    for await (const [i, value, written] of streamList(path, "episodes")) {
      yield jsonRow(value, `${path}, [${i}]`, written);
    }
  } else if (first === "{") {
    for await (const { value, line, text: written } of streamJsonLines(path)) {
      yield jsonRow(value, `${path}:${line}`, written);
    }
  } else yield* csvRows(path);
}

function jsonRow(value: unknown, where: string, text: string): Row {
  if (!isRecord(value)) {
    throw new DataError("bad_result", `expected an object, got ${show(value)}`, { where });
  }
  const values = new Map(Object.entries(value));
  return { values, where, text, at: () => where };
}

async function* csvRows(path: string): AsyncGenerator<Row> {
  let header: readonly string[] | undefined;
  for await (const { cells, line } of readCsv(path)) {
    if (!header) {
      header = cells.map(({ text }) => text.trim());
      checkHeader(header, `${path}:${line}`);
      continue;
    }
    if (cells.length !== header.length) {
      throw new DataError(
        "bad_csv",
        `the row has ${cells.length} cells, but the header has ${header.length}`,
        {
          where: `${path}:${line}:${cells.at(-1)?.column ?? 1}`,
          hint: "quote cells that contain a comma; if the last row is short, the file was cut off",
        },
      );
    }
    const columns = header;
    const values = new Map(columns.map((name, i) => [name, cellValue(cells[i]?.text ?? "")]));
    yield {
      values,
      where: `${path}:${line}`,
      at: (column) => {
        const cell = cells[columns.indexOf(column)];
        return `${path}:${cell?.line ?? line}:${cell?.column ?? 1}`;
      },
    };
  }
}

function checkHeader(header: readonly string[], where: string): void {
  const [only = ""] = header;
  if (header.length === 1 && /[;\t]/.test(only)) {
    throw new DataError("bad_csv", `the header has one column, ${show(only)}`, {
      where,
      hint: "separate cells by commas",
    });
  }
  const twice = header.find((name, i) => name === "" || header.indexOf(name) !== i);
  if (twice === undefined) return;
  const problem = twice === "" ? "a column without a name" : `the column "${twice}" twice`;
  throw new DataError("bad_csv", `the header has ${problem}`, { where });
}

/** An empty cell is null; everything else stays text until a number is needed. */
function cellValue(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
