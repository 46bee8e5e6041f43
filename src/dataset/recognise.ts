import { DataError, show } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import type { Registry } from "../core/registry.js";
import type { ContentSample } from "./format.js";
import { checkGzip } from "./readers/bytes.js";
import { parseJson } from "./readers/json.js";
import { streamJson, streamJsonLines } from "./readers/json-stream.js";

/** Returns the only format whose `detect` accepts the content; undefined if none does. Throws if several do. */
export function recognise<T extends { detect(sample: ContentSample): boolean }>(
  sample: ContentSample,
  formats: Registry<T>,
  { path, hint }: { readonly path: string; readonly hint: string },
): T | undefined {
  const found = [...formats.entries()].filter(([, format]) => format.detect(sample));
  if (found.length <= 1) return found[0]?.[1];
  const names = found.map(([name]) => name).join(", ");
  throw new DataError("unknown_format", `the content matches several formats: ${names}`, {
    where: path,
    hint,
  });
}

/** Describes the start of content that no format accepts, for the error message. */
export function describeStart({ text, head }: ContentSample): string {
  if (Array.isArray(head)) return isRecord(head[0]) ? `; its items have ${keysOf(head[0])}` : "";
  if (isRecord(head)) return `; its keys are ${keysOf(head)}`;
  return text === "" ? "" : `; it begins with ${show(text.slice(0, 40))}`;
}

function keysOf(record: Readonly<Record<string, unknown>>): string {
  return show(Object.keys(record), 100);
}

/**
 * Reads a file that no format accepts to its end: if it is damaged, the reader's error is more helpful than
 * "unknown format". Returns the number of JSON parts; undefined for anything else.
 */
export async function readToEnd({
  path,
  text,
  isDirectory,
  names,
}: ContentSample): Promise<number | undefined> {
  if (isDirectory || names.length > 0) return undefined;
  await checkGzip(path);
  if (!/^\s*[[{]/.test(text)) return undefined;
  // A JSON Lines file is not valid JSON, but its first line is.
  const [firstLine = ""] = text.split("\n", 1);
  const isLines = isJson(firstLine) && text.length > firstLine.length + 1;
  let parts = 0;
  for await (const _ of isLines ? streamJsonLines(path) : streamJson(path, { lists: ["episodes"] }))
    parts++;
  return parts;
}

function isJson(text: string): boolean {
  try {
    parseJson(text, "");
    return true;
  } catch {
    return false;
  }
}
