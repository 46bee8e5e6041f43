import { appendFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { checkLine } from "./document-checks.js";
import { cannotWrite } from "./files.js";
import { dropUnfinishedLine, readJsonLines } from "./json-lines.js";

const FLUSH_EVERY_MS = 1000;

/**
 * episodes.jsonl: one line per episode, append-only. Lines are synced to disk in groups, at least every second
 * and at the end, so a power cut loses at most the last second's episodes, which run again.
 */
export class EpisodeLog {
  /** Serialises appends, so that lines never interleave. */
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly beforeSync: () => Promise<void>,
  ) {}

  /**
   * Opens the file for appending and removes an unfinished last line.
   *
   * @param beforeSync syncs the files that the lines name, so that no line refers to a lost file
   */
  static async open(path: string, beforeSync: () => Promise<void>): Promise<EpisodeLog> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, "a+");
      await dropUnfinishedLine(file);
      return new EpisodeLog(path, file, beforeSync);
    } catch (error) {
      await file?.close();
      throw cannotWrite(path, error);
    }
  }

  append(line: EpisodeLine): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      if (this.#failure) throw this.#failure;
      try {
        // A synchronous write of one line is faster than dispatching it to the thread pool.
        appendFileSync(this.file.fd, `${JSON.stringify(line)}\n`);
      } catch (error) {
        throw cannotWrite(this.path, error);
      }
      this.#timer ??= setTimeout(() => this.#flush(), FLUSH_EVERY_MS);
    });
    return this.#queue;
  }

  /** Syncs the lines written before a failed one, too. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#queue;
    } finally {
      await this.#sync().finally(() => this.file.close());
    }
    if (this.#failure) throw this.#failure;
  }

  async #sync(): Promise<void> {
    try {
      await this.beforeSync();
      await this.file.sync();
    } catch (error) {
      throw cannotWrite(this.path, error);
    }
  }

  #flush(): void {
    this.#timer = undefined;
    this.#queue = this.#queue
      .then(() => this.#sync())
      .catch((error: unknown) => {
        // Thrown by the next append or by close: a timer callback has no caller.
        this.#failure ??= error;
      });
  }
}

/** Reads the lines in order. An unfinished last line is skipped. */
export async function* readEpisodeLog(path: string): AsyncGenerator<EpisodeLine> {
  for await (const { value, line } of readJsonLines(path, { toleratesUnfinishedEnd: true })) {
    yield checkLine(value, `${path}:${line}`);
  }
}
