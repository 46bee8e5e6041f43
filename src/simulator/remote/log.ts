import { copyFile, type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readablePart } from "../../core/file-name.js";
import { createLogFile, type LogFile, limitLogs } from "./log-files.js";

/** Maximum size of a log file in bytes. Further output overwrites the second half of the file. */
const MOST_BYTES = 2 * 2 ** 20;
/** Number of lines that an error quotes. */
const LAST_LINES = 12;
const LONGEST_LINE = 300;

/** Maximum length of the task in a log's name, in UTF-16 units: at most 180 bytes. */
const LONGEST_NAME = 60;

/** Folders for log files. */
interface LogFolders {
  /** The configured folder, which takes precedence over the run's. */
  readonly named?: string | undefined;
  /** The run's log folder, once there is a run; simulators start earlier. */
  readonly ofRun?: Promise<string> | undefined;
}

/**
 * The output of a simulator's process: the last lines in memory, for errors, and everything in a file of
 * bounded size. The file is in the system's temporary folder until the run has a folder. A log that cannot be
 * written has no other effect.
 */
export class ProcessLog {
  /** File name prefix, from the task of the process. */
  readonly #name: string;
  #log: LogFile | undefined;
  readonly #isNamed: boolean;
  #isInRun = false;
  #isClosed = false;
  #file: Promise<FileHandle | undefined>;
  #queue: Promise<unknown> = Promise.resolve();
  #at = 0;
  /** Bytes that are added but not yet written. */
  #waiting = 0;
  #last: string[] = [];

  constructor(task: string, { named, ofRun }: LogFolders) {
    // Any task name becomes a single file name component.
    this.#name = `simulator-${readablePart(task).slice(0, LONGEST_NAME)}`;
    this.#log = createLogFile(named ?? join(tmpdir(), "robot-eval-simulators"), this.#name);
    this.#isNamed = named !== undefined;
    this.#file = opened(this.#log?.path);
    this.follow(ofRun);
  }

  /** Moves the log to the run's folder as soon as there is one. */
  follow(ofRun: Promise<string> | undefined): void {
    if (!this.#isNamed) void ofRun?.then((folder) => this.#moveTo(folder));
  }

  /** Adds a line. Returns a promise while the file is behind: wait for it before adding more. */
  add(line: string): Promise<unknown> | undefined {
    this.#last.push(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);
    if (this.#last.length > LAST_LINES) this.#last.shift();
    this.#write(line);
    return this.#waiting > MOST_BYTES ? this.#queue : undefined;
  }

  #write(line: string): void {
    const bytes = Buffer.from(`${line}\n`).subarray(0, MOST_BYTES / 2);
    if (this.#at + bytes.length > MOST_BYTES) this.#at = MOST_BYTES / 2;
    const at = this.#at;
    this.#at += bytes.length;
    const file = this.#file;
    this.#waiting += bytes.length;
    this.#queue = this.#queue
      .then(async () => (await file)?.write(bytes, 0, bytes.length, at))
      .catch(() => {})
      .finally(() => {
        this.#waiting -= bytes.length;
      });
  }

  /** The last lines and the path of the log, indented for an error. */
  get lastOutput(): string {
    const said = this.#last.length === 0 ? "" : `\n  it wrote:\n    ${this.#last.join("\n    ")}`;
    if (!this.#log) return said;
    const { path, folder } = this.#log;
    const shown = this.#isInRun ? `${basename(folder)}/${basename(path)} of the run` : path;
    return `${said}\n  its log: ${shown}`;
  }

  /** @param keep keeps the log after a failure, even without a configured folder or a run */
  async close(keep: boolean): Promise<void> {
    this.#isClosed = true;
    const log = this.#log;
    const stays = keep || this.#isNamed || this.#isInRun;
    const removed = stays && log ? await limitLogs(log) : 0;
    if (removed > 0) this.#write(`(${removed} logs before this one were removed: too many)`);
    await this.#queue;
    await (await this.#file)?.close().catch(() => {});
    if (!stays && log) await rm(log.path, { force: true }).catch(() => {});
  }

  #moveTo(folder: string): void {
    const before = this.#log;
    if (this.#isClosed || before?.folder === folder) return;
    const log = createLogFile(folder, this.#name);
    if (!log) return;
    this.#log = log;
    this.#isInRun = true;
    const old = this.#file;
    this.#file = this.#queue.then(async () => {
      await (await old)?.close().catch(() => {});
      // Copied, not renamed: the temporary folder is often on another disk.
      if (before) await copyFile(before.path, log.path).catch(() => {});
      if (before) await rm(before.path, { force: true }).catch(() => {});
      return opened(log.path);
    });
    this.#queue = this.#file;
  }
}

async function opened(path: string | undefined): Promise<FileHandle | undefined> {
  return path === undefined ? undefined : open(path, "r+").catch(() => undefined);
}
