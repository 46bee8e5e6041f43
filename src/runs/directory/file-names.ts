import { createHash } from "node:crypto";
import { isPortableName, readablePart } from "../../core/file-name.js";

/** Maximum length, percent-encoded, so that URLs and files of the static export can hold name and extension. */
const LONGEST = 180;

/** Hex digits of the hash that ambiguous names get. */
const HASH_DIGITS = 10;

/** A run id contains two slugs of up to three bytes per character and must stay below 255 bytes. */
const LONGEST_SLUG = 36;

/**
 * A portable file name for an episode key: `vln/apartment/101/6` gives `vln_apartment-101_6`. Different keys give
 * different names, also on case-insensitive file systems: a name that is not a unique encoding of its key ends
 * in `+` and a hash of the key.
 */
export function safeFileName(key: string): string {
  const exact = exactName(key);
  if (exact !== undefined && exact.length <= LONGEST && isPortableName(exact)) return exact;
  const hash = createHash("sha256").update(key, "utf16le").digest("hex").slice(0, HASH_DIGITS);
  const [task, scene, id] = partsOf(key) ?? [key, "", ""];
  const readable = [task, scene, id].map(readablePart).filter(Boolean).join("_") || "episode";
  return `${cut(readable, LONGEST - HASH_DIGITS - "%2B".length)}+${hash}`;
}

/**
 * `<task>_<scene>_<id>`, with `-` for the slashes of the scene; undefined if another key would give the same name.
 * A `-` in a scene and a `_` in a scene or an id are doubled, so a single one is always a separator.
 */
function exactName(key: string): string | undefined {
  const [task = "", scene = "", id = ""] = partsOf(key) ?? [];
  const segments = scene.split("/");
  const isExact =
    /^[a-z0-9][a-z0-9_.-]*$/.test(task) &&
    !task.endsWith("_") &&
    [...segments, id].every((part) => /^[a-z0-9.]([a-z0-9_.-]*[a-z0-9.])?$/.test(part));
  if (!isExact) return undefined;
  const place = segments.map((segment) => segment.replaceAll("-", "--")).join("-");
  return [task, ...[place, id].map((part) => part.replaceAll("_", "__"))].join("_");
}

/** The task, the scene with its slashes, and the id. */
function partsOf(key: string): readonly [string, string, string] | undefined {
  const [, task, scene, id] = /^([^/]*)\/(.*)\/([^/]*)$/s.exec(key) ?? [];
  return task === undefined || scene === undefined || id === undefined
    ? undefined
    : [task, scene, id];
}

/** The longest prefix that fits `longest` characters when percent-encoded. */
function cut(text: string, longest: number): string {
  let [length, start] = [0, ""];
  for (const char of text) {
    length += encodeURIComponent(char).length;
    if (length > longest) break;
    start += char;
  }
  return start;
}

/** A time as it begins the names of run directories: `20260101T120000Z`. */
export function timeStamp(time = new Date()): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** A name in lower case with hyphens, for run ids. */
export function slug(text: string): string {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  // Do not split a surrogate pair.
  const start = words
    .join("-")
    .slice(0, LONGEST_SLUG)
    .replace(/\p{Surrogate}$/u, "");
  return start.replace(/-$/, "") || "run";
}
