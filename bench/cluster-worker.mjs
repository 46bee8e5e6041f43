// Parts of the cluster benchmark that run in their own process: drains a queue without running episodes, runs a
// worker, or evaluates a benchmark without a cluster. Each message gets one answer.
import { parseConfig } from "../build/config/load.js";
import { serverCpuMs } from "./server-cpu.mjs";

const WORK = { drain, plain, idle, work, local };

process.on("message", async ({ kind, ...options }) => {
  if (kind === "end") process.disconnect();
  else process.send(await WORK[kind](options));
});

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Records the end time of each episode, and the CPU time of this process at that moment. */
function recorder() {
  const times = [];
  const cpu = [];
  return {
    times,
    cpu,
    note: () => {
      times.push(performance.timeOrigin + performance.now());
      cpu.push(cpuMs());
    },
  };
}

/** Takes and records all jobs with `takers` concurrent workers that do not run episodes. */
async function drain({ url, takers, line }) {
  const { openCluster } = await import("../build/cluster/cluster.js");
  const { LeasedBatch } = await import("../build/cluster/leased-batch.js");
  const { ResultWriter } = await import("../build/cluster/result-writer.js");
  const { leaseBatches } = await import("../build/cluster/lease-batches.js");
  const cluster = await openCluster(url, { connections: 2 * takers });
  const runs = new Map();
  const known = (id) => runs.get(id);
  const began = performance.now();
  const cpuBefore = cpuMs();
  const counts = await Promise.all(
    Array.from({ length: takers }, async (_, i) => {
      const worker = `bench-${i}`;
      const writer = new ResultWriter(cluster, worker, {});
      for (;;) {
        const taker = { worker, agent: undefined, current: undefined, excludes: [], known };
        const [taken] = (await leaseBatches(cluster, taker)).leases;
        if (!taken) break;
        runs.set(taken.run.run_id, taken.run);
        const batch = new LeasedBatch(taken);
        for (const { item } of taken.jobs) {
          const nothing = { faults: [], isTriedAgain: false, files: [], folder: null };
          await writer.add({ batch, item, line, ...nothing });
        }
      }
      await writer.flush();
      return writer.recorded;
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuMs() - cpuBefore;
  await cluster.close();
  return { seconds, cpu, recorded: counts.reduce((sum, count) => sum + count, 0) };
}

/**
 * The same with a plain table: each job is a row, which is taken by one statement and recorded and completed in one
 * transaction.
 */
async function plain({ url, takers, count, batch, line, episode }) {
  const { openDatabase } = await import("../build/cluster/database/connect.js");
  const database = await openDatabase(url, { connections: 2 * takers });
  await database.query(`CREATE SCHEMA plain
    CREATE TABLE jobs (id bigint PRIMARY KEY, state smallint NOT NULL DEFAULT 0, data json NOT NULL)
    CREATE TABLE results (id bigint PRIMARY KEY, line json NOT NULL)`);
  await database.query("CREATE INDEX ON plain.jobs (id) WHERE state = 0");
  const jobs = Math.ceil(count / batch);
  const data = JSON.stringify(Array.from({ length: batch }, () => episode));
  let began = performance.now();
  await database.transaction(async (transaction) => {
    for (let from = 0; from < jobs; from += 1000) {
      await transaction.query(
        "INSERT INTO plain.jobs (id, data) SELECT *, $2::json FROM unnest($1::bigint[])",
        [Array.from({ length: Math.min(1000, jobs - from) }, (_, i) => from + i), data],
      );
    }
  });
  const inMs = (performance.now() - began) / count;
  began = performance.now();
  const text = JSON.stringify(line);
  const take = `UPDATE plain.jobs SET state = 1 WHERE id =
    (SELECT id FROM plain.jobs WHERE state = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, data`;
  const work = async () => {
    for (;;) {
      const { rows } = await database.query(take);
      if (rows.length === 0) return;
      const id = Number(rows[0].id);
      await database.transaction(async (transaction) => {
        const ids = rows[0].data.map((_, i) => id * batch + i);
        await transaction.query(
          "INSERT INTO plain.results SELECT *, $2::json FROM unnest($1::bigint[])",
          [ids, text],
        );
        await transaction.query("UPDATE plain.jobs SET state = 2 WHERE id = $1", [id]);
      });
    }
  };
  // Our workers take the next batch while the last is being recorded, so each has two at once.
  await Promise.all(Array.from({ length: 2 * takers }, work));
  const outMs = (performance.now() - began) / count;
  await database.query("DROP SCHEMA plain CASCADE");
  await database.close();
  return { inMs, outMs };
}

/** An idle worker: sends heartbeats and polls the queue `times` times each. */
async function idle({ url, times, data }) {
  const { openCluster } = await import("../build/cluster/cluster.js");
  const { maintain } = await import("../build/cluster/maintenance.js");
  const { leaseBatches } = await import("../build/cluster/lease-batches.js");
  const { statusOf, WorkerRow } = await import("../build/cluster/worker-row.js");
  const cluster = await openCluster(url, { connections: 2 });
  const worker = new WorkerRow(undefined, 3_600_000);
  const state = { run: undefined, underWay: 2, done: 1, capacity: 2 };
  const taker = { worker: worker.id, agent: undefined, current: undefined, excludes: [] };
  const timed = async (work) => {
    const began = performance.now();
    for (let i = 0; i < times; i++) await work();
    return (performance.now() - began) / times;
  };
  await leaseBatches(cluster, taker);
  const cpu = [serverCpuMs(data)];
  const beatMs = await timed(async () => {
    await worker.beat(cluster.database, state);
    await statusOf(cluster.database, ["some run"]);
    await maintain(cluster);
  });
  cpu.push(serverCpuMs(data));
  const lookMs = await timed(() => leaseBatches(cluster, taker));
  cpu.push(serverCpuMs(data));
  await cluster.close();
  return { beatMs, lookMs, cpu };
}

/** Equivalent to `robot-eval worker --workers 1 --until-empty`. */
async function work({ url }) {
  const { openCluster } = await import("../build/cluster/cluster.js");
  const { ClusterWorker } = await import("../build/cluster/worker.js");
  const cluster = await openCluster(url, { connections: 2 });
  const { note, ...noted } = recorder();
  const worker = new ClusterWorker(cluster, { workers: 1, untilEmpty: true, onEpisode: note });
  await worker.run(new AbortController().signal);
  await cluster.close();
  return noted;
}

/** Equivalent to `robot-eval run --workers 1`. */
async function local({ config, outDir }) {
  const { UnifiedRobotEvaluator } = await import("../build/evaluator/evaluator.js");
  const loaded = parseConfig(JSON.stringify(config), { file: "bench.yaml" });
  const { note, ...noted } = recorder();
  await new UnifiedRobotEvaluator(loaded, {
    agent: "shortest-path",
    outDir,
    workers: 1,
    onEvent: ({ type }) => {
      if (type === "episode") note();
    },
  }).run();
  return noted;
}
