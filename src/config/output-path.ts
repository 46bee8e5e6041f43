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
 * What an output is to be. All but `parent` are made, or replaced by a rename, so a link in their place would be lost.
 * A `parent` only has files added to it, and may be reached through a link.
 */
export type OutputKind = "file" | "folder" | "file-or-folder" | "parent";

/** File systems that the kernel makes up. Nothing can be stored there, and some answer a new folder with ENOENT. */
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
 * Decides whether an output may be written at a path: before the work begins, so that no result is lost for it.
 *
 * @throws DataError `cannot_write`
 */
export function checkOutput(path: string, kind: OutputKind): void {
  if (path === "" || path === "-") {
    throw refused(path, `"${path}" is no name of a file or folder`, "to mean that name, write ./-");
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
    throw refused(path, `no files can be made in ${at}: ${errorMessage(cause)}`, undefined, cause);
  }
}

/**
 * Refuses to replace anything but what an output of this kind leaves: a device, a pipe, a socket or a link at the
 * path is somebody's, and stays.
 */
export function checkReplaceable(path: string, kind: OutputKind): void {
  const found = lookAt(path, lstatSync);
  if (!found || isOfKind(found, kind)) return;
  const isLink = kind === "parent" && found.isSymbolicLink();
  if (isLink && lookAt(path, statSync)?.isDirectory()) return;
  throw refused(path, `there is ${nameOf(found)}; expected ${EXPECTED[kind]}`);
}

/**
 * Makes a folder and those above it that are missing. Not `mkdir` with `recursive`: where the system says ENOENT
 * though the folder above is there, as in /proc, Node tries that again without end.
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
      // Another process may be making the same folder.
      if (errorCode(cause) === "EEXIST" && folderAt(folder)) continue;
      throw refused(path, `the folder cannot be made: ${errorMessage(cause)}`, undefined, cause);
    }
  }
}

/** Whether a path leads to a folder. A file in the place of one is an error, a missing one is not. */
function folderAt(path: string): boolean {
  const found = lookAt(path, statSync);
  if (!found || found.isDirectory()) return found !== undefined;
  throw refused(path, `there is ${nameOf(found)}, and a folder is needed here`);
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
    hint:
      hint ??
      "choose another place (--out, or output.log_dir for runs); what is there is left as it is",
    cause,
  });
}
