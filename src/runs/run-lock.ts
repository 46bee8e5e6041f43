import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { DataError, errorCode } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import { cannotWrite } from "./files.js";
import { FILES } from "./run-files.js";

/** Longer than a process takes between making its lock and filling it in. */
const UNREADABLE_MS = 200;

/**
 * Only one process writes a run. The lock is a file that says who; one whose process is gone (it was
 * killed, the power went) counts for nothing.
 */
export class RunLock {
  readonly #path: string;
  #held = true;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws DataError `run_in_use` */
  static async take(folder: string): Promise<RunLock> {
    const path = join(folder, FILES.lock);
    // A second try after a stale lock was removed; a third would mean that others come and go.
    for (let tries = 0; tries < 3; tries++) {
      if (await create(path)) return new RunLock(path);
      const found = readText(path);
      const holder = parseHolder(found);
      if (holder && (await isAlive(holder))) throw inUse(path, holder);
      if (!holder) await after(UNREADABLE_MS);
      removeStale(path, found);
    }
    throw new DataError("run_in_use", "several processes want this run", { where: path });
  }

  /** Again and again: by then the file may be another's. */
  async release(): Promise<void> {
    if (!this.#held) return;
    this.#held = false;
    await rm(this.#path, { force: true });
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Of the process, in the kernel's ticks since boot; null where the system does not tell. */
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
    // What a full disk left of it.
    rmSync(path, { force: true });
    throw cannotWrite(path, error);
  }
}

/** Undefined where it is gone by now. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Undefined where the file is being written, or was cut off by a crash. */
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

/** Whether a process has the run open for writing; a lock that cannot be read is one being made. */
export async function isBeingWritten(folder: string): Promise<boolean> {
  const text = readText(join(folder, FILES.lock));
  if (text === undefined) return false;
  const holder = parseHolder(text);
  return holder === undefined || isAlive(holder);
}

/** In one go: of several that found it stale, the second must not remove the lock of the first. */
function removeStale(path: string, text: string | undefined): void {
  if (text !== undefined && readText(path) === text) rmSync(path, { force: true });
}

/** Of a process on another machine nothing can be known, so it is taken to be alive. */
async function isAlive({ pid, host, started }: Holder): Promise<boolean> {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  const now = await processStat(pid);
  if (!now || started === null) return true;
  // A zombie was killed and waits to be reaped. Numbers are given again: it may be another process by now.
  return now.state !== "Z" && now.started === started;
}

async function processStat(
  pid: number,
): Promise<{ readonly state: string; readonly started: string } | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything: fields are counted from behind it.
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
