import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../src/api/policy/index.js";
import type { Cluster } from "../../src/cluster/cluster.js";
import { controlRun } from "../../src/cluster/control.js";
import { runsStatus, workersStatus } from "../../src/cluster/status.js";
import { submitRun } from "../../src/cluster/submit.js";
import { ClusterWorker } from "../../src/cluster/worker.js";
import { loadConfig } from "../../src/config/load.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { EPISODES, makeWorld } from "../support/cli.js";
import { deferred } from "../support/clock.js";
import { startPostgres } from "../support/postgres.js";

let cluster: Cluster;
let policy: Awaited<ReturnType<typeof serve>>;
/** The policy answers once this is resolved. */
let gate = deferred();

beforeAll(async () => {
  cluster = await (await startPostgres()).cluster();
  const act = async () => {
    await gate.promise;
    return "stop";
  };
  policy = await serve(() => ({ act }), { port: 0 });
});
afterAll(() => policy.close());

/** Starts a worker of a new run. Resolves when one episode runs and others are leased. */
async function underWay(runId: string) {
  gate = deferred();
  const loaded = loadConfig(makeWorld().yaml, { set: [`cluster.batch=${EPISODES.length}`] });
  const plan = await new UnifiedRobotEvaluator(loaded, { agent: policy.url }).prepare();
  await submitRun(cluster, plan, { runId });
  const stop = new AbortController();
  const worker = new ClusterWorker(cluster, { workers: 1, lostAfterMs: 1500 });
  onTestFinished(() => stop.abort());
  const ended = worker.run(stop.signal);
  const isHalfway = () => worker.stats.underWay === 1 && worker.stats.backlog > 0;
  await expect.poll(isHalfway, { timeout: 20_000 }).toBe(true);
  return { worker, ended, stop: () => stop.abort() };
}

const statusOf = async (runId: string) => (await runsStatus(cluster, runId))[0];

/** Batches of a run that are waiting or leased. */
async function batchesOf(runId: string) {
  const { rows } = await cluster.database.query<{ held: number; no: number }>(
    `SELECT no::int, (SELECT count(*)::int FROM robot_eval.held h WHERE h.run_id = r.run_id) AS held
     FROM robot_eval.runs r WHERE run_id = $1`,
    [runId],
  );
  const { held = 0, no = 0 } = rows[0] ?? {};
  return { held, isEmpty: await cluster.queue.isEmpty(cluster.database, no) };
}

describe("a worker that is told to stop", () => {
  it("a worker that is told to stop records the running episode, releases the others at once and deregisters", async () => {
    const { worker, ended, stop } = await underWay("stopped");
    stop();
    gate.resolve();
    await ended;
    expect(worker.stats).toMatchObject({ done: 1, unrecorded: 0, underWay: 0 });
    expect(await statusOf("stopped")).toMatchObject({ status: "running", done: 1, invalid: 0 });
    expect(await batchesOf("stopped")).toEqual({ held: 0, isEmpty: false });
    expect(await workersStatus(cluster)).toEqual([]);
    const other = new ClusterWorker(cluster, { workers: 1, untilEmpty: true });
    await other.run(new AbortController().signal);
    expect(other.stats.done).toBe(EPISODES.length - 1);
    expect(await statusOf("stopped")).toMatchObject({ status: "done", done: EPISODES.length });
  });
});

describe("a worker whose run is", () => {
  it("a worker whose run is paused releases the episodes that have not started", async () => {
    const { worker, ended, stop } = await underWay("paused");
    await controlRun(cluster, "paused", { action: "pause" });
    await expect.poll(() => worker.stats.backlog, { timeout: 20_000 }).toBe(0);
    gate.resolve();
    await expect
      .poll(() => batchesOf("paused"), { timeout: 20_000 })
      .toEqual({
        ...{ held: 0, isEmpty: false },
      });
    await controlRun(cluster, "paused", { action: "resume" });
    await expect
      .poll(async () => (await statusOf("paused"))?.done, { timeout: 20_000 })
      .toBe(EPISODES.length);
    stop();
    await ended;
    expect(worker.stats.done).toBe(EPISODES.length);
  });

  it("a worker whose run is cancelled drops the episodes that have not started", async () => {
    const { worker, ended, stop } = await underWay("cancelled");
    await controlRun(cluster, "cancelled", { action: "cancel" });
    await expect.poll(() => worker.stats.backlog, { timeout: 20_000 }).toBe(0);
    gate.resolve();
    stop();
    await ended;
    expect(await batchesOf("cancelled")).toEqual({ held: 0, isEmpty: true });
    expect(await statusOf("cancelled")).toMatchObject({ status: "cancelled", done: 1 });
  });
});
