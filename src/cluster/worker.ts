import { setTimeout as timeout } from "node:timers/promises";
import { errorCode, errorMessage, RobotEvalError } from "../core/errors.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import { openWorkerPool } from "../evaluator/execute/open-worker-pool.js";
import type { EpisodeResult } from "../evaluator/execute/worker-pool.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import { canRetry } from "../evaluator/record/recorder.js";
import { plural } from "../runs/report/format.js";
import { AgentWatch } from "./agent-watch.js";
import type { Cluster } from "./cluster.js";
import { isUnreachable, type WaitOptions, whenReachable } from "./database/when-reachable.js";
import { filesOf } from "./episode-files.js";
import { finishIfDone } from "./finish-run.js";
import { type Lease, leaseBatches } from "./lease-batches.js";
import { LeasedBatch, type LeasedItem } from "./leased-batch.js";
import { maintain } from "./maintenance.js";
import { discard, releaseItems } from "./release-batches.js";
import { ResultWriter } from "./result-writer.js";
import { RunBackoff } from "./run-backoff.js";
import { isLeasedByOther, reportProblem, warnOf } from "./run-problems.js";
import { type ClusterRun, recordPolicies } from "./runs-table.js";
import { statusOf, WorkerRow, type WorkerState } from "./worker-row.js";
import { lostEpisode, WorkerRun } from "./worker-run.js";
import { WorkerRuns } from "./worker-runs.js";

export interface ClusterWorkerOptions {
  /** Number of threads. Default `auto`, as for a local run. */
  readonly workers?: number | "auto" | undefined;
  /** Episodes that each thread runs at once. Default 1. */
  readonly concurrency?: number | undefined;
  /** How this worker reaches the policy: it only takes runs whose policy is reached the same way. */
  readonly agent?: string | undefined;
  /** Without a heartbeat for this long, the worker counts as lost. Default 30,000. */
  readonly lostAfterMs?: number | undefined;
  /** Stop when no run is left for this worker. */
  readonly untilEmpty?: boolean | undefined;
  /** How long a stopping worker waits for an unreachable database. Default 20,000. */
  readonly leaveWithinMs?: number | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Called when an episode has ended, before its result is in the database. */
  readonly onEpisode?: ((line: EpisodeLine) => void) | undefined;
}

/** What a worker runs episodes and waits with; tests replace them. */
export interface WorkerParts {
  readonly openPool: typeof openWorkerPool;
  /** Resolves after `ms` milliseconds, or when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const PARTS: WorkerParts = {
  openPool: openWorkerPool,
  sleep: (ms, signal) => timeout(ms, undefined, { signal }).catch(() => {}),
};

/** Counters and gauges of a worker. */
export interface WorkerStats extends WorkerState {
  readonly worker: string;
  /** Leased episodes that have not started. */
  readonly backlog: number;
  /** Results that wait to be recorded, for example while the database is unreachable. */
  readonly unrecorded: number;
  readonly isUnreachable: boolean;
}

const LOST_AFTER_MS = 30_000;
/** Slurm and Kubernetes kill a process 30 s after SIGTERM. */
const LEAVE_WITHIN_MS = 20_000;
/** Heartbeats per `lostAfterMs`: five in a row may be missed. */
const BEATS = 6;
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 3_000;

/** Leases batches, runs their episodes and records the results until it is stopped. */
export class ClusterWorker {
  readonly #row: WorkerRow;
  readonly #writer: ResultWriter;
  readonly #workerRuns = new WorkerRuns();
  readonly #backoff = new RunBackoff();
  readonly #agents: AgentWatch;
  readonly #tasks = new Set<Promise<unknown>>();
  /** Aborted when a stopping worker has waited `leaveWithinMs` for the database. */
  readonly #waitLimit = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLeaving = false;
  #wake = () => {};
  #isBacklogFull = false;
  #isUnreachable = false;
  #broken: { readonly error: unknown } | undefined;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ClusterWorkerOptions = {},
    private readonly parts: WorkerParts = PARTS,
  ) {
    this.#agents = new AgentWatch(cluster.database);
    this.#row = new WorkerRow(options.agent, options.lostAfterMs ?? LOST_AFTER_MS);
    // A worker that cannot record results stops, so that no result is lost silently.
    const onFailure = (error: unknown) => this.#fail(error);
    this.#writer = new ResultWriter(cluster, this.#row.id, this.#wait, onFailure);
  }

  get stats(): WorkerStats {
    return {
      worker: this.#row.id,
      ...this.#workerRuns.state,
      done: this.#writer.recorded,
      unrecorded: this.#writer.waiting,
      isUnreachable: this.#isUnreachable,
    };
  }

  /** Runs until `signal` is aborted; then finishes the running episodes and releases the others. */
  async run(signal: AbortSignal): Promise<void> {
    const { database } = this.cluster;
    await whenReachable(() => this.#row.beat(database, this.stats), { signal });
    const beat = setInterval(
      () => this.#background(this.#beat()),
      (this.options.lostAfterMs ?? LOST_AFTER_MS) / BEATS,
    );
    const onAbort = () => {
      this.#isLeaving = true;
      if (this.#isUnreachable) this.#limitWait();
      this.#wake();
    };
    signal.addEventListener("abort", onAbort);
    try {
      await this.#takeUntil(signal);
    } finally {
      clearInterval(beat);
      await this.#leave();
      signal.removeEventListener("abort", onAbort);
      clearTimeout(this.#timer);
    }
    this.#throwIfBroken();
  }

  async #takeUntil(signal: AbortSignal): Promise<void> {
    let waitMs = SHORTEST_WAIT_MS;
    const isEnding = () => signal.aborted || this.#broken;
    while (!isEnding()) {
      const most = this.#workerRuns.room;
      if (most === 0) {
        this.#isBacklogFull = true;
        await this.#pause(LONGEST_WAIT_MS);
        this.#isBacklogFull = false;
        continue;
      }
      const request = {
        ...{ worker: this.#row.id, agent: this.options.agent, limit: most },
        current: this.stats.run,
        excludes: this.#backoff.current(),
        known: (run: string) => this.#workerRuns.find(run)?.run,
      };
      const offer = await whenReachable(() => leaseBatches(this.cluster, request), {
        signal,
        onUnreachable: () => this.#noteUnreachable(),
      }).catch((error: unknown) => {
        if (isUnreachable(error)) return undefined;
        throw error;
      });
      if (!offer) return;
      this.#isUnreachable = false;
      if (offer.leases.length > 0) {
        waitMs = SHORTEST_WAIT_MS;
        await this.#start(offer.leases, signal);
        continue;
      }
      if (isEnding()) return;
      if (this.options.untilEmpty && (await this.#isOver(offer.drained, request.excludes))) return;
      await this.#pause(waitMs * (0.5 + Math.random()));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }

  #onCapacity(): void {
    if (this.#isBacklogFull || this.stats.backlog === 0) this.#wake();
  }

  /**
   * True if no run is left that this worker could take part in.
   *
   * @param excluded the runs that were not asked for; their backoff may have ended since
   */
  async #isOver(drained: readonly string[], excluded: readonly string[]): Promise<boolean> {
    if (this.stats.underWay > 0) return false;
    await this.#writer.flush();
    const excludedStatus = await whenReachable(
      () => statusOf(this.cluster.database, excluded),
      this.#wait,
    );
    if (
      [...excludedStatus.values()].some((status) => status === "queued" || status === "running")
    ) {
      return false;
    }
    const finished = await Promise.all(
      drained.map((run) => whenReachable(() => finishIfDone(this.cluster, run), this.#wait)),
    );
    return finished.every((isOver) => isOver);
  }

  /**
   * Starts leases of one run. A run that cannot be opened is tried once for all of them, because every attempt may
   * last as long as the policy's connection timeout.
   */
  async #start(leases: readonly Lease[], signal: AbortSignal): Promise<void> {
    const run = leases[0]?.run;
    if (!run) return;
    let workerRun: WorkerRun;
    try {
      workerRun = await this.#openRun(run, signal);
    } catch (error) {
      if (!signal.aborted) await this.#reportProblem(run.run_id, error);
      const items = leases.flatMap((lease) => {
        const batch = new LeasedBatch(lease);
        return lease.jobs.map(({ item }) => ({ batch, item }));
      });
      await releaseItems(this.cluster, items, this.#wait);
      return;
    }
    for (const lease of leases) {
      const [first] = lease.jobs;
      if (lease.isSuspect && first) {
        const leased = { batch: new LeasedBatch(lease), item: first.item };
        const result = lostEpisode(workerRun.plan, first.job, lease.batch.lost);
        await this.#keep(result, leased, workerRun.plan, run.files_dir);
      } else workerRun.add(lease);
    }
  }

  async #openRun(run: ClusterRun, signal: AbortSignal): Promise<WorkerRun> {
    const open = this.#workerRuns.use(run.run_id);
    if (open) return open;
    const workerRun = await WorkerRun.open(this.cluster.database, run, {
      workers: this.options.workers ?? "auto",
      concurrency: this.options.concurrency ?? 1,
      agent: this.options.agent,
      signal,
      openPool: this.parts.openPool,
      onResult: (result, leased, plan) => this.#keep(result, leased, plan, run.files_dir),
      onCapacity: () => this.#onCapacity(),
      onFailure: (failed, error) => this.#background(this.#abandon(failed, error)),
    });
    try {
      await whenReachable(
        () => recordPolicies(this.cluster.database, run.run_id, workerRun.policies),
        this.#wait,
      );
    } catch (error) {
      await workerRun.close();
      throw error;
    }
    this.#backoff.delete(run.run_id);
    this.#workerRuns.add(workerRun);
    this.options.onNotice?.(
      `running ${run.run_id}, ${plural(workerRun.capacity, "episode")} at once`,
    );
    await whenReachable(
      () => warnOf(this.cluster.database, run.run_id, workerRun.missingSensors),
      this.#wait,
    );
    for (const other of this.#workerRuns.surplus) this.#close(other);
    return workerRun;
  }

  async #keep(
    result: EpisodeResult,
    leased: LeasedItem,
    plan: RunPlan,
    folder: string | null,
  ): Promise<void> {
    const { line, faults } = result;
    this.options.onEpisode?.(line);
    const isTriedAgain = canRetry(line, plan);
    const files = isTriedAgain ? [] : await filesOf(result);
    await this.#agents.see(line, leased.batch.runId, plan);
    await this.#writer.add({ ...leased, line, faults, isTriedAgain, files, folder });
  }

  async #beat(): Promise<void> {
    const { database } = this.cluster;
    await this.#row.beat(database, this.stats);
    this.#isUnreachable = false;
    const status = await statusOf(database, this.#workerRuns.runs);
    for (const workerRun of this.#workerRuns) {
      const now = status.get(workerRun.run.run_id);
      if (now === "queued" || now === "running") {
        await workerRun.earlyWatch?.look(database);
        continue;
      }
      const items = workerRun.withdraw();
      await (now === "paused" ? releaseItems : discard)(this.cluster, items, this.#wait);
      if (now !== "paused" && workerRun.isIdle) this.#close(workerRun);
    }
    await maintain(this.cluster);
  }

  /** Releases a run whose simulators or agent failed; other workers, or this one later, may run it. */
  async #abandon(workerRun: WorkerRun, error: unknown): Promise<void> {
    this.#workerRuns.remove(workerRun);
    await this.#reportProblem(workerRun.run.run_id, error);
    await releaseItems(this.cluster, await workerRun.leftovers(), this.#wait);
    await workerRun.close();
  }

  async #reportProblem(runId: string, error: unknown): Promise<void> {
    const { database } = this.cluster;
    const worker = this.#row.id;
    const problem = errorMessage(error);
    const isBusy =
      errorCode(error) === "busy" &&
      (await whenReachable(() => isLeasedByOther(database, runId, worker), this.#wait));
    const isNew = this.#backoff.add(runId, isBusy);
    if (isNew || !isBusy) this.options.onNotice?.(`cannot run ${runId}: ${problem}`);
    if (isBusy) return;
    await whenReachable(() => reportProblem(database, runId, worker, problem), this.#wait);
  }

  #close(workerRun: WorkerRun): void {
    this.#workerRuns.remove(workerRun);
    this.#agents.forget(workerRun.run.run_id);
    this.#background(workerRun.close());
  }

  /** Deregisters. Leases that it cannot release expire, and other workers run the episodes. */
  async #leave(): Promise<void> {
    await this.#releaseAndLeave().catch((error: unknown) => {
      if (!isUnreachable(error) || this.#writer.waiting > 0) this.#broken ??= { error };
      else
        this.options.onNotice?.("the database is still unreachable; exiting without deregistering");
    });
  }

  async #releaseAndLeave(): Promise<void> {
    const { database } = this.cluster;
    const workerRuns = [...this.#workerRuns];
    const given = Promise.all(
      workerRuns.map((workerRun) => releaseItems(this.cluster, workerRun.withdraw(), this.#wait)),
    );
    await given.catch(() => {});
    await Promise.all(workerRuns.map((workerRun) => workerRun.close()));
    await Promise.allSettled(this.#tasks);
    await given;
    await this.#writer.flush();
    await whenReachable(() => this.#row.leave(database, this.stats), this.#wait);
    // The last worker of a run marks it as done.
    await whenReachable(() => maintain(this.cluster), this.#wait);
  }

  /** Ends the worker with an error; the first one counts. */
  #fail(error: unknown): void {
    this.#broken ??= { error };
    this.#wake();
  }

  #throwIfBroken(): void {
    if (!this.#broken) return;
    const { error } = this.#broken;
    if (!isUnreachable(error)) throw error;
    const lost = `${this.#writer.waiting} results could not be recorded`;
    throw new RobotEvalError("not_recorded", lost, {
      where: this.cluster.database.where,
      hint: "the database was unreachable for too long; other workers run these episodes again",
      exitCode: 1,
      cause: error,
    });
  }

  get #wait(): WaitOptions {
    return { signal: this.#waitLimit.signal, onUnreachable: () => this.#noteUnreachable() };
  }

  #background(work: Promise<unknown>): void {
    const task = work
      .catch((error: unknown) => {
        if (isUnreachable(error)) this.#noteUnreachable();
        else this.#fail(error);
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  /** Starts the limit when the database is unreachable, not at the stop: a running episode may take longer. */
  #limitWait(): void {
    const waitMs = this.options.leaveWithinMs ?? LEAVE_WITHIN_MS;
    this.#timer ??= setTimeout(() => this.#waitLimit.abort(), waitMs);
  }

  #noteUnreachable(): void {
    if (this.#isLeaving) this.#limitWait();
    if (this.#isUnreachable) return;
    this.#isUnreachable = true;
    this.options.onNotice?.("the database is unreachable; retrying until it answers");
  }

  /** Waits for `#wake` or `ms` milliseconds. */
  async #pause(ms: number): Promise<void> {
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    await this.parts.sleep(ms, waiting.signal);
    this.#wake = () => {};
  }
}
