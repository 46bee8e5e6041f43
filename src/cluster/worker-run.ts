import type { PolicyIdentities } from "../core/policy-identity.js";
import { identify, lineOf, platformFault } from "../evaluator/execute/episode-line.js";
import type { openWorkerPool } from "../evaluator/execute/open-worker-pool.js";
import { feedRunner } from "../evaluator/execute/scheduler.js";
import { workerCount } from "../evaluator/execute/worker-count.js";
import type { EpisodeResult, EpisodeRunner, WorkerPool } from "../evaluator/execute/worker-pool.js";
import { planFrom } from "../evaluator/execute/worker-setup.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import { type Job, SceneOrder } from "../evaluator/plan/queue.js";
import type { Database } from "./database/connect.js";
import { EarlyWatch } from "./early-watch.js";
import type { Lease } from "./lease-batches.js";
import { LeasedBatch, type LeasedItem } from "./leased-batch.js";
import type { ClusterRun } from "./runs-table.js";
import { wholePlan } from "./whole-plan.js";

export interface WorkerRunOptions {
  /** Number of threads; `auto` as for a local run. */
  readonly workers: number | "auto";
  /** Episodes that each thread runs at once. */
  readonly concurrency: number;
  /** How this worker reaches the run's policy. */
  readonly agent: string | undefined;
  /** Aborted when the worker is told to stop; opening the run then fails at once. */
  readonly signal: AbortSignal;
  readonly openPool: typeof openWorkerPool;
  /** Takes a finished episode. It resolves before the result is in the database, so runners do not wait for it. */
  readonly onResult: (result: EpisodeResult, leased: LeasedItem, plan: RunPlan) => Promise<void>;
  /** Called when more episodes can be leased. */
  readonly onCapacity: () => void;
  /** Called when the run cannot continue in this worker: leased episodes that are not recorded must be released. */
  readonly onFailure: (workerRun: WorkerRun, error: unknown) => void;
}

/** Episodes worth this much time are prefetched for each runner, at most `MOST_PREFETCHED` of them. */
const PREFETCH_MS = 400;
const MOST_PREFETCHED = 64;

/** One run in one cluster worker: its simulators and agents, and the leased episodes. */
export class WorkerRun {
  /** Undefined if the run has no early stopping. */
  readonly earlyWatch: EarlyWatch | undefined;
  /** Keeps a runner in its scene where possible. */
  readonly #queue = new SceneOrder([]);
  readonly #leased = new Map<Job, LeasedItem>();
  /** Episodes that were sent to a runner and have not ended. */
  #underWay = 0;
  /** Moving average of an episode's wall time. */
  #paceMs: number | undefined;
  readonly #waiting = new Set<() => void>();
  #closing = false;
  readonly #runners: Promise<unknown>;

  private constructor(
    readonly run: ClusterRun,
    readonly plan: RunPlan,
    private readonly pool: WorkerPool,
    private readonly options: WorkerRunOptions,
  ) {
    this.earlyWatch = EarlyWatch.of(run.run_id, plan);
    this.#runners = Promise.all(pool.runners.map((runner) => this.#feed(runner)));
  }

  /** Resolves when simulators and agents are ready. @throws if the run or this machine is not set up for it. */
  static async open(
    database: Database,
    run: ClusterRun,
    options: WorkerRunOptions,
  ): Promise<WorkerRun> {
    const { setup } = run;
    const made = await planFrom({ ...setup, agent: options.agent ?? setup.agent });
    // A recorded submission needs all episodes of its task; other agents need none.
    const replays = made.tasks.some(({ agentRef }) => agentRef.name === "replay");
    const plan = replays ? await wholePlan(database, run.run_id, made) : made;
    const agents = plan.tasks.map(({ agent }) => agent);
    const pool = await options.openPool(plan, {
      seed: setup.seed,
      savesTrajectories: setup.savesTrajectories,
      video: setup.video,
      workers: workerCount(options, { episodes: Number.MAX_SAFE_INTEGER, agents }),
      concurrency: options.concurrency,
      // This thread communicates with the database while episodes run.
      ownThread: true,
      signal: options.signal,
    });
    return new WorkerRun(run, plan, pool, options);
  }

  get missingSensors(): readonly string[] {
    return this.pool.missingSensors;
  }

  /** What the agents say that they are, by task. */
  get policies(): PolicyIdentities {
    return this.pool.policies;
  }

  /** Episodes that can run at once. */
  get capacity(): number {
    return this.pool.runners.length;
  }

  /** Leased episodes that have not started. */
  get backlog(): number {
    return this.#queue.size;
  }

  get underWay(): number {
    return Math.min(this.#underWay, this.capacity);
  }

  /** Size of the backlog at which no runner waits for the database; large for short episodes. */
  get wants(): number {
    const each = Math.ceil(PREFETCH_MS / Math.max(1, this.#paceMs ?? PREFETCH_MS));
    return this.capacity * Math.min(each, MOST_PREFETCHED);
  }

  get isIdle(): boolean {
    return this.#leased.size === 0;
  }

  add(lease: Lease): void {
    const batch = new LeasedBatch(lease);
    for (const { job, item } of lease.jobs) {
      this.#leased.set(job, { batch, item });
      this.#queue.add(job);
    }
    this.#wakeAll();
  }

  /** Removes and returns the episodes that have not started. */
  withdraw(): readonly LeasedItem[] {
    const items: LeasedItem[] = [];
    for (let job = this.#queue.take(0); job; job = this.#queue.take(0)) {
      const leased = this.#leased.get(job);
      this.#leased.delete(job);
      if (leased) items.push(leased);
    }
    return items;
  }

  /** Waits for the running episodes, then closes simulators and agents. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#wakeAll();
    await this.#runners;
    await this.pool.close();
  }

  #feed(runner: EpisodeRunner): Promise<void> {
    return feedRunner(runner, {
      take: () => this.#take(runner.worker),
      more: () => this.#more(),
      finished: (result, job) => this.#finished(result, job),
    });
  }

  #take(worker: number): Job | undefined {
    const job = this.#closing ? undefined : this.#queue.take(worker);
    if (!job || !this.#leased.has(job)) return undefined;
    this.#underWay++;
    this.options.onCapacity();
    return job;
  }

  async #finished(running: Promise<EpisodeResult>, job: Job): Promise<boolean> {
    try {
      const result = await running;
      const leased = this.#leased.get(job);
      if (leased) await this.options.onResult(result, leased, this.plan);
      this.#leased.delete(job);
      this.#paceMs = ((this.#paceMs ?? result.line.wall_ms) * 7 + result.line.wall_ms) / 8;
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    } finally {
      this.#underWay--;
      this.options.onCapacity();
    }
  }

  #fail(error: unknown): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#wakeAll();
    this.options.onFailure(this, error);
  }

  /** Waits for all runners, then returns the leased episodes that are not recorded. */
  async leftovers(): Promise<readonly LeasedItem[]> {
    await this.#runners;
    const left = [...this.withdraw(), ...this.#leased.values()];
    this.#leased.clear();
    return left;
  }

  /** Waits for further episodes; false when closing. */
  async #more(): Promise<boolean> {
    if (this.#closing) return false;
    await new Promise<void>((done) => {
      const wake = () => {
        this.#waiting.delete(wake);
        done();
      };
      this.#waiting.add(wake);
    });
    return true;
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** The result of an episode during which workers crashed repeatedly. */
export function lostEpisode(plan: RunPlan, job: Job, times: number): EpisodeResult {
  const task = plan.tasks.find((one) => one.task.name === job.task)?.task;
  if (!task) throw new Error(`the run has no task ${job.task}`);
  const message = `${times} workers in a row were lost while running this episode`;
  const report = platformFault("worker_crashed", { code: "worker_lost", message });
  return {
    line: lineOf(task, job, identify(job, plan.seed), report, 0),
    steps: undefined,
    faults: [{ fault: "platform", error: message }],
  };
}
