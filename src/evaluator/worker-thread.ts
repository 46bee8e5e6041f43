import { setTimeout as after } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { EpisodeDict } from "../core/episode/schemas.js";
import { PackedTrajectory } from "../runs/trajectory.js";
import type { EpisodeResult } from "./crew.js";
import { fromPlainError } from "./plain-error.js";
import type { Job } from "./queue.js";
import { FILM_LIMIT_MS } from "./video/film.js";
import { WorkerLost } from "./worker-lost.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker-messages.js";

/** Longer timers overflow and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What closing may take. The results are in by then. */
const CLOSING_MS = 5000;

export interface ThreadOptions {
  /** The worker's program. */
  readonly entry: URL;
  readonly setup: WorkerSetup;
  /** All of a task's episodes in this run, for a worker that asks. */
  episodesOf(task: string): readonly EpisodeDict[];
  /** For what simulators write; known when the run has begun. */
  readonly logFolder?: Promise<string> | undefined;
}

interface Ready {
  /** A sentence a task. */
  readonly missingSensors: readonly string[];
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

interface UnderWay extends Waiting<EpisodeResult> {
  readonly job: Job;
  readonly limitMs: number;
  /** False while it waits for a lane. */
  hasBegun: boolean;
  watchdog?: NodeJS.Timeout | undefined;
  /** What stands already, while the episode is filmed. */
  judged?: EpisodeResult;
}

/** A worker as the main thread sees it. */
export class WorkerThread {
  /** Rejects with what is wrong with the set-up, or with `WorkerLost`. */
  readonly ready: Promise<Ready>;
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  /** In the order in which they were sent, which is that in which they begin. */
  readonly #underWay = new Map<number, UnderWay>();
  #start: Waiting<Ready> | undefined;
  #jobs = 0;
  #lost: WorkerLost | undefined;
  #onClosed: (() => void) | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.ready = new Promise((resolve, reject) => {
      this.#start = { resolve, reject };
    });
    // Whoever awaits it sees the failure; one that nobody has come to await yet must not end the run.
    this.ready.catch(() => {});
    this.#worker = new Worker(options.entry, { workerData: options.setup });
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
   * @param limitMs since its beginning, after which the thread is given up; the episode's own time-out comes
   *   first
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

  /** As many have begun as the worker has lanes: it takes what waits as soon as one is free. */
  #begin(): void {
    let lanes = this.#options.setup.lanes;
    for (const [id, underWay] of this.#underWay) {
      if (lanes-- === 0) return;
      if (underWay.hasBegun) continue;
      underWay.hasBegun = true;
      underWay.watchdog = this.#watch(id, underWay.limitMs);
    }
  }

  /** Lets an idle worker close its simulators and sessions; a busy one is stopped. */
  async close(): Promise<void> {
    if (!this.#lost && !this.#start && this.#underWay.size === 0) {
      const closed = new Promise<void>((resolve) => {
        this.#onClosed = resolve;
      });
      this.#send({ type: "close" });
      await Promise.race([closed, pause(CLOSING_MS)]);
    }
    this.#end(WorkerLost.stopped());
    // A thread that is stuck outside JavaScript does not end.
    await Promise.race([this.#worker.terminate(), pause(CLOSING_MS)]);
  }

  #watch(id: number, limitMs: number): NodeJS.Timeout | undefined {
    if (limitMs > LONGEST_TIMER_MS) return undefined;
    const bark = () => {
      if (this.#underWay.has(id)) this.#stop(WorkerLost.hung(limitMs, id));
    };
    // If this thread was busy itself, the result may be waiting to be received: that comes first.
    return setTimeout(() => setImmediate(bark), limitMs);
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if (this.#lost) return;
    switch (message.type) {
      case "ready":
        this.#start?.resolve({ missingSensors: message.missingSensors });
        this.#start = undefined;
        break;
      case "refused":
        this.#start?.reject(fromPlainError(message.error));
        this.#stop(WorkerLost.stopped());
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
        const judged = { line, steps, faults, geometry };
        if (message.isFilmed) {
          clearTimeout(done.watchdog);
          done.watchdog = this.#watch(id, 2 * FILM_LIMIT_MS);
          done.judged = judged;
        } else this.#take(id)?.resolve(judged);
        break;
      }
      case "filmed": {
        const done = this.#take(message.job);
        if (done?.judged) done.resolve({ ...done.judged, film: message.film });
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

  /** Nothing more is to be expected of the thread. */
  #end(why: WorkerLost): void {
    if (this.#lost) return;
    this.#lost = why;
    this.#start?.reject(why);
    for (const id of [...this.#underWay.keys()]) {
      const lost = this.#take(id);
      const cause = lost?.hasBegun ? why.asSeenBy(id) : why.asSeenWaiting();
      if (lost?.judged) {
        const film = { problem: cause.message, isLasting: false };
        lost.resolve({ ...lost.judged, film });
      } else lost?.reject(cause);
    }
    this.#onClosed?.();
  }
}

/** Keeps no process alive. */
async function pause(ms: number): Promise<void> {
  await after(ms, undefined, { ref: false });
}
