import { describe, otherLayout } from "../check.js";
import { orDamage, readBytes, readTextChunks } from "./bytes.js";
import { parseJson } from "./json.js";
import { type JsonPart, JsonScanner } from "./json-scanner.js";
import { LineSplitter } from "./line-splitter.js";

export type { JsonPart } from "./json-scanner.js";

/** Selects the parts of a document that are emitted one by one. All other members are emitted whole. */
export interface JsonLayout {
  /** Keys of the document whose lists are emitted item by item. */
  readonly lists?: readonly string[];
  /** Keys of the document whose objects are emitted entry by entry. */
  readonly maps?: readonly string[];
}

/**
 * Streams the parts of a JSON file, gzipped or not, in file order. Memory use depends on the largest part,
 * not on the file. A document that is a list is emitted item by item.
 *
 * The whole file is checked: iteration throws if it is damaged or truncated, even after a million valid
 * items.
 */
export async function* streamJson(path: string, layout: JsonLayout = {}): AsyncGenerator<JsonPart> {
  const scanner = new JsonScanner(path, new Set(layout.lists), new Set(layout.maps));
  try {
    for await (const chunk of readBytes(path)) yield* scanner.push(chunk);
    scanner.end();
  } catch (error) {
    throw await orDamage(path, error);
  }
}

/**
 * Streams the items, with their indices and their text, of a file that is a list or whose member `key` is
 * one. Other members are skipped.
 */
export async function* streamList(
  path: string,
  what: string,
  key?: string,
): AsyncGenerator<readonly [index: number, value: unknown, text: string]> {
  const wanted = key === undefined ? `a list of ${what}` : `a list of ${what} under "${key}"`;
  const scanner = new JsonScanner(path, new Set(key === undefined ? [] : [key]), new Set());
  try {
    for await (const chunk of readBytes(path)) {
      for (const part of scanner.push(chunk)) {
        if (part.kind === "item") yield [part.index, part.value, part.text];
        else if (part.key === key) throw otherLayout(path, wanted, describe(part.value));
        else if (key === undefined)
          throw otherLayout(path, wanted, `an object with the key "${part.key}"`);
      }
    }
    scanner.end();
  } catch (error) {
    throw await orDamage(path, error);
  }
  const found = scanner.opened.has(null) || (key !== undefined && scanner.opened.has(key));
  if (!found) throw otherLayout(path, wanted, "an object without it");
}

export async function* streamMembers(
  path: string,
  what: string,
): AsyncGenerator<readonly [key: string, value: unknown]> {
  const scanner = new JsonScanner(path, new Set(), new Set());
  try {
    for await (const chunk of readBytes(path)) {
      for (const part of scanner.push(chunk))
        if (part.kind === "member") yield [part.key, part.value];
      if (scanner.opened.has(null)) throw otherLayout(path, what, "a list");
    }
    scanner.end();
  } catch (error) {
    throw await orDamage(path, error);
  }
}

/** A value of a JSON Lines file. */
interface JsonLine {
  readonly value: unknown;
  /** Its number, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Streams the values of a JSON Lines file with their line numbers; blank lines are skipped. */
export async function* streamJsonLines(path: string): AsyncGenerator<JsonLine> {
  const splitter = new LineSplitter(path);
  let line = 0;
  try {
    for await (const chunk of readTextChunks(path, () => `${path}:${line + 1}`)) {
      for (const text of splitter.push(chunk)) {
        line++;
        if (text.trim() !== "") yield { value: parseJson(text, path, line), line, text };
      }
    }
    const text = splitter.rest();
    line++;
    if (text.trim() !== "") yield { value: parseJson(text, path, line), line, text };
  } catch (error) {
    throw await orDamage(path, error);
  }
}
