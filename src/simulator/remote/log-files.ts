import { closeSync, openSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import { errorCode } from "../../core/errors.js";

/**
 * Number of logs kept per task: the first ones show how failures began, the last ones the current failures.
 * Together they take at most 40 MiB per worker of a run.
 */
const FIRST_KEPT = 5;
const LAST_KEPT = 15;

/** Path of a log file and its folder. */
export interface LogFile {
  readonly path: string;
  readonly folder: string;
  /** Prefix of the file name. */
  readonly name: string;
}

/** Logs of ended processes, by folder and name. Each thread counts its own. */
const ended = new Map<string, { count: number; removed: number; readonly last: string[] }>();

/**
 * Creates a new file, numbered after the last one in the folder. Threads and runs may share a folder, and a
 * number that an error message cited is not reused. Undefined if no file can be created.
 */
export function createLogFile(folder: string, name: string): LogFile | undefined {
  try {
    makeFolder(folder);
    for (let n = lastNumber(folder, name) + 1; ; n++) {
      const path = join(folder, `${name}-${n}.log`);
      try {
        closeSync(openSync(path, "wx"));
        return { path, folder, name };
      } catch (error) {
        if (errorCode(error) !== "EEXIST") return undefined;
      }
    }
  } catch {
    return undefined;
  }
}

/** Registers a finished log and returns how many logs between the first and the last were removed. */
export async function limitLogs({ path, folder, name }: LogFile): Promise<number> {
  const key = join(folder, name);
  const logs = ended.get(key) ?? { count: 0, removed: 0, last: [] };
  ended.set(key, logs);
  logs.count++;
  if (logs.count > FIRST_KEPT) logs.last.push(path);
  const [oldest] = logs.last;
  if (oldest !== undefined && logs.last.length > LAST_KEPT) {
    logs.last.shift();
    logs.removed++;
    await rm(oldest, { force: true }).catch(() => {});
  }
  return logs.removed;
}

function lastNumber(folder: string, name: string): number {
  const numbers = readdirSync(folder).flatMap((file) => {
    const isOurs = file.startsWith(`${name}-`) && file.endsWith(".log");
    const number = isOurs ? Number(file.slice(name.length + 1, -".log".length)) : Number.NaN;
    return Number.isInteger(number) ? [number] : [];
  });
  return Math.max(0, ...numbers);
}
