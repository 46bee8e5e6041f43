import { createReadStream, type ReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { DataError } from "../../core/errors.js";
import { rejectLfsPointer } from "../../core/lfs-pointer.js";
import { noteProgress } from "../reader/progress.js";
import {
  damagedGzip,
  emptyFile,
  isFolder,
  isGzip,
  isUnfinished,
  opening,
  truncatedGzip,
} from "../source.js";
import { MAX_JSON_TEXT } from "./json-limits.js";

/** Splits a large file into thousands of chunks rather than hundreds of thousands. */
const CHUNK = 256 * 1024;

/**
 * Streams a file's bytes in chunks. Detects gzip by its first bytes, because downloads are often renamed, and
 * decompresses it. Damage throws when the reader reaches it: callers must discard what they read before.
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const found = await opening(path, () => stat(path));
  if (found.isDirectory()) throw isFolder(path);
  const { size } = found;
  if (size === 0) throw emptyFile(path);
  const file = createReadStream(path, { highWaterMark: CHUNK });
  let first = true;
  let unpacked: AsyncGenerator<Buffer> | undefined;
  try {
    for await (const chunk of await opening(path, async () => pieces(file))) {
      if (first) rejectLfsPointer(chunk, path);
      if (first && isGzip(chunk)) {
        unpacked = gunzipChunks(path, size);
        break;
      }
      first = false;
      noteProgress();
      yield chunk;
    }
  } finally {
    file.destroy();
  }
  if (unpacked) yield* unpacked;
}

/** Reads a small file's text. The limit also holds for gzip, which can expand a thousandfold. */
export async function readText(path: string): Promise<string> {
  let text = "";
  for await (const chunk of readTextChunks(path)) {
    text += chunk;
    if (text.length <= MAX_JSON_TEXT) continue;
    throw new DataError("file_too_large", `the file has more than ${MAX_JSON_TEXT} characters`, {
      where: path,
      hint: "check that it is the right file; files of this kind are far smaller",
    });
  }
  return text;
}

/** Streams a file's text. `where` gives the location of bytes that are not UTF-8. */
export async function* readTextChunks(path: string, where = () => path): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw badEncoding(where(), cause);
    }
  };
  for await (const chunk of readBytes(path)) yield decode(chunk);
  yield decode();
}

/**
 * The error to report for content that cannot be used. Of a damaged gzip it is the damage: zlib verifies the
 * checksum only at the end, so wrong bytes are read before. Other errors are returned unchanged.
 */
export async function orDamage(path: string, error: unknown): Promise<unknown> {
  if (!(error instanceof DataError) || NOT_CONTENT.has(error.code)) return error;
  try {
    await checkGzip(path);
    return error;
  } catch (damage) {
    return damage instanceof DataError ? damage : error;
  }
}

/** Reads a gzip file to its end, which verifies it; does nothing for other files. */
export async function checkGzip(path: string): Promise<void> {
  for await (const start of pieces(createReadStream(path, { end: 1 }))) {
    if (!isGzip(start)) return;
  }
  for await (const _ of readBytes(path));
}

/** Errors that are already about the file, or about a size that a second pass would only repeat. */
const NOT_CONTENT = new Set([
  ...["truncated_gzip", "damaged_gzip", "empty_file", "missing_file", "unreadable_file"],
  ...["is_directory", "json_too_large", "file_too_large"],
]);

export function badEncoding(where: string, cause: unknown): DataError {
  return new DataError("bad_encoding", "the file is not UTF-8 text", {
    where,
    hint: "check that the file is intact and of the expected format",
    cause,
  });
}

async function* pieces(file: ReadStream): AsyncGenerator<Buffer> {
  for await (const chunk of file) yield chunk as Buffer;
}

async function* gunzipChunks(path: string, size: number): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK });
  const gunzip = createGunzip({ chunkSize: CHUNK });
  file.on("error", (error) => gunzip.destroy(error));
  file.pipe(gunzip);
  let empty = true;
  try {
    for await (const chunk of gunzip) {
      empty = false;
      noteProgress();
      yield chunk as Buffer;
    }
  } catch (cause) {
    if (cause instanceof DataError || !(cause instanceof Error)) throw cause;
    throw isUnfinished(cause)
      ? truncatedGzip(size, path, cause)
      : damagedGzip(cause.message, gunzip.bytesWritten, size, path, cause);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
  if (empty) throw emptyFile(path);
  await rejectTail(path, gunzip.bytesWritten, size);
}

/**
 * zlib stops at a zero byte after the data and treats it as padding. Any other byte there is a damaged further
 * member, so data would be lost silently.
 */
async function rejectTail(path: string, used: number, size: number): Promise<void> {
  if (used >= size) return;
  const file = await open(path, "r");
  try {
    const piece = Buffer.alloc(Math.min(CHUNK, size - used));
    for (let at = used; at < size; ) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      if (piece.subarray(0, bytesRead).some((byte) => byte !== 0)) {
        throw damagedGzip("bytes that are not gzip follow", used, size, path);
      }
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
