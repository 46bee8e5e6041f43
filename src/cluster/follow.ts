import { setTimeout as sleep } from "node:timers/promises";
import type { PolicyIdentities } from "../core/policy-identity.js";
import {
  type Execution,
  type ExecutionEvents,
  RunAborted,
  type SaveResult,
} from "../evaluator/execute/scheduler.js";
import type { EpisodeResult } from "../evaluator/execute/worker-pool.js";
import { lineNameOf } from "../evaluator/plan/jobs.js";
import type { Job, JobQueue } from "../evaluator/plan/queue.js";
import type { Filming } from "../evaluator/record/video/film.js";
import { lineName } from "../runs/directory/line-name.js";
import { PackedTrajectory } from "../runs/directory/trajectory.js";
import { versions } from "../runs/directory/versions.js";
import type { Cluster } from "./cluster.js";
import { isUnreachable, whenReachable } from "./database/when-reachable.js";
import { fileBytes } from "./episode-files.js";
import { finishIfDone } from "./finish-run.js";
import { maintain } from "./maintenance.js";
import { ResultReader, type ResultRow, type RunSnapshot, readSnapshot } from "./read-results.js";
import { failRun } from "./run-problems.js";
import { dropTask } from "./runs-table.js";

export interface FollowOptions {
  /** Reads the results recorded so far instead of waiting for all. */
  readonly isNow?: boolean | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
}

const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;
const NO_WORKER_AFTER_MS = 10_000;

/** Reads a run's results from the database as workers record them. */
export class FollowedRun implements Execution {
  readonly queue: JobQueue;
  readonly missingSensors: readonly string[] = [];
  /** Known when a worker has connected to them. */
  policies: PolicyIdentities = {};
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #reader: ResultReader;
  readonly #drops: Promise<unknown>[] = [];
  #isDone = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly runId: string,
    jobs: readonly Job[],
    private readonly options: FollowOptions = {},
  ) {
    this.#jobs = new Map(jobs.map((job) => [lineNameOf(job), job]));
    this.#reader = new ResultReader(cluster.database, runId);
    const isDone = () => this.#isDone;
    this.queue = {
      get size() {
        return isDone() ? 0 : jobs.length;
      },
      take: () => undefined,
      // The worker that recorded the invalid attempt has requeued the episode.
      add: () => {},
      drop: (task) =>
        void this.#drops.push(whenReachable(() => dropTask(cluster.database, runId, task))),
    };
  }

  /** Resolves when the run is over or `signal` is aborted; aborting does not stop the run. */
  async run(keep: SaveResult, signal: AbortSignal, events: ExecutionEvents): Promise<void> {
    const waiting = {
      signal,
      onUnreachable: () =>
        this.options.onNotice?.("the database is unreachable; retrying until it answers"),
    };
    try {
      await this.#follow(keep, signal, events, waiting);
    } catch (error) {
      if (!(signal.aborted && isUnreachable(error))) throw error;
    }
    await Promise.all(this.#drops);
  }

  async close(): Promise<void> {}

  async #follow(
    keep: SaveResult,
    signal: AbortSignal,
    events: ExecutionEvents,
    waiting: { readonly signal: AbortSignal; readonly onUnreachable: () => void },
  ): Promise<void> {
    const { database } = this.cluster;
    let waitMs = SHORTEST_WAIT_MS;
    const noticeNoWorker = this.#noWorkerNotice();
    while (!signal.aborted) {
      const snapshot = await whenReachable(() => readSnapshot(database, this.runId), waiting);
      if (!snapshot) return events.onGiveUp("the run was deleted from the database");
      this.policies = snapshot.policies ?? {};
      const count = await this.#readUpTo(snapshot, keep, signal, waiting);
      if (signal.aborted) break;
      for (const warning of snapshot.warnings) events.onWarning(warning);
      if (snapshot.status === "failed")
        return events.onGiveUp(snapshot.problem ?? "no reason was recorded");
      if (snapshot.status === "done") {
        this.#isDone = true;
        await this.#compareVersions(events);
        return;
      }
      if (snapshot.status === "cancelled" || this.options.isNow) return;
      if (count > 0) waitMs = SHORTEST_WAIT_MS;
      else await whenReachable(() => finishIfDone(this.cluster, this.runId), waiting);
      await whenReachable(() => maintain(this.cluster), waiting);
      await noticeNoWorker(snapshot);
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
    // If the recorder gave the run up, the workers must stop too.
    await this.#stopIfGivenUp(signal);
  }

  async #readUpTo(
    snapshot: RunSnapshot,
    keep: SaveResult,
    signal: AbortSignal,
    waiting: { readonly signal: AbortSignal; readonly onUnreachable: () => void },
  ): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const rows = await whenReachable(() => this.#reader.next(snapshot), waiting);
      if (rows.length === 0) break;
      const results = await Promise.all(rows.map((row) => this.#resultOf(row)));
      await Promise.all(results.map(({ result, job }) => keep(result, job)));
      count += rows.length;
    }
    return count;
  }

  async #resultOf(row: ResultRow): Promise<{ result: EpisodeResult; job: Job }> {
    const { episode_key, repeat } = row.line;
    const job = this.#jobs.get(lineName(episode_key, repeat));
    if (!job)
      throw new Error(
        `the database has a result of ${episode_key}, which is not an episode of the run`,
      );
    return { result: await resultOf(row, job), job: { ...job, attempt: row.attempt } };
  }

  async #stopIfGivenUp(signal: AbortSignal): Promise<void> {
    if (signal.reason instanceof RunAborted) {
      await whenReachable(() => failRun(this.cluster.database, this.runId, signal.reason.message));
    }
  }

  /** Reports once that no worker has started the run. */
  #noWorkerNotice(): (snapshot: RunSnapshot) => Promise<void> {
    const { onNotice } = this.options;
    const started = Date.now();
    let isReported = false;
    return async ({ status }) => {
      if (isReported || status !== "queued" || Date.now() - started < NO_WORKER_AFTER_MS) return;
      isReported = true;
      onNotice?.(
        "no worker has started the run yet; start one: robot-eval worker --queue <the same address>",
      );
    };
  }

  /** Warns if the results come from workers with different library versions. */
  async #compareVersions({ onWarning }: ExecutionEvents): Promise<void> {
    const { rows } = await this.cluster.database.query<{
      versions: Readonly<Record<string, string>>;
    }>(
      `SELECT w.versions FROM robot_eval.workers w WHERE w.worker IN
         (SELECT DISTINCT worker FROM robot_eval.results WHERE run_id = $1)`,
      [this.runId],
    );
    const own = versions();
    for (const name of Object.keys(own)) {
      const found = new Set(rows.map((row) => row.versions[name] ?? "unknown"));
      if (found.size > 1) {
        onWarning(`workers had different versions of ${name}: ${[...found].sort().join(", ")}`);
      }
    }
  }
}

async function resultOf({ line, faults, files }: ResultRow, job: Job): Promise<EpisodeResult> {
  const trajectory = files.find(({ kind }) => kind === "trajectory");
  const film = files.find(({ kind }) => kind === "film");
  return {
    line,
    faults,
    steps: trajectory && new PackedTrajectory(job.episode, await fileBytes(trajectory)),
    ...(film ? { film: await filmOf(film) } : {}),
  };
}

async function filmOf(file: ResultRow["files"][number]): Promise<Filming> {
  const { about } = file;
  if (typeof about.problem === "string") {
    return { problem: about.problem, isLasting: about.isLasting === true };
  }
  return {
    extension: about.extension === "mp4" ? "mp4" : "webp",
    bytes: await fileBytes(file),
    ...(typeof about.note === "string" ? { note: about.note } : {}),
  };
}
