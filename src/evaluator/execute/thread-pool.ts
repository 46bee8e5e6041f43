import { ConfigError, errorMessage, RobotEvalError, StopRunError } from "../../core/errors.js";
import { checkSamePolicies, type PolicyIdentities } from "../../core/policy-identity.js";
import type { RunPlan, TaskPlan } from "../plan/prepare.js";
import type { Job } from "../plan/queue.js";
import type { EarlyThread } from "./early-thread.js";
import { identify, lineOf, platformFault } from "./episode-line.js";
import type { RunnerSettings } from "./local-runner.js";
import { timeoutMs } from "./task-session.js";
import { WorkerLost } from "./worker-lost.js";
import type { EpisodeResult, EpisodeRunner, WorkerPool } from "./worker-pool.js";
import { makeSetup } from "./worker-setup.js";
import { type ThreadOptions, WorkerThread } from "./worker-thread.js";

/** A worker ends an overdue episode itself. If its thread is blocked, it is terminated after this time. */
const GRACE_MS = 30_000;

/**
 * After an episode shorter than this, the worker is sent the next one ahead of time. Otherwise it would be
 * idle until the main thread, which has no core of its own, gets to send it. Longer episodes are not sent
 * ahead: another worker might be free first.
 */
const QUICK_MS = 200;

/** Time for a policy that has answered one worker to answer another. It need not start or load anything. */
const SECOND_CONNECTION_MS = 5000;

/** Codes of connections that a policy does not answer: it may serve one at a time. */
const UNANSWERED: readonly string[] = ["connect_timeout", "no_handshake", "no_metadata"];

/** Consecutive failed starts of worker threads that end the run. */
const MOST_FAILED_STARTS = 3;

export interface PoolOptions extends RunnerSettings {
  readonly workers: number;
  /** Episodes that each worker runs at once. */
  readonly concurrency: number;
  readonly graceMs?: number | undefined;
  /** The worker's entry module. */
  readonly entry: URL;
  /** A thread that already runs `entry`, for the first worker; ended if no thread is needed. */
  readonly early?: EarlyThread | undefined;
  /** Ends the opening, which may wait long for a policy that does not answer; has no effect later. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Worker threads that run whole episodes. Simulator, agent session and metrics stay in the worker; only the
 * episode line and the packed trajectory cross threads. A thread that crashes makes its running episodes
 * invalid and is replaced.
 */
export class ThreadPool implements WorkerPool {
  readonly runners: readonly EpisodeRunner[];
  readonly #plan: RunPlan;
  readonly #options: PoolOptions;
  readonly #thread: ThreadOptions;
  /** All threads that may still run. */
  readonly #threads = new Set<WorkerThread>();
  /** The thread of each worker, or the one that is starting to replace it. */
  readonly #current: Promise<WorkerThread>[];
  #missingSensors: readonly string[] = [];
  /** The policies that the first ready thread reported. */
  #policies: PolicyIdentities | undefined;
  #failedStarts = 0;
  #firstHasJob = false;
  #startOthers: (() => void) | undefined;
  #closed = false;

  private constructor(plan: RunPlan, options: PoolOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#thread = {
      entry: options.entry,
      setup: makeSetup(plan, options),
      logFolder: options.logFolder,
      early: options.early,
      episodesOf: (task) => this.#taskOf(task).episodes.map((episode) => episode.toDict()),
    };
    const workers = Array.from({ length: options.workers }, (_, worker) => worker);
    const first = this.#start("first");
    const before = this.#beforeOthers(first);
    this.#current = workers.map((worker) =>
      worker === 0 ? first : before.then(() => this.#start(hasPolicy(plan) ? "other" : "first")),
    );
    // Awaited when a runner needs its thread; until then a rejection must not count as unhandled.
    for (const current of [before, ...this.#current]) current.catch(() => {});
    this.runners = workers.flatMap((worker) =>
      Array.from({ length: options.concurrency }, () => this.#runner(worker)),
    );
  }

  /**
   * Resolves when the first worker is ready, so that a wrong set-up fails before anything is written. With a
   * remote agent or simulator it waits for all workers, since each of them may fail.
   */
  static async open(plan: RunPlan, options: PoolOptions): Promise<ThreadPool> {
    const pool = new ThreadPool(plan, options);
    const close = () => void pool.close();
    options.signal?.addEventListener("abort", close);
    try {
      options.signal?.throwIfAborted();
      await (plan.tasks.some(isRemote) ? Promise.all(pool.#current) : pool.#current[0]);
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", close);
    }
  }

  /**
   * When the workers after the first start. They wait until it has loaded the world of its first episode, so that it
   * has the cores to itself. If the run begins only when all workers are ready, they start at once, or as soon as the
   * first has found the policy.
   */
  #beforeOthers(first: Promise<WorkerThread>): Promise<unknown> {
    if (hasPolicy(this.#plan)) return first;
    if (this.#plan.tasks.some(isRemote)) return Promise.resolve();
    const needed = new Promise<void>((resolve) => {
      this.#startOthers = resolve;
    });
    return first.then((thread) => Promise.race([thread.firstReset, needed]));
  }

  get missingSensors(): readonly string[] {
    return this.#missingSensors;
  }

  get policies(): PolicyIdentities {
    return this.#policies ?? {};
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #runner(worker: number): EpisodeRunner {
    let lastMs = Number.POSITIVE_INFINITY;
    // A worker that runs several episodes at once is not idle between two of them.
    const alone = this.#options.concurrency === 1;
    return {
      worker,
      get takesAhead() {
        return alone && lastMs < QUICK_MS;
      },
      run: async (job) => {
        if (worker === 0) this.#firstHasJob = true;
        else if (!this.#firstHasJob) this.#startOthers?.();
        const { task } = this.#taskOf(job.task);
        const limitMs = timeoutMs(task.taskFor(job.episode)) + (this.#options.graceMs ?? GRACE_MS);
        for (;;) {
          const thread = await this.#alive(worker);
          const started = performance.now();
          try {
            const result = await thread.run(job, limitMs);
            lastMs = result.line.wall_ms;
            return result;
          } catch (error) {
            if (!(error instanceof WorkerLost)) throw error;
            if (!error.hadBegun && !this.#closed) continue;
            lastMs = performance.now() - started;
            return this.#lostEpisode(job, error, lastMs);
          }
        }
      },
    };
  }

  async #alive(worker: number): Promise<WorkerThread> {
    for (;;) {
      const current = this.#current[worker];
      const thread = await current;
      if (thread && !thread.isLost) return thread;
      // Several runners of the worker may find it lost; the first one replaces it.
      if (this.#current[worker] === current) this.#current[worker] = this.#start("replacement");
    }
  }

  /** A first thread that rejects its set-up reports the user's mistake; a replacement is tried again. */
  async #start(which: "first" | "other" | "replacement"): Promise<WorkerThread> {
    for (;;) {
      if (this.#closed) throw new Error("the worker pool is closed");
      const setup = { ...this.#thread.setup, connectWithinMs: SECOND_CONNECTION_MS };
      const thread = new WorkerThread(
        which === "other" ? { ...this.#thread, setup } : this.#thread,
      );
      this.#threads.add(thread);
      try {
        const { missingSensors, policies } = await thread.ready;
        this.#missingSensors = missingSensors;
        this.#policies ??= policies;
        checkSamePolicies(policies, this.#policies, this.#plan.agentSpec);
        this.#failedStarts = 0;
        return thread;
      } catch (error) {
        this.#threads.delete(thread);
        const crashed = error instanceof WorkerLost;
        if (error instanceof StopRunError) await thread.close();
        if (error instanceof StopRunError) throw error;
        if (which !== "replacement" && !crashed) {
          throw which === "other" ? ifUnanswered(error, this.#plan.agentSpec) : error;
        }
        if (++this.#failedStarts >= MOST_FAILED_STARTS) throw crashed ? cannotStart(error) : error;
      }
    }
  }

  #lostEpisode(job: Job, lost: WorkerLost, wallMs: number): EpisodeResult {
    const { task } = this.#taskOf(job.task);
    const report = platformFault("worker_crashed", { code: lost.code, message: lost.message });
    const identity = identify(job, this.#options.seed);
    return {
      line: lineOf(task, job, identity, report, wallMs),
      steps: undefined,
      faults: [{ fault: "platform", error: lost.detail }],
    };
  }

  #taskOf(name: string): TaskPlan {
    const found = this.#plan.tasks.find(({ task }) => task.name === name);
    if (!found) throw new Error(`the run has no task ${name}`);
    return found;
  }
}

/** Whether workers need something outside this process, which may fail for some of them only. */
function isRemote({ agent, simulator }: TaskPlan): boolean {
  return agent.threads !== undefined || simulator?.isRemote === true;
}

/** Whether the agents are policies in other processes. */
function hasPolicy({ tasks }: RunPlan): boolean {
  return tasks.some(({ agent }) => agent.threads === "asked");
}

function ifUnanswered(error: unknown, where: string): unknown {
  if (!(error instanceof RobotEvalError) || !UNANSWERED.includes(error.code)) return error;
  return new ConfigError(
    "busy",
    `the policy answered the first worker, and not a second one within ${SECOND_CONNECTION_MS / 1000} s`,
    { where, hint: "if it serves one connection at a time, run with --workers 1", cause: error },
  );
}

function cannotStart(lost: WorkerLost): RobotEvalError {
  return new RobotEvalError(
    "workers_do_not_start",
    `${MOST_FAILED_STARTS} worker threads in a row ended before they were ready; the last: ${errorMessage(lost)}`,
    {
      where: "workers",
      hint: "run with --workers 1 to see the cause: everything then runs in the main thread",
      exitCode: 1,
      cause: lost.cause,
    },
  );
}
