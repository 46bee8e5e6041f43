import { createReadStream } from "node:fs";
import { DataError, errorMessage } from "../core/errors.js";

interface Options {
  /** A last line without a newline is what a crash leaves behind, not damage. */
  readonly toleratesUnfinishedEnd?: boolean;
}

/**
 * The documents of a .jsonl file of ours, one at a time, in memory that does not grow
 * with the file. Damage is a DataError that names file and line.
 */
export async function* readJsonLines(path: string, options: Options = {}): AsyncGenerator<unknown> {
  let rest = "";
  let lineNumber = 0;
  const parse = (text: string): unknown => {
    lineNumber++;
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new DataError("damaged_line", `not valid JSON: ${errorMessage(cause)}`, {
        where: `${path}:${lineNumber}`,
        cause,
      });
    }
  };
  try {
    for await (const chunk of createReadStream(path, "utf8")) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield parse(line);
    }
  } catch (error) {
    throw asDataError(error, path);
  }
  if (rest !== "" && !options.toleratesUnfinishedEnd) yield parse(rest);
}

function asDataError(error: unknown, path: string): unknown {
  if (error instanceof DataError || !(error instanceof Error)) return error;
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") {
    return new DataError("missing_file", "the file does not exist", { where: path, cause: error });
  }
  return error;
}
