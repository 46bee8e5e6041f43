import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";

/** Of a log file, in bytes: what a process writes beyond it goes over the file from its second half on. */
const MOST_BYTES = 2 * 2 ** 20;
/** Lines that an error quotes. */
const LAST_LINES = 12;
const LONGEST_LINE = 300;

let count = 0;

/**
 * What a simulator's process wrote: the last lines in memory, for errors, and all of it in a file that does not
 * grow without end. A log that cannot be written costs nothing else.
 */
export class ProcessLog {
  readonly path: string;
  readonly #folder: string;
  #file: Promise<FileHandle | undefined> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #at = 0;
  #last: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, `simulator-${process.pid}-${Date.now()}-${count++}.log`);
  }

  add(line: string): void {
    this.#last.push(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);
    if (this.#last.length > LAST_LINES) this.#last.shift();
    const bytes = Buffer.from(`${line}\n`).subarray(0, MOST_BYTES / 2);
    if (this.#at + bytes.length > MOST_BYTES) this.#at = MOST_BYTES / 2;
    const at = this.#at;
    this.#at += bytes.length;
    this.#file ??= this.#open();
    const file = this.#file;
    this.#queue = this.#queue
      .then(async () => (await file)?.write(bytes, 0, bytes.length, at))
      .catch(() => {});
  }

  /** Its last words, indented for an error; empty where it said nothing. */
  get lastWords(): string {
    return this.#last.length === 0 ? "" : `\n  it wrote:\n    ${this.#last.join("\n    ")}`;
  }

  /** @param keep false where nothing went wrong, and nobody asked for logs */
  async close(keep: boolean): Promise<void> {
    await this.#queue;
    await (await this.#file)?.close().catch(() => {});
    if (this.#file && !keep) await rm(this.path, { force: true }).catch(() => {});
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      await mkdir(this.#folder, { recursive: true });
      return await open(this.path, "w");
    } catch {
      return undefined;
    }
  }
}
