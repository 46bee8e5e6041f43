// Pieces of the cluster benchmark that must not share a process with what measures them: drains a queue without
// running anything, is a worker, or evaluates a benchmark as a plain run does. One message, one answer.
import { parseConfig } from "../dist/config/load.js";
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

/** When each episode was over, and the processor time that this process had taken by then. */
function course() {
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

/** Takes and records until there is nothing left, through so many workers that run nothing. */
async function drain({ url, takers, line }) {
  const { openCluster } = await import("../dist/cluster/cluster.js");
  const { HeldBatch } = await import("../dist/cluster/held-batch.js");
  const { ResultWriter } = await import("../dist/cluster/result-writer.js");
  const { takeBatches } = await import("../dist/cluster/take.js");
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
        const taker = { worker, agent: undefined, current: undefined, avoids: [], known };
        const [taken] = (await takeBatches(cluster, taker)).taken;
        if (!taken) break;
        runs.set(taken.run.run_id, taken.run);
        const batch = new HeldBatch(taken);
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
 * The same through a plain table: each job has a row, is taken by one statement and recorded, with the end of its
 * row, in one transaction.
 */
async function plain({ url, takers, count, batch, line, episode }) {
  const { openDatabase } = await import("../dist/cluster/database/connect.js");
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
  // Ours takes the next while the last is being recorded, so that each of its workers has two at once.
  await Promise.all(Array.from({ length: 2 * takers }, work));
  const outMs = (performance.now() - began) / count;
  await database.query("DROP SCHEMA plain CASCADE");
  await database.close();
  return { inMs, outMs };
}

/** A worker with nothing to do: so many beats, and so many looks for work. */
async function idle({ url, times, data }) {
  const { openCluster } = await import("../dist/cluster/cluster.js");
  const { sweep } = await import("../dist/cluster/sweep.js");
  const { takeBatches } = await import("../dist/cluster/take.js");
  const { statusOf, WorkerRow } = await import("../dist/cluster/worker-row.js");
  const cluster = await openCluster(url, { connections: 2 });
  const worker = new WorkerRow(undefined, 3_600_000);
  const state = { run: undefined, underWay: 2, done: 1, seats: 2 };
  const taker = { worker: worker.id, agent: undefined, current: undefined, avoids: [] };
  const timed = async (work) => {
    const began = performance.now();
    for (let i = 0; i < times; i++) await work();
    return (performance.now() - began) / times;
  };
  await takeBatches(cluster, taker);
  const cpu = [serverCpuMs(data)];
  const beatMs = await timed(async () => {
    await worker.beat(cluster.database, state);
    await statusOf(cluster.database, ["some run"]);
    await sweep(cluster);
  });
  cpu.push(serverCpuMs(data));
  const lookMs = await timed(() => takeBatches(cluster, taker));
  cpu.push(serverCpuMs(data));
  await cluster.close();
  return { beatMs, lookMs, cpu };
}

/** What `robot-eval worker --workers 1 --until-empty` does. */
async function work({ url }) {
  const { openCluster } = await import("../dist/cluster/cluster.js");
  const { ClusterWorker } = await import("../dist/cluster/worker.js");
  const cluster = await openCluster(url, { connections: 2 });
  const { note, ...noted } = course();
  const worker = new ClusterWorker(cluster, { workers: 1, untilEmpty: true, onEpisode: note });
  await worker.run(new AbortController().signal);
  await cluster.close();
  return noted;
}

/** What `robot-eval run --workers 1` does. */
async function local({ config, outDir }) {
  const { UnifiedRobotEvaluator } = await import("../dist/evaluator/evaluator.js");
  const loaded = parseConfig(JSON.stringify(config), { file: "bench.yaml" });
  const { note, ...noted } = course();
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
