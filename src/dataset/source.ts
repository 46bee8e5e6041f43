import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { constants, gunzipSync } from "node:zlib";
import { DataError, errorCode, errorMessage } from "../core/errors.js";
import { rejectLfsPointer } from "../core/lfs-pointer.js";
import { nearestName } from "../core/registry.js";
import type { ContentSample } from "./format.js";
import { parseJsonPrefix } from "./readers/json.js";

/** Contains the first records of every known format and is quick to read. */
const SAMPLE_LENGTH = 64 * 1024;
/** The part of the sample that is parsed. A few entries suffice, and every load waits for it. */
const HEAD_LENGTH = 16 * 1024;
const NO_BYTES = new Uint8Array();

/** Reads the start of a file for format detection. The format's reader finds damage further on. */
export async function readSample(path: string): Promise<ContentSample> {
  const found = await opening(path, () => stat(path));
  if (found.isDirectory()) {
    const names = (await opening(path, () => readdir(path))).sort();
    return { path, text: "", bytes: NO_BYTES, names, head: undefined, isDirectory: true };
  }
  const { size } = found;
  const handle = await opening(path, () => open(path, "r"));
  let packed: Buffer;
  try {
    packed = await readStart(handle);
  } finally {
    await handle.close();
  }
  if (packed.length === 0) throw emptyFile(path);
  rejectLfsPointer(packed, path);
  const start = isGzip(packed) ? gunzipStart(packed, path, size) : packed;
  const bytes = start.subarray(0, SAMPLE_LENGTH);
  // `stream` drops a character that the sample cuts in half instead of replacing it with U+FFFD.
  const text = new TextDecoder().decode(bytes, { stream: true });
  const names = await namesWithin(packed, path);
  return {
    path,
    text,
    bytes,
    names,
    head: parseJsonPrefix(text.slice(0, HEAD_LENGTH)),
    isDirectory: false,
  };
}

/** Throws if the file is a Git LFS pointer, for readers that do not see its first bytes. */
export async function rejectLfsFile(path: string): Promise<void> {
  const handle = await opening(path, () => open(path, "r"));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    rejectLfsPointer(buffer.subarray(0, bytesRead), path);
  } finally {
    await handle.close();
  }
}

async function namesWithin(start: Buffer, path: string): Promise<readonly string[]> {
  if (start.toString("latin1", 0, 4) !== "\x89HDF") return [];
  const { readInChild } = await import("./reader/read-in-child.js");
  const names: string[] = [];
  // Read to the end, so that the process is ready for the next request.
  for await (const found of readInChild("hdf5_names", { path })) names.push(...found);
  return names;
}

/** True if the path exists. If it exists but cannot be read, the reader reports that. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readStart(handle: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(SAMPLE_LENGTH);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** Checks for the magic bytes 1f 8b. A file with only the first byte is a truncated gzip. */
export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && (bytes.length === 1 || bytes[1] === 0x8b);
}

/** Decompresses the start of a gzip file, which may be truncated. */
function gunzipStart(packed: Buffer, path: string, size: number): Buffer {
  try {
    return gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (cause) {
    if (isUnfinished(cause)) return Buffer.alloc(0);
    throw damagedGzip(errorMessage(cause), 0, size, path, cause);
  }
}

export function isUnfinished(error: unknown): boolean {
  return errorCode(error) === "Z_BUF_ERROR";
}

export function truncatedGzip(size: number, path: string, cause: unknown): DataError {
  return new DataError(
    "truncated_gzip",
    `the gzip data is cut off: the file ends at byte ${size}, before its end marker`,
    { where: path, hint: "copy or download the file again", cause },
  );
}

/** zlib decompresses in blocks of 16 kB and only reports the position before the block that failed. */
export function damagedGzip(
  problem: string,
  after: number,
  size: number,
  path: string,
  cause?: unknown,
): DataError {
  return new DataError(
    "damaged_gzip",
    `the gzip data is damaged (${problem}) at or after byte ${after} of ${size}`,
    { where: path, hint: "copy or download the file again", cause },
  );
}

export function isFolder(path: string, cause?: unknown): DataError {
  return new DataError("is_directory", "expected a file, got a folder", {
    where: path,
    hint: "pass a file inside it",
    cause,
  });
}

export function emptyFile(path: string): DataError {
  return new DataError("empty_file", "the file is empty", {
    where: path,
    hint: "copy or download the file again",
  });
}

export async function opening<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    switch (errorCode(cause)) {
      case "ENOENT":
      case "ENOTDIR":
        throw new DataError("missing_file", "the file does not exist", {
          where: path,
          hint: await suggestFiles(path),
          cause,
        });
      case "EISDIR":
        throw isFolder(path, cause);
      default:
        throw new DataError("unreadable_file", `cannot be read: ${errorMessage(cause)}`, {
          where: path,
          cause,
        });
    }
  }
}

async function suggestFiles(path: string): Promise<string> {
  const folder = dirname(resolve(path));
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return `the folder ${folder} does not exist either`;
  if (names.length === 0) return `the folder ${folder} is empty`;
  if (names.length > 12) return `the folder ${folder} exists and has ${names.length} other files`;
  const near = nearestName(basename(path), names.sort());
  const other = `the folder ${folder} has: ${names.join(", ")}`;
  return near === undefined ? other : `did you mean "${near}"? ${other}`;
}
