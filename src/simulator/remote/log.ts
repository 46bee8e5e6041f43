import { copyFile, type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { freePlace, type LogPlace, limitLogs } from "./log-files.js";

/** Of a log file, in bytes: what a process writes beyond it goes over the file from its second half on. */
const MOST_BYTES = 2 * 2 ** 20;
/** Lines that an error quotes. */
const LAST_LINES = 12;
const LONGEST_LINE = 300;

/** Where logs are to stand. */
interface LogFolders {
  /** The folder that somebody named; goes before a run's. */
  readonly named?: string | undefined;
  /** The run's own, once there is a run; simulators are started before. */
  readonly ofRun?: Promise<string> | undefined;
}

/**
 * What a simulator's process wrote: the last lines in memory, for errors, and all of it in a file that does not
 * grow without end. It stands in the machine's temporary folder until the run has one. A log that cannot be written
 * costs nothing else.
 */
export class ProcessLog {
  /** Of what its process was started for. */
  readonly #name: string;
  #place: LogPlace | undefined;
  readonly #isNamed: boolean;
  #isInRun = false;
  #isClosed = false;
  #file: Promise<FileHandle | undefined>;
  #queue: Promise<unknown> = Promise.resolve();
  #at = 0;
  #last: string[] = [];

  constructor(task: string, { named, ofRun }: LogFolders) {
    // Whatever a task is called, it is one name in a folder.
    this.#name = `simulator-${task.replace(/[^\p{L}\p{N}_.-]/gu, "_").slice(0, 80)}`;
    this.#place = freePlace(named ?? join(tmpdir(), "robot-eval-simulators"), this.#name);
    this.#isNamed = named !== undefined;
    this.#file = opened(this.#place?.path);
    this.follow(ofRun);
  }

  /** Goes to the run's folder, as soon as there is one. */
  follow(ofRun: Promise<string> | undefined): void {
    if (!this.#isNamed) void ofRun?.then((folder) => this.#moveTo(folder));
  }

  add(line: string): void {
    this.#last.push(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);
    if (this.#last.length > LAST_LINES) this.#last.shift();
    this.#write(line);
  }

  #write(line: string): void {
    const bytes = Buffer.from(`${line}\n`).subarray(0, MOST_BYTES / 2);
    if (this.#at + bytes.length > MOST_BYTES) this.#at = MOST_BYTES / 2;
    const at = this.#at;
    this.#at += bytes.length;
    const file = this.#file;
    this.#queue = this.#queue
      .then(async () => (await file)?.write(bytes, 0, bytes.length, at))
      .catch(() => {});
  }

  /** The last lines and where all of them are, indented for an error. */
  get lastWords(): string {
    const said = this.#last.length === 0 ? "" : `\n  it wrote:\n    ${this.#last.join("\n    ")}`;
    if (!this.#place) return said;
    const { path, folder } = this.#place;
    const shown = this.#isInRun ? `${basename(folder)}/${basename(path)} of the run` : path;
    return `${said}\n  its log: ${shown}`;
  }

  /** @param keep although nobody named a folder and there is no run: something went wrong */
  async close(keep: boolean): Promise<void> {
    this.#isClosed = true;
    const place = this.#place;
    const stays = keep || this.#isNamed || this.#isInRun;
    const removed = stays && place ? await limitLogs(place) : 0;
    if (removed > 0) this.#write(`(${removed} logs before this one were removed: too many)`);
    await this.#queue;
    await (await this.#file)?.close().catch(() => {});
    if (!stays && place) await rm(place.path, { force: true }).catch(() => {});
  }

  #moveTo(folder: string): void {
    const before = this.#place;
    if (this.#isClosed || before?.folder === folder) return;
    const place = freePlace(folder, this.#name);
    if (!place) return;
    this.#place = place;
    this.#isInRun = true;
    const old = this.#file;
    this.#file = this.#queue.then(async () => {
      await (await old)?.close().catch(() => {});
      // Not renamed: the temporary folder is often on another disk.
      if (before) await copyFile(before.path, place.path).catch(() => {});
      if (before) await rm(before.path, { force: true }).catch(() => {});
      return opened(place.path);
    });
    this.#queue = this.#file;
  }
}

async function opened(path: string | undefined): Promise<FileHandle | undefined> {
  return path === undefined ? undefined : open(path, "r+").catch(() => undefined);
}
