import { existsSync } from "node:fs";
import { mkdir, readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, DataError, errorCode, errorMessage, show } from "../core/errors.js";
import { FILES } from "./run-files.js";

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

/** Leaves room for what is added to it within the 255 bytes that file systems allow. */
const LONGEST_ID_BYTES = 200;

/**
 * The run id that somebody chose, taken in `parent`.
 *
 * @throws where there is something by that name. What a process leaves that was killed before the run had
 * begun does not count: whoever starts it again means the same run.
 */
export async function takeRunId(
  parent: string,
  id: string,
  appear: Appearance = "live",
): Promise<string> {
  checkRunId(id);
  await makeFolder(parent);
  if (await take(parent, id, appear)) return id;
  const path = workPath(parent, id, appear);
  if (appear === "live" && (await isUnbegun(path))) return id;
  const isThere = existsSync(join(parent, id));
  throw new ConfigError(
    "run_exists",
    isThere ? "there is something by this name already" : "a run of this name is being made",
    {
      where: isThere ? join(parent, id) : path,
      hint: isThere
        ? "choose another --run-id, or go on with that run: robot-eval resume"
        : "wait for it; if it was killed, delete that folder",
    },
  );
}

export function checkRunId(id: string): void {
  const plain = /^[\p{L}\p{N}_][\p{L}\p{N}_.+-]*$/u.test(id);
  if (plain && Buffer.byteLength(id) <= LONGEST_ID_BYTES) return;
  throw new ConfigError("bad_run_id", `${show(id)} cannot be the name of a run`, {
    where: "--run-id",
    hint: `letters, digits, _ . + and -, beginning with a letter, a digit or _; at most ${LONGEST_ID_BYTES} bytes`,
  });
}

/** A run has begun when its run.json is there; what comes before it is made again. */
async function isUnbegun(path: string): Promise<boolean> {
  const before: readonly string[] = [
    FILES.trajectories,
    FILES.lock,
    FILES.benchmark,
    FILES.episodes,
  ];
  const names = await readdir(path).catch(() => [FILES.info]);
  return names.every((name) => before.includes(name) || name.endsWith(".tmp"));
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
