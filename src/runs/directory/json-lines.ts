import type { FileHandle } from "node:fs/promises";
import { DataError, errorCode, errorMessage, RobotEvalError } from "../../core/errors.js";
import { LineSplitter } from "../../dataset/readers/line-splitter.js";
import { openPlain } from "./plain-files.js";

/** A document of the file and its line number, from 1. */
export interface JsonLine {
  readonly value: unknown;
  readonly line: number;
}

interface Options {
  /** Skips a last line without a newline, which a crash leaves behind. */
  readonly toleratesUnfinishedEnd?: boolean;
}

/**
 * Reads the documents of a .jsonl file one at a time, with constant memory.
 * @throws DataError with file and line if it is damaged
 */
export async function* readJsonLines(
  path: string,
  options: Options = {},
): AsyncGenerator<JsonLine> {
  const splitter = new LineSplitter(path);
  let line = 0;
  const parse = (text: string): JsonLine => {
    return { value: parseDocument(text, "damaged_line", `${path}:${line}`), line };
  };
  try {
    const file = await openPlain(path);
    for await (const chunk of file.createReadStream({ encoding: "utf8" })) {
      for (const text of splitter.push(String(chunk))) {
        line++;
        // A file edited on Windows may have blank lines with a carriage return.
        if (text.trim() !== "") yield parse(text);
      }
    }
  } catch (error) {
    throw asDataError(error, path);
  }
  line++;
  const rest = splitter.rest();
  if (rest !== "" && !options.toleratesUnfinishedEnd) yield parse(rest);
}

/** @param code of the error for text that is not JSON */
export function parseDocument(text: string, code: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DataError(code, `not valid JSON: ${errorMessage(cause)}`, { where, cause });
  }
}

/** Turns a system error into a DataError that names the file; returns other errors unchanged. */
export function asDataError(error: unknown, path: string): unknown {
  const code = errorCode(error);
  // System errors have a string `code`; anything else is not about the file.
  if (error instanceof RobotEvalError || typeof code !== "string") return error;
  const what =
    code === "ENOENT" ? "the file does not exist" : `cannot be read: ${errorMessage(error)}`;
  return new DataError("missing_file", what, { where: path, cause: error });
}

/** Removes an unfinished last line, which a crash leaves behind. */
export async function dropUnfinishedLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const chunk = Buffer.alloc(64 * 1024);
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - chunk.length);
    await file.read(chunk, 0, end - start, start);
    const newline = chunk.subarray(0, end - start).lastIndexOf(0x0a);
    if (newline !== -1) {
      const keep = start + newline + 1;
      if (keep < size) await file.truncate(keep);
      return;
    }
    end = start;
  }
  if (size > 0) await file.truncate(0);
}
