import type { LiveEvent } from "./view/documents.js";
import type { RunLibrary } from "./view/library.js";

const EVERY_MS = 1000;
/** Pause between two listings, as a multiple of the time that the last one took. */
const REST = 4;

/** Changes of the list, and the revision after them. */
export interface Changes {
  readonly revision: string;
  readonly events: readonly LiveEvent[];
}

/** Reports changes of the runs. Polls the files only while there are listeners. */
export class LiveRuns {
  readonly #waiting = new Set<() => void>();
  #listeners = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The revision at which listeners were last woken; requests also update the list. */
  #lastRevision: string | undefined;
  #isPolling = false;
  #isClosed = false;

  constructor(private readonly library: RunLibrary) {}

  /**
   * Yields the changes since a revision, then further changes until `signal` is aborted. A slow listener gets the
   * changes of several listings at once: nothing is queued for it.
   *
   * @param since a revision of the list; without one, every run is yielded first
   */
  async *changes(since: string | undefined, signal: AbortSignal): AsyncGenerator<Changes> {
    this.#listeners++;
    this.#poll();
    let seen = since;
    try {
      while (!signal.aborted && !this.#isClosed) {
        const { revision } = this.library;
        const events = this.library.changesSince(seen);
        seen = revision;
        if (events.length > 0) yield { revision, events };
        if (seen === this.library.revision) await this.#change(signal);
      }
    } finally {
      this.#listeners--;
      if (this.#listeners === 0) this.#stopPolling();
    }
  }

  /** Ends all listeners. */
  close(): void {
    this.#isClosed = true;
    this.#stopPolling();
    this.#wake();
  }

  #change(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    this.#lastRevision = this.library.revision;
    for (const wake of [...this.#waiting]) wake();
  }

  #stopPolling(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    if (this.#isPolling || this.#timer || this.#isClosed) return;
    this.#isPolling = true;
    const began = performance.now();
    this.library
      .runs(true)
      // A folder that is temporarily missing must not end the polling.
      .catch(() => {})
      .finally(() => {
        this.#isPolling = false;
        if (this.library.revision !== this.#lastRevision) this.#wake();
        if (this.#listeners === 0 || this.#isClosed) return;
        const restMs = Math.max(EVERY_MS, REST * (performance.now() - began));
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#poll();
        }, restMs);
      });
  }
}
