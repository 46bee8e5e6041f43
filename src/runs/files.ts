import { randomUUID } from "node:crypto";
import { closeSync, fsync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { DataError, errorMessage } from "../core/errors.js";

/** Bytes that are written without waiting for a thread. */
const SMALL = 2 ** 18;

/** Files that are brought to the disk side by side: a journal commits those that come together in one go. */
const SYNCED_AT_ONCE = 4;

const fsyncAsync = promisify(fsync);

/** Full disks and vanished folders are the user's to mend: they get the file, not a stack. */
export function cannotWrite(path: string, cause: unknown): DataError {
  return new DataError("cannot_write", `cannot be written: ${errorMessage(cause)}`, {
    where: path,
    hint: "free some space, or choose another folder with --out or output.log_dir",
    cause,
  });
}

/**
 * Writes a file whole or not at all: temporary file beside it, fsync, rename, fsync of the folder. A
 * reader, or a machine that loses power, sees the old content or the new, never half of it.
 *
 * With `sync: "later"` the caller syncs the file himself before he relies on it: an fsync costs
 * milliseconds, and a run writes thousands of files.
 */
export async function writeAtomic(
  path: string,
  data: string | Uint8Array,
  sync: "now" | "later" = "now",
): Promise<void> {
  if (sync === "later" && data.length < SMALL) {
    writeSmall(path, data);
    return;
  }
  const temporary = `${path}.${randomUUID()}.tmp`;
  let file: FileHandle | undefined;
  try {
    file = await open(temporary, "wx");
    await file.writeFile(data);
    if (sync === "now") await file.sync();
    await file.close();
    file = undefined;
    await rename(temporary, path);
  } catch (error) {
    await file?.close().catch(() => {});
    await rm(temporary, { force: true });
    throw cannotWrite(path, error);
  }
  if (sync === "now") await syncFolder(dirname(path));
}

/** Four calls that wait cost a fifth of four that do not: for a small file, finding a thread is the work. */
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

/** Brings files' content to the disk, and the names that they go by. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  const left = [...paths];
  const work = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await syncFile(path);
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, work));
  for (const folder of new Set(paths.map(dirname))) await syncFolder(folder);
}

/** Only the syncing itself takes long enough to be worth a thread. */
async function syncFile(path: string): Promise<void> {
  const file = openSync(path, "r");
  try {
    await fsyncAsync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename or a new file in the folder survive a power cut. Not every system lets one. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, "r");
    await folder.sync();
  } catch {
    // Windows and some network file systems refuse to open or sync a folder; the rename stands anyway.
  } finally {
    await folder?.close();
  }
}

/** One JSON document, indented for people, ending in a newline. */
export function writeJson(path: string, document: unknown): Promise<void> {
  return writeAtomic(path, `${JSON.stringify(document, null, 2)}\n`);
}
