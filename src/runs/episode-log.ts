import { appendFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { checkLine } from "./document-checks.js";
import { cannotWrite } from "./files.js";
import { dropUnfinishedLine, readJsonLines } from "./json-lines.js";

const FLUSH_EVERY_MS = 1000;

/**
 * episodes.jsonl: a line an episode, append-only. Lines are synced to the disk in groups, at least
 * every second and at the end, so a power cut costs the last second's episodes, which run again.
 */
export class EpisodeLog {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #beforeSync: () => Promise<void>;
  /** Appends go one after the other: a line is never mixed into another. */
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;

  private constructor(path: string, file: FileHandle, beforeSync: () => Promise<void>) {
    this.#path = path;
    this.#file = file;
    this.#beforeSync = beforeSync;
  }

  /**
   * Opens for appending, having cut off a last line that a crash left unfinished.
   *
   * @param beforeSync brings to the disk what the lines refer to, so that no line outlives its files
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
        // A line is in the system's hands sooner than a thread is found to hand it over.
        appendFileSync(this.#file.fd, `${JSON.stringify(line)}\n`);
      } catch (error) {
        throw cannotWrite(this.#path, error);
      }
      this.#timer ??= setTimeout(() => this.#flush(), FLUSH_EVERY_MS);
    });
    return this.#queue;
  }

  /** Lines before one that could not be written are brought to the disk all the same. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#queue;
    } finally {
      await this.#sync().finally(() => this.#file.close());
    }
    if (this.#failure) throw this.#failure;
  }

  async #sync(): Promise<void> {
    try {
      await this.#beforeSync();
      await this.#file.sync();
    } catch (error) {
      throw cannotWrite(this.#path, error);
    }
  }

  #flush(): void {
    this.#timer = undefined;
    this.#queue = this.#queue
      .then(() => this.#sync())
      .catch((error: unknown) => {
        // Reported by the next append or by close: a timer has nobody to throw to.
        this.#failure ??= error;
      });
  }
}

/** The lines of episodes.jsonl in order; a last line cut off by a crash is left out. */
export async function* readEpisodeLog(path: string): AsyncGenerator<EpisodeLine> {
  for await (const { value, line } of readJsonLines(path, { toleratesUnfinishedEnd: true })) {
    yield checkLine(value, `${path}:${line}`);
  }
}
