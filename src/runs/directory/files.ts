import { randomUUID } from "node:crypto";
import { closeSync, fsync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { checkReplaceable } from "../../config/output-path.js";
import { DataError, errorMessage, RobotEvalError } from "../../core/errors.js";
import { replaceFile, writeSynced } from "../../dataset/write-file.js";

/** Files below this size are written synchronously. */
const SMALL = 2 ** 18;

/** Concurrent fsyncs: a journal commits simultaneous ones together. */
const SYNCED_AT_ONCE = 4;

const fsyncAsync = promisify(fsync);

/** An error for a full disk or a missing folder: it names the file and has no stack trace. */
export function cannotWrite(path: string, cause: unknown): RobotEvalError {
  if (cause instanceof RobotEvalError) return cause;
  return new DataError("cannot_write", `cannot be written: ${errorMessage(cause)}`, {
    where: path,
    hint: "free some space, or choose another folder with --out or output.log_dir",
    cause,
  });
}

/**
 * Writes a file atomically: temporary file, fsync, rename, fsync of the folder. Readers see the old content or
 * the new, also after a power cut.
 *
 * With `sync: "later"` the caller syncs the file before relying on it: an fsync takes milliseconds, and a run
 * writes thousands of files.
 */
export async function writeAtomic(
  path: string,
  data: string | Uint8Array,
  sync: "now" | "later" = "now",
): Promise<void> {
  checkReplaceable(path, "file");
  // On Windows a rename may need retries, which must not block the thread.
  if (sync === "later" && data.length < SMALL && process.platform !== "win32") {
    writeSmall(path, data);
    return;
  }
  const write = (temporary: string) =>
    sync === "now" ? writeSynced(temporary, data) : writeFile(temporary, data, { flag: "wx" });
  await replaceFile(path, write).catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  if (sync === "now") await syncFolder(dirname(path));
}

/** Synchronous calls: for a small file, dispatching to the thread pool takes most of the time. */
function writeSmall(path: string, data: string | Uint8Array): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = openSync(temporary, "wx");
    try {
      writeFileSync(file, data);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw cannotWrite(path, error);
  }
}

/** Syncs the content and the directory entries of files. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  const left = [...paths];
  const work = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await syncFile(path);
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, work));
  for (const folder of new Set(paths.map(dirname))) await syncFolder(folder);
}

/** Opens and closes synchronously; only the fsync uses the thread pool. */
async function syncFile(path: string): Promise<void> {
  // Windows syncs only files that are open for writing.
  const file = openSync(path, "r+");
  try {
    await fsyncAsync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs a folder, so that a rename or a new file in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, "r");
    await folder.sync();
  } catch {
    // Windows and some network file systems cannot sync a folder; the rename still holds.
  } finally {
    await folder?.close();
  }
}

export function writeJson(path: string, document: unknown): Promise<void> {
  return writeAtomic(path, `${JSON.stringify(document, null, 2)}\n`);
}
