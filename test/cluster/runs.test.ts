import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../src/api/policy/index.js";
import type { Cluster } from "../../src/cluster/cluster.js";
import { controlRun } from "../../src/cluster/control.js";
import { EarlyWatch } from "../../src/cluster/early-watch.js";
import { leaseBatches } from "../../src/cluster/lease-batches.js";
import { maintain } from "../../src/cluster/maintenance.js";
import { pullRun } from "../../src/cluster/pull.js";
import { reportProblem } from "../../src/cluster/run-problems.js";
import { runsStatus, workersStatus } from "../../src/cluster/status.js";
import { type SubmitOptions, submitRun } from "../../src/cluster/submit.js";
import { ClusterWorker, type ClusterWorkerOptions } from "../../src/cluster/worker.js";
import { loadConfig } from "../../src/config/load.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import {
  EPISODES,
  evaluate,
  linesOf,
  makeWorld,
  robotEvalHere,
  startRobotEval,
  type World,
} from "../support/cli.js";
import { COUNT, makeStopWorld, STOPS_EARLY } from "../support/early-stop.js";
import { mixedEpisodes } from "../support/kill.js";
import { startPostgres, type TestServer } from "../support/postgres.js";
import { contentOf, setAsideOf } from "../support/run-content.js";

let server: TestServer;
let cluster: Cluster;
let world: World;
const stop = new AbortController();

beforeAll(async () => {
  server = await startPostgres();
  cluster = await server.cluster();
  world = makeWorld();
});
afterAll(() => stop.abort());

interface SubmitSettings extends SubmitOptions, Pick<EvaluatorOptions, "agent"> {
  readonly in?: World;
  readonly set?: readonly string[];
}

async function submit(runId: string, settings: SubmitSettings = {}) {
  const { in: where = world, set = [], agent = "shortest-path", ...options } = settings;
  const loaded = loadConfig(where.yaml, { set });
  const plan = await new UnifiedRobotEvaluator(loaded, { agent }).prepare();
  return submitRun(cluster, plan, { ...options, runId });
}

/** Runs a worker in this process until no run is left. Returns the number of recorded episodes. */
async function work(options: ClusterWorkerOptions = {}): Promise<number> {
  const worker = new ClusterWorker(cluster, { ...options, untilEmpty: true });
  await worker.run(stop.signal);
  return worker.stats.done;
}

async function pulled(runId: string) {
  const { run_dir } = await pullRun(cluster, runId, { outDir: join(world.root, "pulled") });
  return contentOf(run_dir ?? "");
}

async function local(runId: string, set: readonly string[] = [], where = world) {
  const outDir = join(where.root, "local");
  const { run_dir } = await evaluate(where, { outDir, runId, set });
  return contentOf(run_dir ?? "");
}

/** Leases batches without a row in `workers`, so that its leases expire at the next maintenance. */
const unregistered = { worker: "unregistered", agent: undefined, current: undefined, excludes: [] };

async function expireLeasesNow(): Promise<void> {
  await cluster.database.query("UPDATE robot_eval.chores SET done_at = 'epoch'");
  await maintain(cluster);
}

describe("a cluster's run", () => {
  it("a cluster run equals a local run, with repeats and early stopping", async () => {
    const set = [
      "evaluation.repeats=2",
      "evaluation.early_stop.half_width=0.4",
      "evaluation.early_stop.min_episodes=2",
    ];
    await submit("repeated", { set });
    expect(await work()).toBe(EPISODES.length * 2);
    const dropped = async () =>
      (await cluster.database.query("SELECT dropped FROM robot_eval.runs")).rows[0]?.dropped;
    expect(await dropped()).toEqual([]);
    // A worker does this every few seconds.
    const loaded = loadConfig(world.yaml, { set });
    const plan = await new UnifiedRobotEvaluator(loaded, { agent: "shortest-path" }).prepare();
    const watch = EarlyWatch.of("repeated", plan);
    await cluster.database.query("UPDATE robot_eval.chores SET done_at = 'epoch'");
    await watch?.look(cluster.database);
    expect(await dropped()).toEqual(["vln"]);
    expect(await pulled("repeated")).toEqual(await local("repeated", set));
  });

  it("a cluster run stops early without a client that follows it", async () => {
    const stops = makeStopWorld(5);
    const set = STOPS_EARLY.flatMap((text) => ["--set", text]);
    const run = ["run", stops.yaml, "--agent", "strays", "--run-id", "alone", ...set];
    const queue = ["--queue", server.url];
    expect(await robotEvalHere([...run, ...queue, "--detach"])).toMatchObject({ code: 0 });
    // Makes every check due at once.
    const hurry = setInterval(() => {
      const due = "UPDATE robot_eval.chores SET done_at = 'epoch' WHERE chore LIKE '%alone'";
      void cluster.database.query(due);
    }, 50);
    const done = await work({ workers: 1, lostAfterMs: 600 }).finally(() => clearInterval(hurry));
    expect(done).toBeLessThan(COUNT);
    const status = { status: "done", episodes: COUNT, done, stopped_early: ["vln"] };
    expect(await runsStatus(cluster, "alone")).toMatchObject([status]);
    const shown = await robotEvalHere(["status", "alone", ...queue]);
    expect(shown.stdout).toContain("alone: stopped early, known well enough: vln");
    expect(await cluster.queue.runs()).toEqual([]);

    const out = join(world.root, "pulled");
    const fetched = await robotEvalHere(["pull", "alone", ...queue, "--out", out]);
    expect(fetched).toMatchObject({ code: 0 });
    expect(fetched.stdout).toMatch(/vln stopped after \d+ of 400 episodes/);
    const content = await contentOf(join(out, "alone"));
    const { lines, summary } = content;
    expect(lines.length).toBeLessThanOrEqual(done);
    expect(summary.early_stop?.vln).toMatchObject({ reached: true, counted: lines.length });
    expect(await setAsideOf(join(out, "alone"))).toHaveLength(done - lines.length);
    const loaded = loadConfig(stops.yaml, { set: STOPS_EARLY });
    const { run_dir } = await new UnifiedRobotEvaluator(loaded, {
      ...{ agent: "strays", outDir: join(world.root, "local") },
    }).run();
    expect(content).toEqual(await contentOf(run_dir ?? ""));
  });

  it("a cluster run stores its trajectories in the shared folder, and deleting the run deletes them", async () => {
    const folder = join(world.root, "shared");
    await submit("shared", { set: [`cluster.trajectories_dir=${folder}`] });
    await work();
    const { rows } = await cluster.database.query(
      "SELECT count(bytes)::int AS stored FROM robot_eval.files WHERE run_id = 'shared'",
    );
    expect(rows).toEqual([{ stored: 0 }]);
    expect(readdirSync(join(folder, "shared", "trajectories"))).toHaveLength(EPISODES.length);
    expect(await pulled("shared")).toEqual(await local("shared"));
    await controlRun(cluster, "shared", { action: "delete" });
    expect(existsSync(join(folder, "shared"))).toBe(false);
    await expect(pulled("shared")).rejects.toMatchObject({ code: "no_such_run" });
  });

  it("a cluster run uses the policy address of the worker, and only workers of that kind take it", async () => {
    const policy = await serve(() => ({ act: () => "stop" }), { port: 0 });
    try {
      await submit("afar", { agent: "ws://127.0.0.1:9" });
      expect(await work({ agent: "shortest-path" })).toBe(0);
      expect(await work({ agent: policy.url })).toBe(EPISODES.length);
    } finally {
      await policy.close();
    }
    const { lines } = await pulled("afar");
    expect(new Set(lines.map(({ end_reason }) => end_reason))).toEqual(new Set(["stop"]));
  });

  it("a cluster run retries invalid episodes and sets the first attempts aside", async () => {
    const odd = makeWorld(mixedEpisodes(1).slice(0, 8));
    odd.write(
      "plugin.mjs",
      `const seen = new Set();
       export default ({ agents }) => {
         const usual = agents.get("random");
         agents.register("moody", { description: "needs two tries", create: (options) => {
           const agent = usual.create(options);
           return { reset(episode) {
             if (!seen.has(episode.episodeId)) { seen.add(episode.episodeId); throw new Error("no"); }
             agent.reset(episode);
           }, act: (observation) => agent.act(observation) };
         } });
       };`,
    );
    const set = [
      "plugins=[./plugin.mjs]",
      "evaluation.retry_invalid=2",
      "evaluation.give_up_after=0",
    ];
    await submit("moody", { in: odd, agent: "moody", set });
    await work();
    const outDir = join(world.root, "pulled");
    const { run_dir } = await pullRun(cluster, "moody", { outDir });
    const lines = await linesOf(run_dir);
    const aside = await setAsideOf(run_dir ?? "");
    expect(aside.length).toBeGreaterThan(0);
    const judged = lines.filter(({ outcome }) => outcome !== "invalid");
    expect(judged.some(({ attempt }) => attempt === 2)).toBe(true);
    for (const { outcome, fault } of lines) if (outcome === "invalid") expect(fault).toBe("data");
  });
});

describe("a client of a cluster's run", () => {
  it("a client of a cluster run keeps the results so far at Ctrl-C, and can pull the whole run later", async () => {
    const queue = ["--queue", server.url];
    const run = ["run", world.yaml, "--agent", "shortest-path", "--run-id", "left", "--out", "out"];
    const waiting = startRobotEval([...run, ...queue], world.root);
    await waiting.said(`${EPISODES.length} episodes into`);
    waiting.signal("SIGINT");
    const { code, stderr } = await waiting.done;
    expect(code).toBe(130);
    expect(stderr).toContain("the run continues without this command");
    expect(stderr).toContain("robot-eval pull left --queue postgres://");
    expect(stderr).toContain("robot-eval control left cancel --queue postgres://");
    expect(stderr).not.toContain(new URL(server.url).password);
    const out = join(world.root, "out");
    expect(await (await RunDirectory.open(join(out, "left"))).info()).toMatchObject({
      status: "cancelled",
    });
    expect(await runsStatus(cluster, "left")).toMatchObject([{ status: "queued", done: 0 }]);
    expect(await work()).toBe(EPISODES.length);
    const { run_dir } = await pullRun(cluster, "left", { outDir: out });
    expect(await contentOf(run_dir ?? "")).toEqual(await local("left"));
  });

  it("a client of a cluster run pulls a run without its dataset and scenes, and prints its path", async () => {
    const elsewhere = makeWorld();
    await submit("afield", { in: elsewhere });
    await work();
    rmSync(elsewhere.root, { recursive: true });
    const out = join(world.root, "fetched");
    const fetched = await robotEvalHere(["pull", "afield", "--queue", server.url, "--out", out]);
    expect(fetched).toMatchObject({ code: 0 });
    expect(fetched.stderr).toContain(`into ${join(out, "afield")}\n`);
    expect(fetched.stderr).not.toContain(".partial");
    expect(await contentOf(join(out, "afield"))).toEqual(await local("afield"));
  });
});

describe("several runs at once", () => {
  it("runs are leased in the order of their priority", async () => {
    await submit("low", { priority: -1 });
    await submit("usual");
    await submit("urgent", { priority: 5 });
    await controlRun(cluster, "low", { action: "priority", priority: 9 });
    // Checks the order of leases, because a worker may finish episodes of two runs at the same time.
    const order = new Set<string>();
    for (;;) {
      const [lease] = (await leaseBatches(cluster, unregistered)).leases;
      if (!lease) break;
      order.add(lease.run.run_id);
    }
    expect([...order]).toEqual(["low", "urgent", "usual"]);
    await expireLeasesNow();
    expect(await work()).toBe(EPISODES.length * 3);
  });

  it("workers share several runs, and each is complete", async () => {
    await submit("one");
    await submit("two");
    const done = await Promise.all([work(), work()]);
    expect(done.reduce((sum, n) => sum + n)).toBe(EPISODES.length * 2);
    const expected = await local("both");
    expect(await pulled("one")).toEqual(expected);
    expect(await pulled("two")).toEqual(expected);
  });
});

describe("control", () => {
  it("a client of a cluster pauses a run until it is resumed", async () => {
    await submit("paused");
    expect(await controlRun(cluster, "paused", { action: "pause" })).toBe("paused");
    expect(await work()).toBe(0);
    expect(await controlRun(cluster, "paused", { action: "resume" })).toBe("queued");
    expect(await work()).toBe(EPISODES.length);
  });

  it("a client of a cluster cancels a run, whose results can still be pulled", async () => {
    await submit("cancelled");
    await controlRun(cluster, "cancelled", { action: "cancel" });
    expect(await work()).toBe(0);
    const results = await pullRun(cluster, "cancelled", { outDir: join(world.root, "pulled") });
    expect(results).toMatchObject({ status: "cancelled", episodes: { total: 0 } });
    await expect(controlRun(cluster, "cancelled", { action: "resume" })).rejects.toMatchObject({
      code: "wrong_status",
    });
  });

  it("a client of a cluster rejects deleting a run that has not ended", async () => {
    await submit("open");
    await expect(controlRun(cluster, "open", { action: "delete" })).rejects.toMatchObject({
      code: "wrong_status",
    });
    await controlRun(cluster, "open", { action: "cancel" });
  });
});

describe("lost workers", () => {
  it("lost workers are deleted after a month", async () => {
    const names = async () =>
      (await cluster.database.query("SELECT worker FROM robot_eval.workers WHERE host = 'gone'"))
        .rows;
    await cluster.database.query(
      `INSERT INTO robot_eval.workers (worker, host, pid, seats, versions, lost_after, last_seen)
       SELECT 'gone-' || days, 'gone', 1, 1, '{}', interval '30 s', now() - days * interval '1 day'
       FROM unnest(ARRAY[29, 31]) AS days`,
    );
    await expireLeasesNow();
    expect(await names()).toEqual([{ worker: "gone-29" }]);
  });

  it("lost workers lose their leases to other workers", async () => {
    await submit("haunted");
    const [lease] = (await leaseBatches(cluster, unregistered)).leases;
    expect(lease?.run.run_id).toBe("haunted");
    await expireLeasesNow();
    expect(await work()).toBe(EPISODES.length);
  });

  it("lost workers record nothing twice when they come back late", async () => {
    await submit("late");
    const [slow] = (await leaseBatches(cluster, unregistered)).leases;
    await expireLeasesNow();
    await work();
    const items = slow?.batch.items ?? [];
    const again = await cluster.database.query(
      `INSERT INTO robot_eval.results (run_id, no, repeat, attempt, line, faults, worker)
       SELECT 'late', unnest($1::int[]), 0, 1, '{}', '[]', 'unregistered' ON CONFLICT DO NOTHING`,
      [items.map(([no]) => no)],
    );
    expect(again.rowCount).toBe(0);
  });

  it("an episode that crashes every worker is invalid, but not the rest of its batch", async () => {
    await submit("deadly", { set: ["cluster.batch=4"] });
    for (;;) {
      const [lease] = (await leaseBatches(cluster, unregistered)).leases;
      if (!lease || lease.isSuspect) break;
      await expireLeasesNow();
    }
    await expireLeasesNow();
    expect(await work()).toBe(EPISODES.length);
    const { lines } = await pulled("deadly");
    const lost = lines.filter(({ outcome }) => outcome === "invalid");
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(EPISODES.length);
    expect(lost[0]).toMatchObject({ fault: "platform", error: { code: "worker_lost" } });
  });
});

it("a worker that is told to stop while it waits for a policy exits and releases its leases", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  try {
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await submit("silent", {
      agent: `ws://127.0.0.1:${port}`,
      set: ["policy.connect_timeout=600", "cluster.batch=1"],
    });
    const worker = startRobotEval(["worker", "--queue", server.url, "--workers", "1"], world.root);
    await once(silent, "connection");
    worker.signal("SIGTERM");
    expect(await worker.done).toMatchObject({ code: 0 });
    const held = "SELECT * FROM robot_eval.held WHERE run_id = 'silent'";
    expect((await cluster.database.query(held)).rows).toEqual([]);
    expect((await runsStatus(cluster, "silent"))[0]).toMatchObject({ done: 0, status: "running" });
  } finally {
    silent.close();
    await controlRun(cluster, "silent", { action: "cancel" });
  }
});

describe("an invalid request to a cluster", () => {
  it("a cluster fails a run that no worker can prepare, with the reason", async () => {
    await submit("unready", { agent: "replay:/nowhere" });
    await work();
    const [row] = await runsStatus(cluster, "unready");
    expect(row).toMatchObject({ status: "failed", problem: expect.stringContaining("/nowhere") });
    const results = await pullRun(cluster, "unready", { outDir: join(world.root, "pulled") });
    expect(results.status).toBe("failed");
  });

  it("a cluster does not fail a run that some workers cannot prepare while another one leases a batch", async () => {
    await submit("held-elsewhere");
    const [lease] = (await leaseBatches(cluster, unregistered)).leases;
    expect(lease?.run.run_id).toBe("held-elsewhere");
    const statusAfter = async (worker: string) => {
      await reportProblem(cluster.database, "held-elsewhere", worker, "no such simulator");
      return (await runsStatus(cluster, "held-elsewhere"))[0]?.status;
    };
    for (const worker of ["a", "b", "c", "d"]) expect(await statusAfter(worker)).toBe("running");
    // The worker with the lease cannot prepare it either.
    expect(await statusAfter(unregistered.worker)).toBe("failed");
  });

  it("a run on a cluster rejects credentials in the address of an agent", async () => {
    const secret = submit("secret", { agent: "ws://me:hush@127.0.0.1:9" });
    await expect(secret).rejects.toMatchObject({ code: "secret_in_agent" });
  });

  it("the command line rejects a run id that exists", async () => {
    await submit("twice");
    await expect(submit("twice")).rejects.toMatchObject({ code: "run_exists" });
    await controlRun(cluster, "twice", { action: "cancel" });
  });

  it("the command line reports a wrong address or password without quoting it", async () => {
    const url = new URL(server.url);
    url.password = "hush";
    for (const queue of [url.href, "postgres://me:hush@127.0.0.1:1/robots", "mysql://me:hush@db"]) {
      const { code, stderr } = await robotEvalHere(["status", "--queue", queue]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/password|ECONNREFUSED|not the address/);
      expect(stderr).not.toContain("hush");
    }
  });

  it("the command line reports a missing password, and the command exits", async () => {
    const url = new URL(server.url);
    url.password = "";
    const { code, stderr } = await startRobotEval(["status", "--queue", url.href], world.root).done;
    expect([code, stderr]).toEqual([2, expect.stringContaining("set PGPASSWORD")]);
  });

  it("the command line does not replace a folder that is not a run", async () => {
    const out = join(world.root, "occupied");
    mkdirSync(join(out, "twice"), { recursive: true });
    const pulling = pullRun(cluster, "twice", { outDir: out });
    await expect(pulling).rejects.toMatchObject({ code: "run_exists", where: join(out, "twice") });
  });

  it("the command line rejects flags of local runs", async () => {
    const flags = ["--queue", server.url, "--workers", "2"];
    expect(await robotEvalHere(["run", world.yaml, ...flags])).toMatchObject({ code: 2 });
    expect(await robotEvalHere(["run", world.yaml, "--detach"])).toMatchObject({ code: 2 });
  });
});

describe("the cluster commands", () => {
  it("cluster commands submit, inspect, control and pull a run", async () => {
    const queue = ["--queue", server.url];
    const cli = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await robotEvalHere([...args, ...queue, "--json"]);
      expect(`${code} ${stderr}`).toMatch(/^0 /);
      return JSON.parse(stdout);
    };
    const run = ["run", world.yaml, "--agent", "shortest-path", "--run-id", "typed"];
    expect(await cli(...run, "--detach", "--priority", "3")).toEqual({
      run_id: "typed",
      episodes: EPISODES.length,
    });
    expect(await cli("control", "typed", "pause")).toEqual({ run_id: "typed", status: "paused" });
    expect(await cli("control", "typed", "resume")).toMatchObject({ status: "queued" });
    expect((await cli("status", "typed")).runs).toMatchObject([{ status: "queued", priority: 3 }]);
    await work();
    const out = join(world.root, "typed");
    expect(await cli("pull", "typed", "--out", out)).toMatchObject({ status: "done" });
    // An existing copy is replaced.
    expect(await cli("pull", "typed", "--out", out)).toMatchObject({ status: "done" });
    expect(readdirSync(out)).toEqual(["typed"]);
    const { code, stdout } = await robotEvalHere(["status", ...queue]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("typed")]);
    expect(await workersStatus(cluster)).toEqual([]);
  });
});
