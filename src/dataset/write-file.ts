import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { renameOver } from "./rename.js";

/** Creates a file that `write` fills, and flushes it to disk. */
export async function createSynced<T>(
  path: string,
  write: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, "wx");
  try {
    const result = await write(file);
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

export function writeSynced(path: string, data: string | Uint8Array): Promise<void> {
  return createSynced(path, (file) => file.writeFile(data));
}

/**
 * Replaces a file atomically: `write` creates a temporary file, which is then renamed. It is in the same folder,
 * because a rename across file systems is a copy and not atomic.
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await write(temporary);
    await renameOver(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
