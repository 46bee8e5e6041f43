import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { DataError, errorCode, errorMessage, RobotEvalError } from "../core/errors.js";

/** A document of the file, and the line it stands in, from 1. */
export interface JsonLine {
  readonly value: unknown;
  readonly line: number;
}

interface Options {
  /** A last line without a newline is what a crash leaves behind, not damage. */
  readonly toleratesUnfinishedEnd?: boolean;
}

/**
 * The documents of a .jsonl file of ours, one at a time, in memory that does not grow
 * with the file. Damage is a DataError that names file and line.
 */
export async function* readJsonLines(
  path: string,
  options: Options = {},
): AsyncGenerator<JsonLine> {
  let rest = "";
  let line = 0;
  const parse = (text: string): JsonLine => {
    try {
      return { value: JSON.parse(text), line };
    } catch (cause) {
      throw new DataError("damaged_line", `not valid JSON: ${errorMessage(cause)}`, {
        where: `${path}:${line}`,
        cause,
      });
    }
  };
  try {
    for await (const chunk of createReadStream(path, "utf8")) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        line++;
        if (text !== "") yield parse(text);
      }
    }
  } catch (error) {
    throw asDataError(error, path);
  }
  line++;
  if (rest !== "" && !options.toleratesUnfinishedEnd) yield parse(rest);
}

function asDataError(error: unknown, path: string): unknown {
  const code = errorCode(error);
  // Neither a DataError of ours nor a fault of this program: the system refuses, and says why.
  if (error instanceof RobotEvalError || typeof code !== "string") return error;
  const what =
    code === "ENOENT" ? "the file does not exist" : `cannot be read: ${errorMessage(error)}`;
  return new DataError("missing_file", what, { where: path, cause: error });
}

/** A line without its newline was being written when the process died. */
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
