import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { DataError } from "../../core/errors.js";
import { type Given, HEAVY, type Kind, type Made } from "./heavy-jobs.js";

export interface HeavyQuestion {
  readonly kind: Kind;
  readonly given: unknown;
}

export type HeavyAnswer =
  | { readonly made: unknown }
  | {
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly where: string | undefined;
        readonly hint: string | undefined;
      };
    }
  | { readonly fault: string };

interface Waiting extends HeavyQuestion {
  readonly resolve: (made: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const ENTRY = new URL("./heavy-main.js", import.meta.url);

/** What a page waits for goes before what it fills in later. */
const ORDER: Readonly<Record<Kind, number>> = { scene: 0, compare: 1, map: 2, track: 2, frames: 3 };

/**
 * Does what takes long, one thing after the other and in a thread of its own, so that lists and tables are
 * served meanwhile. Where the thread's program is not built (in tests of the source) it is done here.
 */
export class HeavyWork {
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #underWay: Waiting | undefined;
  #closed = false;

  do<K extends Kind>(kind: K, given: Given<K>): Promise<Made<K>> {
    return new Promise((resolve, reject) => {
      const waiting = { kind, given, resolve: (made: unknown) => resolve(made as Made<K>), reject };
      // Of two alike the later one goes first: whoever leafs through episodes looks at the last of them.
      const after = this.#waiting.findIndex((other) => ORDER[other.kind] >= ORDER[kind]);
      this.#waiting.splice(after === -1 ? this.#waiting.length : after, 0, waiting);
      this.#next();
    });
  }

  /** Starts the thread before it is needed: its program takes a second to load. */
  warmUp(): void {
    if (existsSync(fileURLToPath(ENTRY))) this.#thread();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const left = [this.#underWay, ...this.#waiting.splice(0)];
    this.#underWay = undefined;
    for (const waiting of left) waiting?.reject(new DataError("closed", "the server is closing"));
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #next(): void {
    if (this.#underWay || this.#closed) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#underWay = next;
    if (!existsSync(fileURLToPath(ENTRY))) {
      void this.#doHere(next);
      return;
    }
    const thread = this.#thread();
    thread.ref();
    thread.postMessage(question(next));
  }

  async #doHere({ kind, given }: Waiting): Promise<void> {
    try {
      const make = HEAVY[kind] as (given: unknown) => Promise<unknown>;
      const made = await make(given);
      this.#settle((waiting) => waiting.resolve(made));
    } catch (error) {
      this.#settle((waiting) => waiting.reject(error));
    }
  }

  /** Does not keep the process alive while nothing is asked of it. */
  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(ENTRY);
    worker.on("message", (answer: HeavyAnswer) => this.#take(answer));
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", (code) => this.#lose(worker, new Error(`the thread ended with ${code}`)));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #take(answer: HeavyAnswer): void {
    this.#settle((waiting) => {
      if ("made" in answer) waiting.resolve(answer.made);
      else if ("fault" in answer) waiting.reject(new Error(answer.fault));
      else {
        const { code, message, where, hint } = answer.error;
        waiting.reject(new DataError(code, message, { where, hint }));
      }
    });
  }

  /** The next question starts another thread. */
  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#settle((waiting) => waiting.reject(error));
  }

  #settle(tell: (waiting: Waiting) => void): void {
    const waiting = this.#underWay;
    this.#underWay = undefined;
    this.#worker?.unref();
    if (waiting) tell(waiting);
    this.#next();
  }
}

function question({ kind, given }: Waiting): HeavyQuestion {
  return { kind, given };
}
