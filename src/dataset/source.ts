import { constants as bufferConstants } from "node:buffer";
import { type FileHandle, open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { DataError, errorCode, errorMessage } from "../core/errors.js";
import { suggestion } from "../core/registry.js";
import type { ContentSample } from "./format.js";
import { parseJsonPrefix } from "./json.js";

/** Enough for the first records of every known format, little enough to read for each question. */
const SAMPLE_LENGTH = 64 * 1024;
/** Of it, what is parsed: a few entries tell as much as many, and every loading waits for it. */
const HEAD_LENGTH = 16 * 1024;
const NO_BYTES = new Uint8Array();

/** A file's text, unpacked when its first bytes say gzip: names lie, and downloads get renamed. */
export async function readText(path: string): Promise<string> {
  const packed = await opening(path, () => readFile(path));
  if (packed.length === 0) throw emptyFile(path);
  const bytes = isGzip(packed) ? await gunzip(packed, path) : packed;
  if (bytes.length === 0) throw emptyFile(path);
  if (bytes.length > bufferConstants.MAX_STRING_LENGTH) {
    throw new DataError("file_too_large", `${bytes.length} bytes do not fit into one text`, {
      where: path,
      hint: "split the file",
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DataError("bad_encoding", "the file is not UTF-8 text", {
      where: path,
      hint: "it is damaged, or of another kind than the dataset format that reads it",
      cause,
    });
  }
}

/** The beginning of a file, for finding out what it is. Damage further on is for `readText` to find. */
export async function readSample(path: string): Promise<ContentSample> {
  if ((await opening(path, () => stat(path))).isDirectory()) {
    const names = (await opening(path, () => readdir(path))).sort();
    return { path, text: "", bytes: NO_BYTES, names, head: undefined, isDirectory: true };
  }
  const handle = await opening(path, () => open(path, "r"));
  let packed: Buffer;
  try {
    packed = await readStart(handle);
  } finally {
    await handle.close();
  }
  if (packed.length === 0) throw emptyFile(path);
  const start = isGzip(packed) ? gunzipStart(packed, path) : packed;
  const bytes = start.subarray(0, SAMPLE_LENGTH);
  // `stream` keeps a character that the cut has halved from turning into a replacement character.
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

async function namesWithin(start: Buffer, path: string): Promise<readonly string[]> {
  if (start.toString("latin1", 0, 4) !== "\x89HDF") return [];
  const { hdf5Names } = await import("./hdf5.js");
  return hdf5Names(path);
}

/** Whether something is there; a file that exists but cannot be read is for the reader to report. */
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

/** The magic bytes 1f 8b; a file of the first alone can only be a gzip that was cut off. */
export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && (bytes.length === 1 || bytes[1] === 0x8b);
}

function gunzip(packed: Buffer, path: string): Promise<Buffer> {
  return new Promise((done, fail) => {
    const stream = createGunzip();
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", (cause) => {
      fail(
        isUnfinished(cause)
          ? truncatedGzip(packed.length, path, cause)
          : damagedGzip(cause.message, stream.bytesWritten, packed.length, path, cause),
      );
    });
    stream.on("end", () => {
      // zlib stops at a zero byte behind the data and takes it for padding. Anything else there is
      // a further member that was hit, so part of the data would be missing in silence.
      const rest = packed.subarray(stream.bytesWritten);
      if (rest.some((byte) => byte !== 0)) {
        const used = stream.bytesWritten;
        fail(damagedGzip("bytes that are not gzip follow", used, packed.length, path));
      } else done(Buffer.concat(chunks));
    });
    stream.end(packed);
  });
}

/** As much as the beginning of a gzip gives; that it breaks off is no fault here. */
function gunzipStart(packed: Buffer, path: string): Buffer {
  try {
    return gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (cause) {
    if (isUnfinished(cause)) return Buffer.alloc(0);
    throw damagedGzip(errorMessage(cause), 0, packed.length, path, cause);
  }
}

export function isUnfinished(error: unknown): boolean {
  return errorCode(error) === "Z_BUF_ERROR";
}

export function truncatedGzip(size: number, path: string, cause: unknown): DataError {
  return new DataError(
    "truncated_gzip",
    `the gzip data breaks off: the file ends at byte ${size}, before its end mark`,
    { where: path, hint: "copy or download the file again", cause },
  );
}

/** zlib unpacks in blocks of 16 kB and tells how far it was before the block that failed. */
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
  return new DataError("is_directory", "this is a folder, and a file is expected", {
    where: path,
    hint: "name the file inside it",
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
        throw new DataError("missing_file", "there is no such file", {
          where: path,
          hint: await whereItMightBe(path),
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

async function whereItMightBe(path: string): Promise<string> {
  const folder = dirname(resolve(path));
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return `the folder ${folder} does not exist either`;
  if (names.length > 12) return `the folder ${folder} exists and has ${names.length} other files`;
  return `in ${folder}: ${suggestion(basename(path), names.sort())}`;
}
