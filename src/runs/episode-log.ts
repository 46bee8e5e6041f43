import { type FileHandle, open } from "node:fs/promises";
import { DataError, errorMessage, RobotEvalError, show } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
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
  #failure: RobotEvalError | undefined;

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
    const file = await open(path, "a+");
    try {
      await dropUnfinishedLine(file);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new EpisodeLog(path, file, beforeSync);
  }

  append(line: EpisodeLine): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      if (this.#failure) throw this.#failure;
      try {
        await this.#file.appendFile(`${JSON.stringify(line)}\n`);
      } catch (error) {
        throw cannotWrite(this.#path, error);
      }
      this.#timer ??= setTimeout(() => this.#flush(), FLUSH_EVERY_MS);
    });
    return this.#queue;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#queue;
      await this.#sync();
    } finally {
      await this.#file.close();
    }
    if (this.#failure) throw this.#failure;
  }

  async #sync(): Promise<void> {
    await this.#beforeSync();
    await this.#file.sync();
  }

  #flush(): void {
    this.#timer = undefined;
    this.#queue = this.#queue
      .then(() => this.#sync())
      .catch((error: unknown) => {
        // Reported by the next append or by close: a timer has nobody to throw to.
        this.#failure = new RobotEvalError(
          "log_not_written",
          `episodes.jsonl could not be written: ${errorMessage(error)}`,
          { exitCode: 1, cause: error },
        );
      });
  }
}

/** The lines of episodes.jsonl in order; a last line cut off by a crash is left out. */
export async function* readEpisodeLog(path: string): AsyncGenerator<EpisodeLine> {
  for await (const { value, line } of readJsonLines(path, { toleratesUnfinishedEnd: true })) {
    if (!isEpisodeLine(value)) {
      throw new DataError("damaged_line", `not the result of an episode: ${show(value)}`, {
        where: `${path}:${line}`,
      });
    }
    yield value;
  }
}

/** What every reader relies on; the rest is as the run wrote it. */
function isEpisodeLine(value: unknown): value is EpisodeLine {
  if (typeof value !== "object" || value === null) return false;
  const { episode_key, task, outcome, metrics } = value as Partial<EpisodeLine>;
  return (
    typeof episode_key === "string" &&
    typeof task === "string" &&
    (outcome === "success" || outcome === "failure" || outcome === "invalid") &&
    typeof metrics === "object" &&
    metrics !== null
  );
}
