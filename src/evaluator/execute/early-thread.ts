import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { AUTO_EPISODES, WORKER_ENTRY } from "./worker-count.js";

/** What the command line tells about the run. */
interface Expected {
  readonly workers?: number | undefined;
  /** Maximum number of episodes per task. */
  readonly limit?: number | undefined;
  readonly agent?: string | undefined;
}

/**
 * A worker thread that loads its modules while the main thread loads its own and reads the episodes. Until it is
 * taken, it does not keep the process alive.
 */
export class EarlyThread {
  #worker: Worker | undefined;

  private constructor(entry: URL) {
    this.#worker = new Worker(entry);
    this.#worker.unref();
    // A load error occurs again in the thread that replaces this one, and is reported there.
    this.#worker.on("error", () => {});
    this.#worker.on("exit", () => {
      this.#worker = undefined;
    });
  }

  /** Undefined if the run will probably use only the main thread. */
  static start(
    { workers, limit, agent }: Expected,
    entry: URL = WORKER_ENTRY,
  ): EarlyThread | undefined {
    const isSmall = limit !== undefined && limit < 2 * AUTO_EPISODES;
    // Remote policies are used from one thread unless `workers` is set.
    const isRemote = agent?.includes("://") === true || agent?.includes("listen:") === true;
    const several = workers ?? (isSmall || isRemote ? 1 : availableParallelism());
    if (several === 1 || !existsSync(fileURLToPath(entry))) return undefined;
    return new EarlyThread(entry);
  }

  get isAlive(): boolean {
    return this.#worker !== undefined;
  }

  take(): Worker | undefined {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    worker?.ref();
    return worker;
  }

  /** Ends a thread that was not taken. */
  close(): void {
    void this.#worker?.terminate();
  }
}
