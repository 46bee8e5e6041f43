import { errorMessage, RobotEvalError } from "../core/errors.js";
import type { Crew, EpisodeResult, Seat } from "./crew.js";
import { identify, lineOf, platformFault } from "./episode-line.js";
import type { LaneSettings } from "./lane.js";
import type { RunPlan, TaskPlan } from "./prepare.js";
import type { Job } from "./queue.js";
import { timeoutMs } from "./slot.js";
import { WorkerLost } from "./worker-lost.js";
import { makeSetup } from "./worker-setup.js";
import { type ThreadOptions, WorkerThread } from "./worker-thread.js";

/** An overdue episode is ended by its worker, unless the thread is blocked: then this is waited for. */
const GRACE_MS = 30_000;

/**
 * Where episodes are over sooner, the next one is sent before: else a worker would be idle for a good part of
 * the time while this thread, which has no core of its own, comes to send it. Where they take longer it is
 * not worth it, and an episode that waits for one worker could have been run by another.
 */
const QUICK_MS = 200;

/** In a row. What keeps workers from starting three times will do so again. */
const MOST_FAILED_STARTS = 3;

export interface PoolOptions extends LaneSettings {
  readonly workers: number;
  /** Episodes under way at once in each. */
  readonly lanes: number;
  readonly graceMs?: number | undefined;
  /** The worker's program. */
  readonly entry: URL;
}

/**
 * Threads that each run whole episodes: simulator, agent session and metrics stay together, and only
 * the finished line and the packed trajectory come back. A thread that crashes costs the episodes under
 * way in it and is replaced.
 */
export class WorkerPool implements Crew {
  readonly seats: readonly Seat[];
  readonly #plan: RunPlan;
  readonly #options: PoolOptions;
  readonly #thread: ThreadOptions;
  /** All that may be alive. */
  readonly #threads = new Set<WorkerThread>();
  /** Each worker's thread: the one at work, or the one that is starting in its place. */
  readonly #current: Promise<WorkerThread>[];
  #missingSensors: readonly string[] = [];
  #failedStarts = 0;
  #closed = false;

  private constructor(plan: RunPlan, options: PoolOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#thread = {
      entry: options.entry,
      setup: makeSetup(plan, options),
      logFolder: options.logFolder,
      episodesOf: (task) => this.#taskOf(task).episodes.map((episode) => episode.toDict()),
    };
    const workers = Array.from({ length: options.workers }, (_, worker) => worker);
    this.#current = workers.map(() => this.#start("first"));
    this.seats = workers.flatMap((worker) =>
      Array.from({ length: options.lanes }, () => this.#seat(worker)),
    );
  }

  /** When all workers are ready: a wrong set-up is said before anything is written. */
  static async open(plan: RunPlan, options: PoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(plan, options);
    try {
      await Promise.all(pool.#current);
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  get missingSensors(): readonly string[] {
    return this.#missingSensors;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #seat(worker: number): Seat {
    let lastMs = Number.POSITIVE_INFINITY;
    // A worker with several lanes has another episode to go on with.
    const alone = this.#options.lanes === 1;
    return {
      worker,
      get takesAhead() {
        return alone && lastMs < QUICK_MS;
      },
      run: async (job) => {
        const result = await this.#run(worker, job);
        lastMs = result.line.wall_ms;
        return result;
      },
    };
  }

  async #run(worker: number, job: Job): Promise<EpisodeResult> {
    const { judged } = this.#taskOf(job.task);
    const limitMs = timeoutMs(judged.taskFor(job.episode)) + (this.#options.graceMs ?? GRACE_MS);
    for (;;) {
      const thread = await this.#alive(worker);
      const started = performance.now();
      try {
        return await thread.run(job, limitMs);
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error;
        if (!error.hadBegun && !this.#closed) continue;
        return this.#lostEpisode(job, error, performance.now() - started);
      }
    }
  }

  async #alive(worker: number): Promise<WorkerThread> {
    for (;;) {
      const current = this.#current[worker];
      const thread = await current;
      if (thread && !thread.isLost) return thread;
      // Several seats of the worker may find it lost; the first replaces it.
      if (this.#current[worker] === current) this.#current[worker] = this.#start("replacement");
    }
  }

  /** A first thread that refuses its set-up says what the user must mend; a later one may recover. */
  async #start(which: "first" | "replacement"): Promise<WorkerThread> {
    for (;;) {
      if (this.#closed) throw new Error("the worker pool is closed");
      const thread = new WorkerThread(this.#thread);
      this.#threads.add(thread);
      try {
        this.#missingSensors = (await thread.ready).missingSensors;
        this.#failedStarts = 0;
        return thread;
      } catch (error) {
        this.#threads.delete(thread);
        const crashed = error instanceof WorkerLost;
        if (which === "first" && !crashed) throw error;
        if (++this.#failedStarts >= MOST_FAILED_STARTS) throw crashed ? cannotStart(error) : error;
      }
    }
  }

  #lostEpisode(job: Job, lost: WorkerLost, wallMs: number): EpisodeResult {
    const { judged } = this.#taskOf(job.task);
    const report = platformFault("worker_crashed", { code: lost.code, message: lost.message });
    const identity = identify(job, this.#options.seed);
    return {
      line: lineOf(judged, job, identity, report, wallMs),
      steps: undefined,
      faults: [{ fault: "platform", error: lost.detail }],
    };
  }

  #taskOf(name: string): TaskPlan {
    const found = this.#plan.tasks.find(({ judged }) => judged.name === name);
    if (!found) throw new Error(`the run has no task ${name}`);
    return found;
  }
}

function cannotStart(lost: WorkerLost): RobotEvalError {
  return new RobotEvalError(
    "workers_do_not_start",
    `${MOST_FAILED_STARTS} worker threads in a row ended before they were ready; the last: ${errorMessage(lost)}`,
    {
      where: "workers",
      hint: "with --workers 1 everything runs in the main thread, where the cause shows itself",
      exitCode: 1,
      cause: lost.cause,
    },
  );
}
