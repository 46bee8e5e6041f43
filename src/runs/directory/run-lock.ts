import { rmSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { DataError, errorCode } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { cannotWrite } from "./files.js";
import { readPlainSync } from "./plain-files.js";
import { FILES } from "./run-files.js";

/** Longer than the time between creating a lock file and writing its content. */
const UNREADABLE_MS = 200;

/**
 * Ensures that only one process writes a run. The lock file names the process; it is stale if that process no
 * longer exists.
 */
export class RunLock {
  #held = true;

  private constructor(private readonly path: string) {}

  /** @throws DataError `run_in_use` */
  static async take(folder: string): Promise<RunLock> {
    const path = join(folder, FILES.lock);
    // Retry after removing a stale lock; another process may take it in between.
    for (let tries = 0; tries < 3; tries++) {
      if (await create(path)) return new RunLock(path);
      const found = readText(path);
      const holder = parseHolder(found);
      if (holder && (await isAlive(holder))) throw inUse(path, holder);
      if (!holder) await after(UNREADABLE_MS);
      removeStale(path, found);
    }
    throw new DataError("run_in_use", "several processes are trying to lock this run", {
      where: path,
    });
  }

  /** Idempotent: the lock file may already belong to another process. */
  async release(): Promise<void> {
    if (!this.#held) return;
    this.#held = false;
    await rm(this.path, { force: true });
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process in kernel ticks since boot; null if unknown. */
  readonly started: string | null;
}

async function create(path: string): Promise<boolean> {
  const { pid } = process;
  const holder: Holder = {
    pid,
    host: hostname(),
    started: (await processStat(pid))?.started ?? null,
  };
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    // A full disk may leave a partial file.
    rmSync(path, { force: true });
    throw cannotWrite(path, error);
  }
}

/** Undefined if the file no longer exists. */
function readText(path: string): string | undefined {
  try {
    return readPlainSync(path).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Undefined if the file is incomplete: being written, or truncated by a crash. */
function parseHolder(text = ""): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(text);
    if (!isRecord(holder)) return undefined;
    const { pid, host, started } = holder;
    if (typeof pid !== "number" || typeof host !== "string") return undefined;
    return { pid, host, started: typeof started === "string" ? started : null };
  } catch {
    return undefined;
  }
}

/** Whether a process writes the run. An unreadable lock counts as one being created. */
export async function isBeingWritten(folder: string): Promise<boolean> {
  const text = readText(join(folder, FILES.lock));
  if (text === undefined) return false;
  const holder = parseHolder(text);
  return holder === undefined || isAlive(holder);
}

/** Checks and removes synchronously, so that a process cannot remove another one's new lock. */
function removeStale(path: string, text: string | undefined): void {
  if (text !== undefined && readText(path) === text) rmSync(path, { force: true });
}

/** A process on another machine cannot be checked and counts as running. */
async function isAlive({ pid, host, started }: Holder): Promise<boolean> {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  const now = await processStat(pid);
  if (!now || started === null) return true;
  // A zombie has ended. Process ids are reused, so the start time must be equal, too.
  return now.state !== "Z" && now.started === started;
}

async function processStat(
  pid: number,
): Promise<{ readonly state: string; readonly started: string } | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    // The process name in parentheses may contain anything, so fields are counted after it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

function inUse(path: string, { pid, host }: Holder): DataError {
  const elsewhere = host === hostname() ? "" : ` on ${host}`;
  return new DataError("run_in_use", `process ${pid}${elsewhere} is writing this run`, {
    where: path,
    hint:
      elsewhere === ""
        ? "wait for it, or stop it"
        : "if that machine is gone, delete the lock file",
  });
}
