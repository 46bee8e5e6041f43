import { closeSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../core/errors.js";

/**
 * Of the logs that processes for one task left: how a simulator fails again and again is told by the first failures,
 * and how it fails now by the last. The two together are 40 MiB at most, for each of a run's workers.
 */
const FIRST_KEPT = 5;
const LAST_KEPT = 15;

/** A log's file in its folder. */
export interface LogPlace {
  readonly path: string;
  readonly folder: string;
  /** What its name begins with. */
  readonly name: string;
}

/** Of processes that have ended, by folder and name; other threads count their own. */
const ended = new Map<string, { count: number; removed: number; readonly last: string[] }>();

/**
 * A new file of the number after the last one there: threads and runs may share a folder, and a number that errors
 * have named is not given to another. Undefined where none can be made.
 */
export function freePlace(folder: string, name: string): LogPlace | undefined {
  try {
    mkdirSync(folder, { recursive: true });
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

/** Takes note of a log that nothing is added to any more; gives how many between the first and the last were removed. */
export async function limitLogs({ path, folder, name }: LogPlace): Promise<number> {
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
