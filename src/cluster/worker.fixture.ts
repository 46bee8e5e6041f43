import { setTimeout as timeout } from "node:timers/promises";
import type pg from "pg";
import { onTestFinished } from "vitest";
import { episodeDict, makeWorld, type World } from "../../test/support/cli.js";
import { deferred } from "../../test/support/clock.js";
import { loadConfig } from "../config/load.js";
import { UnifiedRobotEvaluator } from "../evaluator/evaluator.js";
import { openWorkerPool, type WorkerPoolOptions } from "../evaluator/execute/open-worker-pool.js";
import type { EpisodeResult } from "../evaluator/execute/worker-pool.js";
import type { Job } from "../evaluator/plan/queue.js";
import type { Cluster } from "./cluster.js";
import type { Queries } from "./database/connect.js";
import type { ClusterStatus } from "./runs-table.js";
import { submitRun } from "./submit.js";
import { ClusterWorker, type ClusterWorkerOptions } from "./worker.js";

/** Fragments of the statements that the tests wait for or let fail. */
export const SQL = {
  lease: "r.status IN ('queued', 'running') AND r.version",
  beat: "INSERT INTO robot_eval.workers",
  status: "SELECT run_id, status FROM robot_eval.runs",
  result: "INSERT INTO robot_eval.results",
  release: "DELETE FROM robot_eval.held WHERE job",
  refusal: "INSERT INTO robot_eval.refusals",
  leave: "SET left_at",
  maintain: "UPDATE robot_eval.chores",
} as const;

/** A cluster whose statements a test sees, delays and lets fail. */
export interface WatchedCluster extends Cluster {
  /** Statements that were sent to the database, oldest first. */
  readonly sent: string[];
  /** Called before each statement. A rejection is the statement's. */
  before: (sql: string) => unknown;
}

export function watched(cluster: Cluster): WatchedCluster {
  const { database } = cluster;
  const through = (queries: Queries): Queries => ({
    async query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) {
      await own.before(text);
      own.sent.push(text);
      return queries.query<Row>(text, values);
    },
  });
  const own: WatchedCluster = {
    ...cluster,
    sent: [],
    before: () => {},
    database: {
      ...through(database),
      ...{ where: database.where, pool: database.pool, close: () => database.close() },
      transaction: (work) => database.transaction((transaction) => work(through(transaction))),
    },
  };
  onTestFinished(() => {
    own.before = () => {};
  });
  return own;
}

export const unreachable = () =>
  Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });

/** Number of sent statements with a fragment. */
export function countOf({ sent }: WatchedCluster, fragment: string): number {
  return sent.filter((sql) => sql.includes(fragment)).length;
}

/** A function that fails the first statement with `fragment`. */
export function failsOnce(fragment: string, error: Error): (sql: string) => void {
  let hasFailed = false;
  return (sql) => {
    if (hasFailed || !sql.includes(fragment)) return;
    hasFailed = true;
    throw error;
  };
}

/**
 * Resolves when a condition holds, and otherwise after 300 ms. For events that must not happen: code that behaves
 * waits out the time, whatever the load, and a failure is seen as soon as it happens.
 */
export async function grace(hasHappened: () => boolean): Promise<void> {
  for (let i = 0; i < 60 && !hasHappened(); i++) await timeout(5);
}

export interface TestRun {
  readonly set?: readonly string[];
  readonly priority?: number;
  readonly world?: World;
}

/** Number of episodes of a run. */
export const ALL = 6;
let shared: World | undefined;

/** Submits a run whose episodes are in one scene, and so in one batch. */
export async function submit(cluster: Cluster, runId: string, run: TestRun = {}): Promise<void> {
  shared ??= makeWorld(["1", "2", "3", "4", "5", "6"].map((id) => episodeDict(id, "a", "d")));
  const batch = `cluster.batch=${ALL}`;
  const loaded = loadConfig((run.world ?? shared).yaml, { set: [batch, ...(run.set ?? [])] });
  const plan = await new UnifiedRobotEvaluator(loaded, { agent: "shortest-path" }).prepare();
  const { priority } = run;
  await submitRun(cluster, plan, { runId, priority });
}

/** What a test does at the events of a worker. */
export interface WorkerHooks {
  /** Before the simulators of a run are opened. */
  opening?: (options: WorkerPoolOptions) => unknown;
  /** Before an episode runs. */
  running?: (job: Job) => unknown;
  /** Changes an episode's result. */
  finished?: (result: EpisodeResult) => EpisodeResult;
  /** Waits instead of the worker. Default: at most 10 ms. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly missingSensors?: readonly string[];
}

/** Starts a worker with one runner that the test controls. It is stopped when the test ends. */
export function startWorker(
  cluster: Cluster,
  hooks: WorkerHooks = {},
  options: ClusterWorkerOptions = {},
) {
  const stop = new AbortController();
  const notices: string[] = [];
  const pools = { opened: 0, closed: 0 };
  /** Lets waiting episodes go on when the test has ended. */
  const over = deferred();
  const onNotice = (text: string) => void notices.push(text);
  const worker = new ClusterWorker(
    cluster,
    { workers: 1, onNotice, ...options },
    {
      openPool: async (plan, settings) => {
        pools.opened++;
        await Promise.race([hooks.opening?.(settings), over.promise]);
        const { runners, missingSensors, policies, close } = await openWorkerPool(plan, settings);
        return {
          missingSensors: hooks.missingSensors ?? missingSensors,
          policies,
          runners: runners.map((runner) => ({
            ...runner,
            run: async (job: Job) => {
              await Promise.race([hooks.running?.(job), over.promise]);
              const result = await runner.run(job);
              return hooks.finished?.(result) ?? result;
            },
          })),
          close: async () => {
            pools.closed++;
            await close();
          },
        };
      },
      sleep: (ms, signal) =>
        hooks.sleep?.(ms, signal) ??
        timeout(Math.min(ms, 10), undefined, { signal }).catch(() => {}),
    },
  );
  /** The error that ended the worker, or undefined. */
  const ended = worker.run(stop.signal).then(
    () => undefined,
    (error: unknown) => error,
  );
  onTestFinished(async () => {
    over.resolve();
    stop.abort();
    await ended;
  });
  return { worker, notices, pools, ended, signal: stop.signal, stop: () => stop.abort() };
}

/** State of a run in the database. */
export async function stateOf({ database }: Cluster, runId: string) {
  const { rows } = await database.query<{
    readonly status: ClusterStatus;
    readonly held: number;
    readonly waiting: number;
    readonly results: number;
    readonly refusals: number;
    readonly warnings: readonly string[];
  }>(
    `SELECT r.status, r.warnings,
       (SELECT count(*)::int FROM robot_eval.held WHERE run_id = $1) AS held,
       (SELECT coalesce(sum(json_array_length(data::json -> 'items')), 0)::int
        FROM robot_eval_boss.job WHERE name = 'run-' || r.no AND state < 'active') AS waiting,
       (SELECT count(*)::int FROM robot_eval.results WHERE run_id = $1) AS results,
       (SELECT count(*)::int FROM robot_eval.refusals WHERE run_id = $1) AS refusals
     FROM robot_eval.runs r WHERE run_id = $1`,
    [runId],
  );
  return rows[0];
}
