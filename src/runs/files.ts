import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file whole or not at all: temporary file beside it, fsync, rename, fsync of the folder. A
 * reader, or a machine that loses power, sees the old content or the new, never half of it.
 */
export async function writeAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  let file: FileHandle | undefined;
  try {
    file = await open(temporary, "wx");
    await file.writeFile(data);
    await file.sync();
    await file.close();
    file = undefined;
    await rename(temporary, path);
  } catch (error) {
    await file?.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes a rename or a new file in the folder survive a power cut. Not every system lets one. */
async function syncFolder(path: string): Promise<void> {
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
