import { DataError } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { JsonParser, JsonSyntaxError } from "./json-parser.js";

/**
 * Parses JSON as Python writes it, including bare `NaN`, `Infinity` and `-Infinity`. Errors give file, line
 * and column.
 *
 * @param firstLine the line of the file at which `text` begins
 * @param firstColumn the column in that line
 */
export function parseJson(text: string, file: string, firstLine = 1, firstColumn = 1): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Either one of Python's extra literals, or an error whose exact position JSON.parse does not report.
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

/**
 * Parses the JSON value at the start of truncated text, as far as it is complete; undefined if it is not
 * JSON.
 */
export function parseJsonPrefix(text: string): unknown {
  try {
    return new JsonParser(text, { partial: true }).parse();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** True if the value is an object with all these keys. Used mostly to detect formats. */
export function hasKeys(
  value: unknown,
  ...keys: readonly string[]
): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && keys.every((key) => Object.hasOwn(value, key));
}

function snippet(text: string, { offset, atEnd }: JsonSyntaxError): string {
  const near = atEnd ? text.slice(-40) : text.slice(Math.max(0, offset - 20), offset + 20);
  // Keeps the error message on one line.
  const flat = near.replace(/\s+/g, " ").trim();
  return flat === "" ? "" : `, ${atEnd ? "after" : "near"} ${flat}`;
}
