import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DataError } from "../../core/errors.js";
import { type Given, HEAVY, type Kind, type Made } from "./heavy-jobs.js";
import { ENTRY, HeavyThread, type Waiting } from "./heavy-thread.js";

/** Priorities: contents that a page waits for come before those that it fills in later. */
const ORDER: Readonly<Record<Kind, number>> = { scene: 0, compare: 1, map: 2, track: 2, frames: 3 };

/**
 * Runs slow jobs in threads, so that the server stays responsive. If the threads' entry point is not built, as in
 * tests of the source, the jobs run in this thread, one at a time.
 */
export class HeavyWork {
  readonly #most: number;
  readonly #waiting: Waiting[] = [];
  #threads: HeavyThread[] = [];
  #isBusyHere = false;
  #closed = false;

  /** @param threads maximum number of concurrent jobs */
  constructor(threads: number) {
    this.#most = threads;
  }

  do<K extends Kind>(kind: K, given: Given<K>): Promise<Made<K>> {
    return new Promise((resolve, reject) => {
      const waiting = { kind, given, resolve: (made: unknown) => resolve(made as Made<K>), reject };
      // Within a priority, the latest job comes first: a reader who browses episodes waits for the last one.
      const after = this.#waiting.findIndex((other) => ORDER[other.kind] >= ORDER[kind]);
      this.#waiting.splice(after === -1 ? this.#waiting.length : after, 0, waiting);
      this.#next();
    });
  }

  /** Starts a thread in advance, because it takes a second to load. */
  warmUp(): void {
    if (existsSync(fileURLToPath(ENTRY)) && !this.#closed) this.#free();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new DataError("closed", "the server is closing"));
    }
    await Promise.all(this.#threads.map((thread) => thread.close()));
    this.#threads = [];
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#closed) return;
    if (!existsSync(fileURLToPath(ENTRY))) {
      void this.#doHere();
      return;
    }
    const thread = this.#free();
    const next = thread && this.#waiting.shift();
    if (next) thread.ask(next);
  }

  /** An idle thread; undefined while all are busy. */
  #free(): HeavyThread | undefined {
    this.#threads = this.#threads.filter(({ isLost }) => !isLost);
    const free = this.#threads.find(({ isFree }) => isFree);
    if (free || this.#threads.length >= this.#most) return free;
    const thread = new HeavyThread(() => this.#next());
    this.#threads.push(thread);
    return thread;
  }

  async #doHere(): Promise<void> {
    if (this.#isBusyHere) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#isBusyHere = true;
    try {
      const make = HEAVY[next.kind] as (given: unknown) => Promise<unknown>;
      next.resolve(await make(next.given));
    } catch (error) {
      next.reject(error);
    }
    this.#isBusyHere = false;
    this.#next();
  }
}
