import { setTimeout as sleep } from "node:timers/promises";
import type { EpisodeResult } from "../evaluator/crew.js";
import { GivenUp, type Keep, type Work, type WorkEvents } from "../evaluator/evaluation.js";
import { keyOf } from "../evaluator/jobs.js";
import type { Job, JobQueue } from "../evaluator/queue.js";
import type { Filming } from "../evaluator/video/film.js";
import { lineName } from "../runs/line-name.js";
import { PackedTrajectory } from "../runs/trajectory.js";
import { versions } from "../runs/versions.js";
import type { Cluster } from "./cluster.js";
import { isAway, whenBack } from "./database/when-back.js";
import { fileBytes } from "./episode-files.js";
import { lookAt, type Moment, ResultReader, type ResultRow } from "./read-results.js";
import { failRun } from "./run-problems.js";
import { dropTask } from "./runs-table.js";
import { settleRun } from "./settle.js";
import { sweep } from "./sweep.js";

export interface FollowOptions {
  /** Takes what is there instead of waiting for the rest. */
  readonly isNow?: boolean | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
}

const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;
const LONELY_AFTER_MS = 10_000;

/** A run's episodes as workers elsewhere finish them. */
export class FollowedRun implements Work {
  readonly queue: JobQueue;
  readonly missingSensors: readonly string[] = [];
  readonly #cluster: Cluster;
  readonly #runId: string;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #options: FollowOptions;
  readonly #reader: ResultReader;
  readonly #drops: Promise<unknown>[] = [];
  #isDone = false;

  constructor(cluster: Cluster, runId: string, jobs: readonly Job[], options: FollowOptions = {}) {
    this.#cluster = cluster;
    this.#runId = runId;
    this.#jobs = new Map(jobs.map((job) => [lineName(keyOf(job), job.repeat), job]));
    this.#options = options;
    this.#reader = new ResultReader(cluster.database, runId);
    const isDone = () => this.#isDone;
    this.queue = {
      get size() {
        return isDone() ? 0 : jobs.length;
      },
      take: () => undefined,
      // The worker that found it invalid has put it into the queue again.
      add: () => {},
      drop: (task) =>
        void this.#drops.push(whenBack(() => dropTask(cluster.database, runId, task))),
    };
  }

  /** Until the run is over, or `signal` is aborted: the run itself goes on then. */
  async run(keep: Keep, signal: AbortSignal, events: WorkEvents): Promise<void> {
    const waiting = {
      signal,
      onAway: () => this.#options.onNotice?.("the database is away; waiting for it"),
    };
    try {
      await this.#follow(keep, signal, events, waiting);
    } catch (error) {
      if (!(signal.aborted && isAway(error))) throw error;
    }
    await Promise.all(this.#drops);
  }

  async close(): Promise<void> {}

  async #follow(
    keep: Keep,
    signal: AbortSignal,
    events: WorkEvents,
    waiting: { readonly signal: AbortSignal; readonly onAway: () => void },
  ): Promise<void> {
    const { database } = this.#cluster;
    let waitMs = SHORTEST_WAIT_MS;
    const lonely = this.#lonelyNotice();
    while (!signal.aborted) {
      const moment = await whenBack(() => lookAt(database, this.#runId), waiting);
      if (!moment) return events.onGiveUp("it was deleted from the database");
      const news = await this.#readUpTo(moment, keep, signal, waiting);
      if (signal.aborted) break;
      for (const warning of moment.warnings) events.onWarning(warning);
      if (moment.status === "failed")
        return events.onGiveUp(moment.problem ?? "no reason is known");
      if (moment.status === "done") {
        this.#isDone = true;
        await this.#compareVersions(events);
        return;
      }
      if (moment.status === "cancelled" || this.#options.isNow) return;
      if (news > 0) waitMs = SHORTEST_WAIT_MS;
      else await whenBack(() => settleRun(this.#cluster, this.#runId), waiting);
      await whenBack(() => sweep(this.#cluster), waiting);
      await lonely(moment);
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
    // What made us stop may be that the agent is gone: then nobody need go on.
    await this.#stopIfGivenUp(signal);
  }

  async #readUpTo(
    moment: Moment,
    keep: Keep,
    signal: AbortSignal,
    waiting: { readonly signal: AbortSignal; readonly onAway: () => void },
  ): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      const rows = await whenBack(() => this.#reader.next(moment), waiting);
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
    if (!job) throw new Error(`the database has a result of ${episode_key}, which the run has not`);
    return { result: await resultOf(row, job), job: { ...job, attempt: row.attempt } };
  }

  async #stopIfGivenUp(signal: AbortSignal): Promise<void> {
    if (signal.reason instanceof GivenUp) {
      await whenBack(() => failRun(this.#cluster.database, this.#runId, signal.reason.message));
    }
  }

  /** Says so once when nobody takes the run up. */
  #lonelyNotice(): (moment: Moment) => Promise<void> {
    const { onNotice } = this.#options;
    const started = Date.now();
    let isSaid = false;
    return async ({ status }) => {
      if (isSaid || status !== "queued" || Date.now() - started < LONELY_AFTER_MS) return;
      isSaid = true;
      onNotice?.("no worker has taken it up yet: robot-eval worker --queue <the same address>");
    };
  }

  /** Results of different libraries are put together here as if they were of one. */
  async #compareVersions({ onWarning }: WorkEvents): Promise<void> {
    const { rows } = await this.#cluster.database.query<{
      versions: Readonly<Record<string, string>>;
    }>(
      `SELECT w.versions FROM robot_eval.workers w WHERE w.worker IN
         (SELECT DISTINCT worker FROM robot_eval.results WHERE run_id = $1)`,
      [this.#runId],
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
