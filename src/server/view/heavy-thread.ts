import { Worker } from "node:worker_threads";
import { DataError } from "../../core/errors.js";
import { fromPlainError, type PlainError } from "../../core/plain-error.js";
import type { Kind } from "./heavy-jobs.js";

export interface HeavyQuestion {
  readonly kind: Kind;
  readonly given: unknown;
}

export type HeavyAnswer = { readonly made: unknown } | { readonly error: PlainError };

/** A job with the functions that settle its promise. */
export interface Waiting extends HeavyQuestion {
  readonly resolve: (made: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export const ENTRY = new URL("./heavy-main.js", import.meta.url);

/** A thread that runs one job at a time. It does not keep the process alive while idle. */
export class HeavyThread {
  readonly #worker = new Worker(ENTRY);
  #underWay: Waiting | undefined;
  #isLost = false;

  /** @param onFree called when the thread is idle again, or has exited */
  constructor(private readonly onFree: () => void) {
    this.#worker.on("message", (answer: HeavyAnswer) => this.#settle(settlement(answer)));
    this.#worker.on("error", (error) => this.#lose(error));
    this.#worker.on("exit", (code) => this.#lose(new Error(`the thread exited with code ${code}`)));
    this.#worker.unref();
  }

  get isFree(): boolean {
    return this.#underWay === undefined && !this.#isLost;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  ask(waiting: Waiting): void {
    this.#underWay = waiting;
    this.#worker.ref();
    const { kind, given } = waiting;
    this.#worker.postMessage({ kind, given } satisfies HeavyQuestion);
  }

  async close(): Promise<void> {
    this.#lose(new DataError("closed", "the server is closing"));
    await this.#worker.terminate();
  }

  #lose(error: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#settle((waiting) => waiting.reject(error));
  }

  #settle(settle: (waiting: Waiting) => void): void {
    const waiting = this.#underWay;
    this.#underWay = undefined;
    this.#worker.unref();
    if (waiting) settle(waiting);
    this.onFree();
  }
}

function settlement(answer: HeavyAnswer): (waiting: Waiting) => void {
  if ("made" in answer) return ({ resolve }) => resolve(answer.made);
  return ({ reject }) => reject(fromPlainError(answer.error));
}
