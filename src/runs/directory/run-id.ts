import { existsSync } from "node:fs";
import { mkdir, readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import { ConfigError, errorCode, show } from "../../core/errors.js";
import { isPortableName } from "../../core/file-name.js";
import { cannotWrite } from "./files.js";
import { FILES } from "./run-files.js";

/**
 * `live`: the run has its final name from the start and can be resumed. `whole`: it appears only when complete.
 */
export type Appearance = "live" | "whole";

/**
 * Reserves a free run id in `parent`: `<base>`, else `<base>-2`, ... Creating the folder reserves it, so that
 * runs started in the same second get different ids.
 */
export async function freeRunId(
  parent: string,
  base: string,
  appear: Appearance = "live",
): Promise<string> {
  makeFolder(parent);
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (await take(parent, id, appear)) return id;
  }
}

/** Leaves room for suffixes within the 255 bytes of a file name. */
const LONGEST_ID_BYTES = 200;

/**
 * Reserves a chosen run id in `parent`.
 *
 * @throws if the name exists. A folder without run.json, left by a process that was killed early, is reused.
 */
export async function takeRunId(
  parent: string,
  id: string,
  appear: Appearance = "live",
): Promise<string> {
  checkRunId(id);
  makeFolder(parent);
  if (await take(parent, id, appear)) return id;
  const path = workPath(parent, id, appear);
  if (appear === "live" && (await isUnbegun(path))) return id;
  const isThere = existsSync(join(parent, id));
  throw new ConfigError(
    "run_exists",
    isThere ? "this name already exists" : "another process is creating a run with this name",
    {
      where: isThere ? join(parent, id) : path,
      hint: isThere
        ? "choose another --run-id, or continue that run with robot-eval resume"
        : "wait for it; if it was killed, delete that folder",
    },
  );
}

export function checkRunId(id: string): void {
  const plain = /^[\p{L}\p{N}_][\p{L}\p{N}_.+-]*$/u.test(id) && isPortableName(id);
  if (plain && Buffer.byteLength(id) <= LONGEST_ID_BYTES) return;
  throw new ConfigError("bad_run_id", `${show(id)} cannot be the name of a run`, {
    where: "--run-id",
    hint: `use letters, digits, _ . + and -, beginning with a letter, a digit or _ and not ending in a dot; no device name of Windows such as con or nul; at most ${LONGEST_ID_BYTES} bytes`,
  });
}

/** A folder without run.json holds no started run and may be reused. */
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
    throw cannotWrite(path, cause);
  }
  if (appear === "live" || !existsSync(join(parent, id))) return true;
  await rmdir(path);
  return false;
}

export function workPath(parent: string, id: string, appear: Appearance): string {
  return join(parent, appear === "live" ? id : `.${id}.partial`);
}
