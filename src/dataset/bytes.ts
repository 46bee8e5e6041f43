import { createReadStream, type ReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { DataError } from "../core/errors.js";
import {
  damagedGzip,
  emptyFile,
  isFolder,
  isGzip,
  isUnfinished,
  opening,
  truncatedGzip,
} from "./source.js";

/** Large enough that a file is a few thousand pieces and not a few hundred thousand. */
const CHUNK = 256 * 1024;

/**
 * A file's bytes piece by piece, unpacked when they are gzip. Damage is told as `readText` tells it,
 * when the reader gets there: whoever keeps what came before must be ready to drop it.
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
      if (first && isGzip(chunk)) {
        unpacked = gunzipPieces(path, size);
        break;
      }
      first = false;
      yield chunk;
    }
  } finally {
    file.destroy();
  }
  if (unpacked) yield* unpacked;
}

async function* pieces(file: ReadStream): AsyncGenerator<Buffer> {
  for await (const chunk of file) yield chunk as Buffer;
}

async function* gunzipPieces(path: string, size: number): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK });
  const gunzip = createGunzip({ chunkSize: CHUNK });
  file.on("error", (error) => gunzip.destroy(error));
  file.pipe(gunzip);
  let empty = true;
  try {
    for await (const chunk of gunzip) {
      empty = false;
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

/** See `gunzip` in source.ts: zlib takes a damaged further member for padding. */
async function rejectTail(path: string, used: number, size: number): Promise<void> {
  if (used >= size) return;
  const file = await open(path, "r");
  try {
    const rest = Buffer.alloc(size - used);
    await file.read(rest, 0, rest.length, used);
    if (rest.some((byte) => byte !== 0)) {
      throw damagedGzip("bytes that are not gzip follow", used, size, path);
    }
  } finally {
    await file.close();
  }
}
