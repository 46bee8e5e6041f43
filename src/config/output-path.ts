import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  type Stats,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { DataError, errorCode, errorMessage } from "../core/errors.js";

/**
 * The kind of an output. All but `parent` are created, or replaced by a rename, which would replace a link, too. Files
 * are only added to a `parent`, so it may be a link to a folder.
 */
export type OutputKind = "file" | "folder" | "file-or-folder" | "parent";

/** Virtual file systems by their type in `statfs`. They store no files, and some reject a new folder with ENOENT. */
const VIRTUAL: ReadonlyMap<number, string> = new Map([
  [0x9fa0, "proc"],
  [0x62656572, "sysfs"],
  [0x27e0eb, "cgroup"],
  [0x63677270, "cgroup2"],
  [0x1cd1, "devpts"],
  [0x64626720, "debugfs"],
  [0x74726163, "tracefs"],
  [0x73636673, "securityfs"],
  [0x62656570, "configfs"],
  [0xcafe4a11, "bpf"],
  [0x42494e4d, "binfmt_misc"],
  [0x19800202, "mqueue"],
]);

const EXPECTED: Readonly<Record<OutputKind, string>> = {
  file: "a regular file or nothing",
  folder: "a folder or nothing",
  "file-or-folder": "a regular file, a folder or nothing",
  parent: "a folder or nothing",
};

/**
 * Checks that an output can be written at a path. Called before the work begins, so that no result is lost.
 *
 * @throws DataError `cannot_write`
 */
export function checkOutput(path: string, kind: OutputKind): void {
  if (path === "" || path === "-") {
    throw refused(
      path,
      `"${path}" is not the name of a file or folder`,
      "for a file of the name -, write ./-",
    );
  }
  checkReplaceable(path, kind);
  let at = resolve(path);
  let found = kind === "parent" ? folderAt(at) : undefined;
  while (!found && dirname(at) !== at) {
    at = dirname(at);
    found = folderAt(at);
  }
  const system = VIRTUAL.get(typeOf(at));
  if (system !== undefined) {
    throw refused(path, `${at} is on the virtual file system ${system}, which stores no files`);
  }
  try {
    accessSync(at, constants.W_OK);
  } catch (cause) {
    throw refused(
      path,
      `no files can be created in ${at}: ${errorMessage(cause)}`,
      undefined,
      cause,
    );
  }
}

/** Rejects a path at which something else than an output of this kind exists: a device, pipe, socket or link. */
export function checkReplaceable(path: string, kind: OutputKind): void {
  const found = lookAt(path, lstatSync);
  if (!found || isOfKind(found, kind)) return;
  const isLink = kind === "parent" && found.isSymbolicLink();
  if (isLink && lookAt(path, statSync)?.isDirectory()) return;
  throw refused(path, `found ${nameOf(found)}, expected ${EXPECTED[kind]}`);
}

/**
 * Creates a folder and its missing parents. Does not use `mkdir` with `recursive`, in which Node loops forever if the
 * system reports ENOENT for a folder whose parent exists, as in /proc.
 */
export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = [];
  for (let at = resolve(path); !folderAt(at) && dirname(at) !== at; at = dirname(at)) {
    missing.unshift(at);
  }
  if (missing.length === 0) return;
  checkOutput(path, "parent");
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (cause) {
      // Another process may have created the same folder.
      if (errorCode(cause) === "EEXIST" && folderAt(folder)) continue;
      throw refused(path, `the folder cannot be created: ${errorMessage(cause)}`, undefined, cause);
    }
  }
}

/** Whether a folder exists at a path. Anything else at the path is an error. */
function folderAt(path: string): boolean {
  const found = lookAt(path, statSync);
  if (!found || found.isDirectory()) return found !== undefined;
  throw refused(path, `found ${nameOf(found)}, expected a folder`);
}

function lookAt(path: string, look: (path: string) => Stats): Stats | undefined {
  try {
    return look(path);
  } catch (cause) {
    if (["ENOENT", "ENOTDIR"].includes(String(errorCode(cause)))) return undefined;
    throw refused(path, errorMessage(cause), undefined, cause);
  }
}

function isOfKind(found: Stats, kind: OutputKind): boolean {
  if (found.isFile()) return kind === "file" || kind === "file-or-folder";
  return found.isDirectory() && kind !== "file";
}

function nameOf(found: Stats): string {
  if (found.isSymbolicLink()) return "a symbolic link";
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  if (found.isSocket()) return "a socket";
  return found.isFile() ? "a file" : "a device";
}

function typeOf(path: string): number {
  try {
    return statfsSync(path).type;
  } catch {
    return 0;
  }
}

function refused(path: string, problem: string, hint?: string, cause?: unknown): DataError {
  return new DataError("cannot_write", `cannot be written: ${problem}`, {
    where: path,
    hint: hint ?? "choose another path (--out, or output.log_dir for runs); nothing was changed",
    cause,
  });
}
