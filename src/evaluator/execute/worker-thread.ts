import { setTimeout as after } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { EpisodeDict } from "../../core/episode/schemas.js";
import { fromPlainError } from "../../core/plain-error.js";
import type { PolicyIdentities } from "../../core/policy-identity.js";
import { PackedTrajectory } from "../../runs/directory/trajectory.js";
import type { Job } from "../plan/queue.js";
import { FILM_LIMIT_MS } from "../record/video/film.js";
import type { EarlyThread } from "./early-thread.js";
import { WorkerLost } from "./worker-lost.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker-messages.js";
import type { EpisodeResult } from "./worker-pool.js";

/** `setTimeout` fires immediately for longer delays. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time for a worker to close. All results have been received before. */
const CLOSING_MS = 5000;

export interface ThreadOptions {
  /** The worker's entry module. */
  readonly entry: URL;
  readonly setup: WorkerSetup;
  /** An already started thread to use instead of a new one. */
  readonly early?: EarlyThread | undefined;
  /** All episodes of a task in this run, sent on request. */
  episodesOf(task: string): readonly EpisodeDict[];
  /** Folder for simulator logs; resolves once the run directory exists. */
  readonly logFolder?: Promise<string> | undefined;
}

interface Ready {
  /** One sentence per task. */
  readonly missingSensors: readonly string[];
  readonly policies: PolicyIdentities;
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

interface UnderWay extends Waiting<EpisodeResult> {
  readonly job: Job;
  readonly limitMs: number;
  /** False while it waits in the worker's queue. */
  hasBegun: boolean;
  watchdog?: NodeJS.Timeout | undefined;
  /** The final result, while the episode is being filmed. */
  unfilmed?: EpisodeResult;
}

/** The main thread's handle of a worker thread. */
export class WorkerThread {
  /** Rejects with the set-up error, or with `WorkerLost`. */
  readonly ready: Promise<Ready>;
  /** Resolves when the first episode was reset or ended, or when the thread is lost. */
  readonly firstReset: Promise<void>;
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  /** In the order sent, which is the order in which the worker starts them. */
  readonly #underWay = new Map<number, UnderWay>();
  #start: Waiting<Ready> | undefined;
  #onFirstReset: (() => void) | undefined;
  #jobs = 0;
  #lost: WorkerLost | undefined;
  #onClosed: (() => void) | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.ready = new Promise((resolve, reject) => {
      this.#start = { resolve, reject };
    });
    this.firstReset = new Promise((resolve) => {
      this.#onFirstReset = resolve;
    });
    // Awaited later; until then a rejection must not count as unhandled.
    this.ready.catch(() => {});
    this.#worker = options.early?.take() ?? new Worker(options.entry);
    this.#send({ type: "setup", setup: options.setup });
    void options.logFolder?.then((folder) => this.#send({ type: "logs", folder }));
    let cause: unknown;
    this.#worker.on("message", (message: FromWorker) => this.#receive(message));
    this.#worker.on("messageerror", (error) => this.#stop(WorkerLost.by(error)));
    this.#worker.on("error", (error) => {
      cause = error;
    });
    this.#worker.on("exit", (code) =>
      this.#end(cause === undefined ? WorkerLost.exited(code) : WorkerLost.by(cause)),
    );
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Rejects with `WorkerLost`, or with an error that ends the run.
   *
   * @param limitMs time from its start after which the thread is terminated; longer than the episode's own
   *   timeout
   */
  run(job: Job, limitMs: number): Promise<EpisodeResult> {
    if (this.#lost) return Promise.reject(this.#lost);
    const id = this.#jobs++;
    const { task, episode, repeat, attempt } = job;
    this.#send({ type: "run", job: id, task, episode: episode.toDict(), repeat, attempt });
    return new Promise((resolve, reject) => {
      this.#underWay.set(id, { job, limitMs, hasBegun: false, resolve, reject });
      this.#begin();
    });
  }

  /** Marks the oldest `concurrency` jobs as started: the worker runs that many at once, in order. */
  #begin(): void {
    let free = this.#options.setup.concurrency;
    for (const [id, underWay] of this.#underWay) {
      if (free-- === 0) return;
      if (underWay.hasBegun) continue;
      underWay.hasBegun = true;
      underWay.watchdog = this.#watch(id, underWay.limitMs);
    }
  }

  /** Lets an idle worker close its simulators and sessions; terminates a busy one. */
  async close(): Promise<void> {
    if (!this.#lost && !this.#start && this.#underWay.size === 0) {
      const closed = new Promise<void>((resolve) => {
        this.#onClosed = resolve;
      });
      this.#send({ type: "close" });
      await Promise.race([closed, pause(CLOSING_MS)]);
    }
    this.#end(WorkerLost.stopped());
    // A thread that is blocked in native code never terminates.
    await Promise.race([this.#worker.terminate(), pause(CLOSING_MS)]);
  }

  #watch(id: number, limitMs: number): NodeJS.Timeout | undefined {
    if (limitMs > LONGEST_TIMER_MS) return undefined;
    const expire = () => {
      if (this.#underWay.has(id)) this.#stop(WorkerLost.hung(limitMs, id));
    };
    // If the main thread was busy, the result may already be in its message queue: read that first.
    return setTimeout(() => setImmediate(expire), limitMs);
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if (this.#lost) return;
    switch (message.type) {
      case "ready":
        this.#start?.resolve(message);
        this.#start = undefined;
        break;
      case "refused":
        this.#start?.reject(fromPlainError(message.error));
        this.#stop(WorkerLost.stopped());
        break;
      case "first_reset":
        this.#onFirstReset?.();
        break;
      case "episodes_wanted": {
        const { task } = message;
        this.#send({ type: "episodes", task, episodes: this.#options.episodesOf(task) });
        break;
      }
      case "done": {
        const { job: id, line, faults, geometry, trajectory: bytes } = message;
        const done = this.#underWay.get(id);
        if (!done) break;
        const steps = bytes && new PackedTrajectory(done.job.episode, bytes);
        const unfilmed = { line, steps, faults, geometry };
        if (message.isFilmed) {
          clearTimeout(done.watchdog);
          done.watchdog = this.#watch(id, 2 * FILM_LIMIT_MS);
          done.unfilmed = unfilmed;
        } else this.#take(id)?.resolve(unfilmed);
        break;
      }
      case "filmed": {
        const done = this.#take(message.job);
        if (done?.unfilmed) done.resolve({ ...done.unfilmed, film: message.film });
        break;
      }
      case "failed":
        this.#take(message.job)?.reject(fromPlainError(message.error));
        break;
      case "closed":
        this.#onClosed?.();
        break;
    }
  }

  #take(id: number): UnderWay | undefined {
    this.#onFirstReset?.();
    const found = this.#underWay.get(id);
    this.#underWay.delete(id);
    clearTimeout(found?.watchdog);
    if (!this.#lost) this.#begin();
    return found;
  }

  #stop(why: WorkerLost): void {
    this.#end(why);
    void this.#worker.terminate();
  }

  /** Rejects everything that still waits for the thread. */
  #end(why: WorkerLost): void {
    if (this.#lost) return;
    this.#lost = why;
    this.#start?.reject(why);
    for (const id of [...this.#underWay.keys()]) {
      const lost = this.#take(id);
      const cause = lost?.hasBegun ? why.asSeenBy(id) : why.asSeenWaiting();
      if (lost?.unfilmed) {
        const film = { problem: cause.message, isLasting: false };
        lost.resolve({ ...lost.unfilmed, film });
      } else lost?.reject(cause);
    }
    this.#onFirstReset?.();
    this.#onClosed?.();
  }
}

/** Does not keep the process alive. */
async function pause(ms: number): Promise<void> {
  await after(ms, undefined, { ref: false });
}
