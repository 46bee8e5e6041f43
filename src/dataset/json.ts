import { DataError } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import { JsonParser, JsonSyntaxError } from "./json-parser.js";

/**
 * Reads JSON as Python writes it, so with bare `NaN`, `Infinity` and `-Infinity`. Mistakes are told
 * with file, line and column.
 *
 * @param firstLine the line of the file that `text` begins at
 * @param firstColumn the column in that line
 */
export function parseJson(text: string, file: string, firstLine = 1, firstColumn = 1): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Either one of Python's extra words, or a mistake whose place the engine does not tell exactly.
  }
  try {
    return new JsonParser(text).parse();
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const before = text.slice(0, cause.offset);
    const newlines = before.match(/\n/g)?.length ?? 0;
    const line = firstLine + newlines;
    const inLine = cause.offset - before.lastIndexOf("\n");
    const column = newlines === 0 ? firstColumn - 1 + inLine : inLine;
    throw new DataError("bad_json", `not valid JSON: ${cause.message}${snippet(text, cause)}`, {
      where: `${file}:${line}:${column}`,
      hint: cause.atEnd ? "the file is cut off: copy or download it again" : undefined,
      cause,
    });
  }
}

/** The value that a cut-off text begins with, as far as it goes; undefined when it is not JSON. */
export function parseJsonPrefix(text: string): unknown {
  try {
    return new JsonParser(text, { partial: true }).parse();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** Whether a value is an object with all these keys: what detection by content mostly asks. */
export function hasKeys(
  value: unknown,
  ...keys: readonly string[]
): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && keys.every((key) => Object.hasOwn(value, key));
}

function snippet(text: string, { offset, atEnd }: JsonSyntaxError): string {
  const near = atEnd ? text.slice(-40) : text.slice(Math.max(0, offset - 20), offset + 20);
  // Line breaks and tabs of the file must not break the message's one line.
  const flat = near.replace(/\s+/g, " ").trim();
  return flat === "" ? "" : `, ${atEnd ? "after" : "near"} ${flat}`;
}
