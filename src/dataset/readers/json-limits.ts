import { DataError } from "../../core/errors.js";

/**
 * Maximum bytes of JSON parsed at once without counting its containers. V8 aborts the process when its heap
 * is full, and each byte of `{},{},` takes 21 bytes of heap.
 */
export const MAX_JSON_TEXT = 64 * 2 ** 20;
/** Maximum bytes of one entry of a larger file, and maximum lists and objects in it. */
export const MAX_JSON_ENTRY = 256 * 2 ** 20;
export const MAX_JSON_CONTAINERS = 8 * 2 ** 20;

const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b];

/** Rejects text that would not fit into memory when parsed. Counts brackets inside strings too. */
export function checkJsonSize(bytes: Uint8Array, where: string): void {
  if (bytes.length <= MAX_JSON_TEXT) return;
  if (bytes.length > MAX_JSON_ENTRY) throw entryTooLarge(where, bytes.length);
  let containers = 0;
  // An iterator is ten times slower here.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) containers++;
  }
  if (containers > MAX_JSON_CONTAINERS) throw tooManyContainers(where);
}

export function entryTooLarge(where: string, bytes: number, most = MAX_JSON_ENTRY): DataError {
  return new DataError(
    "json_too_large",
    `a JSON value has at least ${bytes} bytes; the limit is ${most}`,
    { where, hint: "if the file is intact, split the entry or write fewer digits" },
  );
}

export function tooManyContainers(where: string): DataError {
  return new DataError(
    "json_too_large",
    `a JSON value has more than ${MAX_JSON_CONTAINERS} lists and objects`,
    { where, hint: "if the file is intact, split the entry" },
  );
}
