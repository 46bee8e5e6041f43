import { existsSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { DataError, errorCode, errorMessage } from "../core/errors.js";

/**
 * A run stands under its final name from the start when it can be resumed (`live`), or appears there
 * only when it is complete (`whole`).
 */
export type Appearance = "live" | "whole";

/**
 * A run id that is free in `parent`: `<base>`, else `<base>-2`, ... It is taken from here on: its
 * folder is made, which of several runs that start in the same second only one can do.
 */
export async function freeRunId(
  parent: string,
  base: string,
  appear: Appearance = "live",
): Promise<string> {
  await makeFolder(parent);
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (await take(parent, id, appear)) return id;
  }
}

async function take(parent: string, id: string, appear: Appearance): Promise<boolean> {
  const path = workPath(parent, id, appear);
  try {
    await mkdir(path);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw cannotMake(path, cause);
  }
  if (appear === "live" || !existsSync(join(parent, id))) return true;
  await rmdir(path);
  return false;
}

export function workPath(parent: string, id: string, appear: Appearance): string {
  return join(parent, appear === "live" ? id : `.${id}.partial`);
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw cannotMake(path, cause);
  }
}

function cannotMake(path: string, cause: unknown): DataError {
  return new DataError("cannot_write", `cannot make the run directory: ${errorMessage(cause)}`, {
    where: path,
    hint: "choose another folder with --out or output.log_dir",
    cause,
  });
}
