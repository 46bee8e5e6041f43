import { setImmediate as immediate } from "node:timers/promises";
import type { PolicyIdentities } from "../../core/policy-identity.js";
import type { RunPlan } from "../plan/prepare.js";
import { GivenOrder, type Job, type JobQueue, SceneOrder } from "../plan/queue.js";
import type { VideoChoice } from "../record/video/film.js";
import type { EarlyThread } from "./early-thread.js";
import { openWorkerPool } from "./open-worker-pool.js";
import { checkCount, registeredInPlan, type WorkerOptions, workerCount } from "./worker-count.js";
import type { EpisodeResult, EpisodeRunner, WorkerPool } from "./worker-pool.js";

export interface SchedulerOptions extends WorkerOptions {
  /** Episodes that each worker runs at once, interleaved while agents compute. */
  readonly concurrency?: number | undefined;
  /** Milliseconds past its timeout after which an episode's worker is terminated. Default 30,000. */
  readonly workerGraceMs?: number | undefined;
  /** The queue of the run's jobs. Default: an order that suits the run. */
  readonly makeQueue?: ((jobs: readonly Job[]) => JobQueue) | undefined;
  /** A thread that was started before the episodes were read. */
  readonly early?: EarlyThread | undefined;
  readonly savesTrajectories: boolean;
  /** Also saves the geometry of worlds that only their simulator can describe. */
  readonly keepsGeometry?: boolean | undefined;
  /** Which episodes are filmed. Default none. */
  readonly video?: VideoChoice | undefined;
  /** Folder for simulator logs; resolves once the run directory exists. */
  readonly logFolder?: Promise<string> | undefined;
}

/**
 * Results of one runner that may wait to be saved while it runs further episodes. An fsync takes up to a
 * second on a slow disk; runners do not wait for it.
 */
const MOST_UNSAVED = 64;

/**
 * After an episode of this length all results are saved before the next one. An episode of an agent in this thread never
 * yields, so that writing a file, which takes several turns of the event loop, would last as many episodes.
 */
const LONG_EPISODE_MS = 500;

/** Saves the result of a finished episode. */
export type SaveResult = (result: EpisodeResult, job: Job) => Promise<void>;

/** Callbacks for what happens during an execution, except results. */
export interface ExecutionEvents {
  /** A message for the reader of the run. */
  readonly onWarning: (message: string) => void;
  /** The run cannot go on. */
  readonly onGiveUp: (why: string) => void;
}

/** The abort reason of a run that ends itself because going on is pointless. */
export class RunAborted extends Error {
  override readonly name = "RunAborted";
}

/** Executes the jobs of a run, in this process or in a cluster. */
export interface Execution {
  readonly queue: JobQueue;
  /** One sentence per task that asks for sensors its simulator does not have. */
  readonly missingSensors: readonly string[];
  /** The declared policies by task; empty if they are not known yet. */
  readonly policies: PolicyIdentities;
  /** Ends when the queue is empty, or when `signal` is aborted and the running episodes have ended. */
  run(save: SaveResult, signal: AbortSignal, events: ExecutionEvents): Promise<void>;
  close(): Promise<void>;
}

/** Distributes the jobs of a run over the runners of this process. */
export class Scheduler implements Execution {
  readonly queue: JobQueue;
  readonly #pool: WorkerPool;
  #failed = false;

  private constructor(queue: JobQueue, pool: WorkerPool) {
    this.queue = queue;
    this.#pool = pool;
  }

  /** Resolves when simulators and agents are ready, so that a wrong set-up fails before anything is written. */
  static async open(
    plan: RunPlan,
    jobs: readonly Job[],
    options: SchedulerOptions,
  ): Promise<Scheduler> {
    const { concurrency = 1, workerGraceMs, video = "none", early } = options;
    const { savesTrajectories, keepsGeometry, logFolder } = options;
    checkCount(concurrency, "concurrency");
    const agents = plan.tasks.map(({ agent }) => agent);
    const inProgram = registeredInPlan(plan);
    const workers = workerCount(options, { episodes: jobs.length, agents, inProgram });
    // Early stopping looks at a task's first episodes, so these must run in the given order.
    const ownQueue = () => (plan.drawsOrder ? new GivenOrder(jobs) : new SceneOrder(jobs));
    const queue = options.makeQueue?.(jobs) ?? ownQueue();
    const pool = await openWorkerPool(plan, {
      ...{ seed: plan.seed, savesTrajectories, keepsGeometry, video, logFolder },
      workers,
      concurrency: Math.min(concurrency, Math.ceil(jobs.length / workers)),
      graceMs: workerGraceMs,
      early,
    });
    return new Scheduler(queue, pool);
  }

  get missingSensors(): readonly string[] {
    return this.#pool.missingSensors;
  }

  get policies(): PolicyIdentities {
    return this.#pool.policies;
  }

  async run(save: SaveResult, signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#pool.runners.map((runner) => this.#feed(runner, save, signal)));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #feed(
    runner: EpisodeRunner,
    save: SaveResult,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    /** Results that are being saved, oldest first. */
    const saving: Promise<void>[] = [];
    const take = () => {
      return this.#failed || signal?.aborted ? undefined : this.queue.take(runner.worker);
    };
    try {
      await feedRunner(runner, {
        take,
        // Saving an invalid episode may put its job back into the queue.
        more: async () => {
          const wasSaving = saving.length > 0;
          await Promise.all(saving.splice(0));
          return wasSaving || ((await this.queue.wait?.(signal)) ?? false);
        },
        finished: async (running, job) => {
          while (saving.length >= MOST_UNSAVED) await saving.shift();
          const result = await running;
          if (this.#failed) return false;
          const saved = save(result, job);
          saved.catch(() => {
            this.#failed = true;
          });
          saving.push(saved);
          // An episode may run without ever yielding; this lets pending file writes proceed.
          await immediate();
          if (result.line.wall_ms >= LONG_EPISODE_MS) await Promise.all(saving.splice(0));
          return true;
        },
      });
      await Promise.all(saving);
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}

/** Where a runner's jobs come from and where its results go. */
export interface JobFeed {
  /** The next job, or undefined if there is none now. */
  take(): Job | undefined;
  /** Called when `take` gave nothing and no episode is running. False ends the loop. */
  more(): Promise<boolean>;
  /** Handles a result, oldest first. The runner takes no further job until it resolves; false ends the loop. */
  finished(result: Promise<EpisodeResult>, job: Job): Promise<boolean>;
}

/** Keeps one runner busy. Local runs and cluster workers use this same loop. */
export async function feedRunner(runner: EpisodeRunner, feed: JobFeed): Promise<void> {
  const running: { readonly job: Job; readonly result: Promise<EpisodeResult> }[] = [];
  for (;;) {
    while (running.length <= (runner.takesAhead ? 1 : 0)) {
      const job = feed.take();
      if (!job) break;
      const result = runner.run(job);
      // `finished` handles a rejection, unless an earlier result ends the loop before.
      result.catch(() => {});
      running.push({ job, result });
    }
    const first = running.shift();
    if (!first) {
      if (await feed.more()) continue;
      return;
    }
    if (!(await feed.finished(first.result, first.job))) return;
  }
}
