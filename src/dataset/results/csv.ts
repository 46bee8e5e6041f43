import { DataError } from "../../core/errors.js";
import { readTextChunks } from "../readers/bytes.js";

/** A row of a CSV file and its location. */
export interface CsvRow {
  readonly cells: readonly CsvCell[];
  readonly line: number;
}

export interface CsvCell {
  readonly text: string;
  /** Position of its first character, both from 1. */
  readonly line: number;
  readonly column: number;
}

/** Limit for one cell, because an unclosed quote would read the rest of the file into memory. */
const MAX_CELL = 2 ** 20;
const MAX_CELLS = 2 ** 20;

/** The parser's state within a cell. */
type Within = "start" | "plain" | "quoted" | "closed";

/** Yields the rows of a CSV file, gzipped or not, header first; blank lines are skipped. */
export async function* readCsv(path: string): AsyncGenerator<CsvRow> {
  const reader = new CsvReader(path);
  const where = () => `${path}:${reader.line}`;
  for await (const text of readTextChunks(path, where)) yield* reader.push(text);
  yield* reader.end();
}

/**
 * Parses RFC 4180: commas; rows that end with CRLF or LF; quotes around cells with commas, quotes or line
 * breaks, in which quotes are doubled. Anything else is an error, because guessing at a damaged table would
 * produce wrong numbers.
 */
export class CsvReader {
  /** The position of the next character. */
  line = 1;
  #column = 1;

  #cells: CsvCell[] = [];
  #text = "";
  #within: Within = "start";
  #cellLine = 1;
  #cellColumn = 1;
  /** True after a carriage return that awaits its line feed. */
  #return = false;

  constructor(readonly path: string) {}

  *push(text: string): Generator<CsvRow> {
    for (const char of text) {
      if (this.#return && char !== "\n") throw this.#loneReturn();
      const row = this.#take(char);
      if (char === "\n") {
        this.line++;
        this.#column = 1;
      } else this.#column++;
      if (this.#cells.length === 0 && this.#within === "start") this.#beginCell();
      if (row) yield row;
    }
    if (this.#text.length > MAX_CELL || this.#cells.length > MAX_CELLS) {
      throw this.#mistake(
        `a cell of more than ${MAX_CELL} characters, or a row of more than ${MAX_CELLS} cells`,
      );
    }
  }

  /** Signals the end of the input. */
  *end(): Generator<CsvRow> {
    if (this.#return) throw this.#loneReturn();
    if (this.#within === "quoted") {
      throw this.#mistake(
        "the quote that begins here is not closed",
        this.#cellLine,
        this.#cellColumn,
        "the file is cut off, or a quote within the cell is not doubled",
      );
    }
    const row = this.#finishRow();
    if (row) yield row;
  }

  #take(char: string): CsvRow | undefined {
    if (this.#within === "quoted") {
      if (char === '"') this.#within = "closed";
      else this.#text += char;
      return undefined;
    }
    switch (char) {
      case ",":
        this.#finishCell();
        this.#beginCell(1);
        return undefined;
      case "\r":
        this.#return = true;
        return undefined;
      case "\n":
        this.#return = false;
        return this.#finishRow();
      case '"':
        return this.#quote();
    }
    if (this.#within === "closed") {
      throw this.#mistake(
        `expected a comma or the end of the line after the closing quote, got ${JSON.stringify(char)}`,
      );
    }
    this.#within = "plain";
    this.#text += char;
    return undefined;
  }

  #quote(): undefined {
    if (this.#within === "plain") {
      throw this.#mistake(
        "a quote is inside an unquoted cell",
        this.line,
        this.#column,
        'put the cell in quotes and double those inside: "say ""yes"""',
      );
    }
    if (this.#within === "closed") this.#text += '"';
    this.#within = "quoted";
  }

  #beginCell(behind = 0): void {
    this.#cellLine = this.line;
    this.#cellColumn = this.#column + behind;
  }

  #finishCell(): void {
    this.#cells.push({ text: this.#text, line: this.#cellLine, column: this.#cellColumn });
    this.#text = "";
    this.#within = "start";
  }

  #finishRow(): CsvRow | undefined {
    if (this.#cells.length === 0 && this.#within === "start") return undefined;
    this.#finishCell();
    const [first] = this.#cells;
    const row = { cells: this.#cells, line: first?.line ?? this.line };
    this.#cells = [];
    return row;
  }

  #loneReturn(): DataError {
    return this.#mistake(
      "a carriage return without a line feed after it",
      this.line,
      this.#column - 1,
    );
  }

  #mistake(
    problem: string,
    line: number = this.line,
    column: number = this.#column,
    hint?: string,
  ): DataError {
    return new DataError("bad_csv", `not valid CSV: ${problem}`, {
      where: `${this.path}:${line}:${column}`,
      hint,
    });
  }
}
