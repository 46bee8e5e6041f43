import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../src/api/policy/index.js";
import type { Cluster } from "../../src/cluster/cluster.js";
import { runsStatus, workersStatus } from "../../src/cluster/status.js";
import { submitRun } from "../../src/cluster/submit.js";
import { ClusterWorker, type ClusterWorkerOptions } from "../../src/cluster/worker.js";
import { loadConfig } from "../../src/config/load.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { EPISODES, makeWorld } from "../support/cli.js";
import { startPostgres, type TestServer } from "../support/postgres.js";

let server: TestServer;
let cluster: Cluster;
/** The policy answers after this resolves. */
let open = () => {};
const opened = new Promise<void>((resolve) => {
  open = resolve;
});
let policy: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  server = await startPostgres();
  cluster = await server.cluster();
  const act = async () => {
    await opened;
    return "stop";
  };
  policy = await serve(() => ({ act }), { port: 0 });
});
afterAll(() => policy.close());

/** A worker that can be stopped while the database is unreachable. */
function start(options: ClusterWorkerOptions = {}) {
  const stop = new AbortController();
  const notices: string[] = [];
  const worker = new ClusterWorker(cluster, {
    ...{ workers: 1, leaveWithinMs: 300, lostAfterMs: 1000, ...options },
    onNotice: (text) => notices.push(text),
  });
  const ended = worker.run(stop.signal).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { worker, notices, ended, stop: () => stop.abort() };
}

describe("a worker that is stopped while the database is unreachable", () => {
  it("a worker stopped without a database exits without deregistering if it has nothing to record", async () => {
    const { worker, notices, ended, stop } = start();
    await expect.poll(async () => (await workersStatus(cluster)).length).toBe(1);
    await server.restart(async () => {
      await expect.poll(() => worker.stats.isUnreachable, { timeout: 20_000 }).toBe(true);
      stop();
      expect(await ended).toBeUndefined();
    });
    expect(notices.at(-1)).toBe("the database is still unreachable; exiting without deregistering");
  });

  it("a worker stopped without a database reports unrecorded results, which other workers run again", async () => {
    const loaded = loadConfig(makeWorld().yaml, { set: [] });
    const plan = await new UnifiedRobotEvaluator(loaded, { agent: policy.url }).prepare();
    await submitRun(cluster, plan, { runId: "lost" });
    const { worker, ended, stop } = start({ agent: policy.url });
    await expect.poll(() => worker.stats.underWay, { timeout: 20_000 }).toBeGreaterThan(0);
    await server.restart(async () => {
      open();
      await expect.poll(() => worker.stats.unrecorded, { timeout: 20_000 }).toBeGreaterThan(0);
      stop();
      expect(await ended).toMatchObject({ code: "not_recorded", exitCode: 1 });
    });
    const other = start({ agent: policy.url, untilEmpty: true });
    expect(await other.ended).toBeUndefined();
    const [run] = await runsStatus(cluster);
    expect(run).toMatchObject({ status: "done", done: EPISODES.length });
  });
});
