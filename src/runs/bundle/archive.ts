import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { DataError, errorMessage, RobotEvalError } from "../../core/errors.js";
import type { BundleFile } from "./manifest.js";

/** Something that goes into an archive: bytes, or a file that is read when its turn comes. */
export type Entry = { readonly path: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly from: string; readonly size: number }
);

/** Owner, mode and time say nothing about a result: the same content gives the same archive. */
const HEADER = { mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

/** Writes a .tar.gz; files are streamed, so their size does not matter. */
export async function writeArchive(out: string, entries: readonly Entry[]): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, createGzip(), createWriteStream(out, { flags: "wx" }));
  const filled = (async () => {
    for (const entry of entries) {
      if ("bytes" in entry)
        archive.entry({ ...HEADER, name: entry.path }, Buffer.from(entry.bytes));
      else {
        const { path: name, size } = entry;
        await pipeline(createReadStream(entry.from), archive.entry({ ...HEADER, name, size }));
      }
    }
    archive.finalize();
  })();
  await Promise.all([
    written,
    filled.catch((error: unknown) => {
      archive.destroy();
      throw error;
    }),
  ]);
}

/**
 * Unpacks into a folder and gives what was found. Only plain files below the folder are made, whatever
 * the archive says: names that lead out of it, links and devices are refused.
 */
export async function readArchive(file: string, folder: string): Promise<Map<string, BundleFile>> {
  const found = new Map<string, BundleFile>();
  const reader = extract();
  const source = pipeline(createReadStream(file), createGunzip(), reader);
  try {
    for await (const entry of reader) {
      const { name, type } = entry.header;
      const isSafe = !posix.isAbsolute(name) && !posix.normalize(name).startsWith("..");
      if (type !== "file" || !isSafe || found.has(name) || name.includes("\\")) {
        throw new DataError("damaged_bundle", `${type} "${name}" has no place in a bundle`, {
          where: file,
        });
      }
      found.set(name, await save(entry, folder, name));
    }
    await source;
    return found;
  } catch (error) {
    reader.destroy();
    await source.catch(() => {});
    if (error instanceof RobotEvalError) throw error;
    throw new DataError("damaged_bundle", `cannot be unpacked: ${errorMessage(error)}`, {
      where: file,
      hint: "a bundle is what `robot-eval bundle` makes; was it copied to its end?",
      cause: error,
    });
  }
}

async function save(
  entry: AsyncIterable<unknown>,
  folder: string,
  name: string,
): Promise<BundleFile> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash("sha256");
  let bytes = 0;
  async function* watched() {
    for await (const chunk of entry) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError("a file's bytes were expected");
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await pipeline(watched, createWriteStream(path, { flags: "wx" }));
  return { path: name, bytes, sha256: hash.digest("hex") };
}
