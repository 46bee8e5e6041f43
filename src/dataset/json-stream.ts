import { DataError } from "../core/errors.js";
import { readBytes } from "./bytes.js";
import { describe } from "./check.js";
import { parseJson } from "./json.js";
import { type JsonPart, JsonScanner } from "./json-scanner.js";

export type { JsonPart } from "./json-scanner.js";

/** Which parts of a document come one by one; every other member of it comes whole. */
export interface JsonLayout {
  /** Keys of the document whose lists come item by item. */
  readonly lists?: readonly string[];
  /** Keys of the document whose objects come entry by entry. */
  readonly maps?: readonly string[];
}

/**
 * The parts of a JSON file, packed or not, in the order of the file, in memory that depends on the
 * largest part and not on the file. A document that is a list comes item by item.
 *
 * The file is checked to its end: when it turns out damaged or cut off after a million good items, the
 * iteration throws.
 */
export async function* streamJson(path: string, layout: JsonLayout = {}): AsyncGenerator<JsonPart> {
  const scanner = new JsonScanner(path, new Set(layout.lists), new Set(layout.maps));
  for await (const chunk of readBytes(path)) yield* scanner.push(chunk);
  scanner.end();
}

/**
 * The items of a file that is a list, or whose member `key` is one, with their numbers. Other members
 * are passed over.
 */
export async function* streamList(
  path: string,
  what: string,
  key?: string,
): AsyncGenerator<readonly [index: number, value: unknown]> {
  const wanted = key === undefined ? `a list of ${what}` : `a list of ${what} under "${key}"`;
  const scanner = new JsonScanner(path, new Set(key === undefined ? [] : [key]), new Set());
  for await (const chunk of readBytes(path)) {
    for (const part of scanner.push(chunk)) {
      if (part.kind === "item") yield [part.index, part.value];
      else if (part.key === key) throw otherLayout(path, wanted, describe(part.value));
      else if (key === undefined)
        throw otherLayout(path, wanted, `an object with the key "${part.key}"`);
    }
  }
  scanner.end();
  const found = scanner.opened.has(null) || (key !== undefined && scanner.opened.has(key));
  if (!found) throw otherLayout(path, wanted, "an object without it");
}

/** The members of a file that is an object. */
export async function* streamMembers(
  path: string,
  what: string,
): AsyncGenerator<readonly [key: string, value: unknown]> {
  const scanner = new JsonScanner(path, new Set(), new Set());
  for await (const chunk of readBytes(path)) {
    for (const part of scanner.push(chunk))
      if (part.kind === "member") yield [part.key, part.value];
    if (scanner.opened.has(null)) throw otherLayout(path, what, "a list");
  }
  scanner.end();
}

function otherLayout(path: string, wanted: string, found: string): DataError {
  return new DataError("bad_dataset", `expected ${wanted}, got ${found}`, {
    where: path,
    hint: "is it a file of another format?",
  });
}

/** The values of a file with one a line, with their line numbers; blank lines are passed over. */
export async function* streamJsonLines(
  path: string,
): AsyncGenerator<{ readonly value: unknown; readonly line: number }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let line = 0;
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new DataError("bad_encoding", "the file is not UTF-8 text", {
        where: `${path}:${line + 1}`,
        cause,
      });
    }
  };
  for await (const chunk of readBytes(path)) {
    const lines = (rest + decode(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      line++;
      if (text.trim() !== "") yield { value: parseJson(text, path, line), line };
    }
  }
  rest += decode();
  if (rest.trim() !== "") yield { value: parseJson(rest, path, line + 1), line: line + 1 };
}
