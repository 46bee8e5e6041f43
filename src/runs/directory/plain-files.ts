import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataError } from "../../core/errors.js";
import { FILES } from "./run-files.js";

const FOLDERS: ReadonlySet<string> = new Set([
  FILES.trajectories,
  FILES.videos,
  FILES.films,
  FILES.geometry,
  FILES.simulatorLogs,
  FILES.maps,
]);

/**
 * Without O_NONBLOCK, opening a pipe blocks until it has a writer, and a blocked thread cannot be ended. Windows
 * has neither flag.
 */
const READ_PLAIN = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Files below this size are read synchronously, which is faster than the thread pool. */
const SMALL = 2 ** 18;

/**
 * Rejects a run that contains links, pipes or devices: a link may lead to any file of this machine, and a pipe or
 * a device may never end. Missing files are allowed. The path of the run itself may contain links.
 */
export async function checkRunFolder(path: string): Promise<void> {
  await Promise.all(
    Object.values(FILES).map((name) =>
      checkPlain(join(path, name), FOLDERS.has(name) ? "folder" : "file"),
    ),
  );
}

/** Like `checkRunFolder`, for one file in a folder of a run. */
export async function checkFolderFile(path: string): Promise<void> {
  await checkPlain(dirname(path), "folder");
  await checkPlain(path, "file");
}

export async function checkPlain(path: string, kind: "file" | "folder"): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found) checkKind(path, found, kind);
}

/**
 * Opens a regular file for reading. The open file is checked again, since the path may have been replaced.
 *
 * @throws DataError `not_plain`, or the system's own error
 */
export async function openPlain(path: string): Promise<FileHandle> {
  // Never open a device: for some devices opening has side effects.
  await checkPlain(path, "file");
  const file = await open(path, READ_PLAIN);
  try {
    checkKind(path, await file.stat(), "file");
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads a regular file. @throws as `openPlain` */
export async function readPlain(path: string): Promise<Buffer> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && found.size < SMALL) return readAtOnce(path, found);
  const file = await openPlain(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Like `readPlain`, for small files. */
export function readPlainSync(path: string): Buffer {
  return readAtOnce(path, lstatSync(path, { throwIfNoEntry: false }));
}

function readAtOnce(path: string, found: Stats | undefined): Buffer {
  if (found) checkKind(path, found, "file");
  const file = openSync(path, READ_PLAIN);
  try {
    checkKind(path, fstatSync(file), "file");
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function checkKind(path: string, found: Stats, kind: "file" | "folder"): void {
  if (kind === "file" ? found.isFile() : found.isDirectory()) return;
  const what = found.isSymbolicLink() ? "a symbolic link" : "something else";
  throw new DataError("not_plain", `expected a regular ${kind}, found ${what}`, {
    where: path,
    hint: "a run may contain only regular files and folders: replace a link by the file itself if you trust it",
  });
}
