// The cluster's queue and workers on one machine, with an embedded PostgreSQL server.
//
// 1. 100,000 tiny jobs: the rates at which they are queued, taken and recorded, and whether the cost of a job grows
//    with their number. The peer is a plain table with UPDATE ... FOR UPDATE SKIP LOCKED, through the same driver.
//    Everything is warmed up first. On a shared machine, the CPU time of a job (server and worker) is more reliable
//    than wall time.
// 2. The load of 1,000 idle workers on the server.
// 3. A navigation benchmark with one worker process and with two, each with the same number of episodes. The bound is
//    two concurrent runs without a cluster compared with one. The rate is measured while all processes are busy,
//    without the first three fifths of their episodes: during about a thousand episodes V8 compiles on the other
//    cores, which a second worker would need. The four cases alternate, and medians are reported.
//
// BENCH_JOBS=1000,10000,100000: jobs in batches of eight; in batches of one, at most 10,000.
// BENCH_EPISODES=1600: navigation episodes per process without cameras; a quarter of them with a camera.
// BENCH_ROUNDS=3
import { fork } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { openCluster } from "../build/cluster/cluster.js";
import { controlRun } from "../build/cluster/control.js";
import { startEmbedded } from "../build/cluster/database/embedded.js";
import { submitRun } from "../build/cluster/submit.js";
import { parseConfig } from "../build/config/load.js";
import { prepareRun } from "../build/evaluator/plan/prepare.js";
import { BaseEpisode, createRegistries } from "../build/index.js";
import { row } from "./measure.mjs";
import { serverCpuMs } from "./server-cpu.mjs";

const JOBS = (process.env.BENCH_JOBS ?? "1000,10000,100000").split(",").map(Number);
const EPISODES = Number(process.env.BENCH_EPISODES ?? 1600);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** The share of a process's episodes during which V8 still compiles. */
const COLD = 0.6;
const MAX_SINGLE = 10_000;
/** Workers that take and record jobs without running episodes. */
const TAKERS = 4;
const CAMERA = { rgb: { width: 64, height: 48 } };

const worker = fileURLToPath(new URL("./cluster-worker.mjs", import.meta.url));
const shipped = new URL("../data/navmesh/vln/val.json.gz", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
// If started by root, the server runs as another user, who needs access to its data.
chmodSync(folder, 0o755);

/** Child processes that are still running. */
const started = new Set();
const data = join(folder, "data");
const database = await startEmbedded(data);
const cluster = await openCluster(database.url);
try {
  console.log("cluster: tiny jobs, no episodes are run");
  const drainer = child();
  const plainer = child();
  await tinyJobs(drainer, plainer, 1000, 8, () => {});
  for (const [batch, counts] of [
    [1, JOBS.filter((count) => count <= MAX_SINGLE)],
    [8, JOBS],
  ]) {
    const costs = [];
    for (const count of counts) costs.push(await tinyJobs(drainer, plainer, count, batch, row));
    for (const cost of costs.slice(1)) {
      const growth = (what) => `${(cost[what] / costs[0][what]).toFixed(2)}x`;
      row(
        `a job of ${cost.count} compared with one of ${costs[0].count}, ${batch} per batch`,
        `in: ${growth("inMs")}, out: ${growth("outMs")}; CPU time, out: server ${growth("cpuMs")}, worker ${growth("ownMs")}; plain table: ${growth("plainInMs")}, ${growth("plainOutMs")}`,
      );
    }
  }
  drainer.end();
  plainer.end();
  await idleWorkers();

  for (const [name, sensors, count] of [
    ["no cameras", {}, EPISODES],
    ["a camera", CAMERA, Math.ceil(EPISODES / 4)],
  ]) {
    console.log(
      `cluster: ${count} navigation episodes per process, ${name}, one thread per worker`,
    );
    await scaling(sensors, count);
  }
} finally {
  for (const one of started) one.kill("SIGKILL");
  await cluster.close();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A record of the typical size of an episode's result, without its trajectory. */
function line(text = "x".repeat(500)) {
  return { episode_key: "vln/hall/1", outcome: "success", metrics: { success: 1 }, text };
}

async function tinyJobs(drainer, plainer, count, batch, tell) {
  const config = parseConfig(
    JSON.stringify({
      benchmark: { name: "bench" },
      vln_task: { type: "vln", config: { metrics: ["success"] } },
      dataset: { vln: { type: "vln", data_path: fileURLToPath(shipped) } },
      cluster: { batch },
    }),
    { file: "bench.yaml" },
  );
  const episodes = { vln: Array.from({ length: count }, (_, i) => tinyEpisode(i)) };
  const plan = await prepareRun(config, {
    registries: createRegistries(),
    agent: "random",
    episodes,
  });
  const before = await counters();
  const began = performance.now();
  const { info } = await submitRun(cluster, plan);
  const inMs = (performance.now() - began) / count;
  const between = await counters();
  const drained = await drainer.ask({
    kind: "drain",
    url: database.url,
    takers: TAKERS,
    line: line(),
  });
  if (drained.recorded !== count) throw new Error(`recorded ${drained.recorded} of ${count} jobs`);
  const outMs = (1000 * drained.seconds) / count;
  const after = await counters();
  const plain = await plainer.ask({
    ...{ kind: "plain", url: database.url, takers: TAKERS, count, batch },
    ...{ line: line(), episode: tinyEpisode(0).toDict() },
  });
  const per = (from, to, what) => ((to[what] - from[what]) / count).toFixed(what === "wal" ? 0 : 2);
  tell(
    `${count} jobs, ${batch} per batch: in, out`,
    `${perSecond(inMs)}, ${perSecond(outMs)} jobs/s (${inMs.toFixed(3)}, ${outMs.toFixed(3)} ms)`,
  );
  tell(
    "  the plain table, its time as a share of ours",
    `${perSecond(plain.inMs)}, ${perSecond(plain.outMs)} jobs/s (${(plain.inMs / inMs).toFixed(2)}, ${(plain.outMs / outMs).toFixed(2)})`,
  );
  tell(
    "  out, per job: transactions, bytes of log; in: bytes of log",
    `${per(between, after, "commits")}, ${per(between, after, "wal")}; ${per(before, between, "wal")}`,
  );
  const cpuMs = (after.cpu - between.cpu) / count;
  tell(
    "  CPU time per job: in, out on the server; out in workers",
    `${((between.cpu - before.cpu) / count).toFixed(3)}, ${cpuMs.toFixed(3)}; ${(drained.cpu / count).toFixed(3)} ms`,
  );
  await controlRun(cluster, info.run_id, { action: "cancel" }).catch(() => {});
  await controlRun(cluster, info.run_id, { action: "delete" });
  const { inMs: plainInMs, outMs: plainOutMs } = plain;
  return { count, inMs, outMs, cpuMs, ownMs: drained.cpu / count, plainInMs, plainOutMs };
}

/** The cost of a heartbeat and of a poll while a thousand workers are registered, each with two batches. */
async function idleWorkers() {
  const { database: queries } = cluster;
  await queries.query(
    `INSERT INTO robot_eval.workers (worker, host, pid, seats, versions, lost_after)
     SELECT 'crowd-' || i, 'host', i, 2, '{}', interval '1 hour' FROM generate_series(1, 1000) i`,
  );
  await queries.query(
    `INSERT INTO robot_eval.held (job, run_id, worker)
     SELECT gen_random_uuid(), 'crowd', 'crowd-' || (1 + i / 2) FROM generate_series(0, 1999) i`,
  );
  const times = 1000;
  const one = child();
  const cost = await one.ask({ kind: "idle", url: database.url, times, data });
  one.end();
  row(
    "1 worker among 1,000: a heartbeat, a poll of an empty queue",
    `${cost.beatMs.toFixed(2)}, ${cost.lookMs.toFixed(2)} ms`,
  );
  const [before, beats, looks] = cost.cpu;
  row(
    "  CPU time of the server",
    `${((beats - before) / times).toFixed(3)}, ${((looks - beats) / times).toFixed(3)} ms`,
  );
  await queries.query("DELETE FROM robot_eval.workers; DELETE FROM robot_eval.held");
}

function tinyEpisode(i) {
  return BaseEpisode.fromDict({
    episode_id: String(i),
    task_type: "vln",
    scene_id: `scene-${i % 100}`,
    start_state: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
    goals: { position: [1, 0, 0] },
    instruction: { text: "go" },
    reference_data: {},
  });
}

/** The server's counters. Its transaction counts are delayed, so wait briefly. */
async function counters() {
  await new Promise((later) => setTimeout(later, 1500));
  const { rows } = await cluster.database.query(
    `SELECT sum(xact_commit)::float8 AS commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  return { ...rows[0], cpu: serverCpuMs(data) };
}

function benchmark(sensors, count) {
  const { episodes, ...rest } = JSON.parse(gunzipSync(readFileSync(shipped)));
  const many = Array.from({ length: count }, (_, i) => ({
    ...episodes[i % episodes.length],
    episode_id: i + 1,
    trajectory_id: i + 1,
  }));
  const path = join(folder, `val-${count}.json`);
  writeFileSync(path, JSON.stringify({ ...rest, episodes: many }));
  return {
    benchmark: { name: "bench" },
    vln_task: { type: "vln", config: { profile: "vlnce", metrics: ["success", "spl"] } },
    simulator: { sensors: { instruction: {}, ...sensors } },
    dataset: { vln: { type: "vln", data_path: path } },
  };
}

async function scaling(sensors, count) {
  const rounds = [];
  let before;
  let after;
  let run;
  for (let i = 0; i < ROUNDS; i++) {
    before = await counters();
    const one = await clusterRate(sensors, count, 1);
    after = await counters();
    run = one.run;
    const two = await clusterRate(sensors, count, 2);
    const alone = await localRate(sensors, count, 1);
    const both = await localRate(sensors, count, 2);
    rounds.push({ one, two, alone, both, serverMs: (after.cpu - before.cpu) / count });
  }
  const of = (what) => {
    const values = rounds.map(what).sort((a, b) => a - b);
    return values[values.length >> 1];
  };
  const rates = (name) => of((round) => round[name].rate).toFixed(1);
  const ratio = (what) => {
    const all = rounds.map((round) => what(round).toFixed(2)).join(", ");
    return `${of(what).toFixed(2)}x (rounds: ${all})`;
  };
  row(
    "1 worker, 2 workers; 1 plain run, 2",
    `${rates("one")}, ${rates("two")}; ${rates("alone")}, ${rates("both")} episodes/s`,
  );
  row(
    "2 workers compared with 1 (goal 1.8)",
    ratio(({ one, two }) => two.rate / one.rate),
  );
  row(
    "  2 concurrent plain runs compared with 1",
    ratio(({ alone, both }) => both.rate / alone.rate),
  );
  row(
    "  1 worker compared with 1 plain run",
    ratio(({ one, alone }) => one.rate / alone.rate),
  );
  row(
    "  2 workers compared with 2 plain runs",
    ratio(({ two, both }) => two.rate / both.rate),
  );
  const ms = (what) => of(what).toFixed(2);
  row(
    "CPU time per episode: worker, server; plain run",
    `${ms(({ one }) => one.cpuMs)}, ${ms(({ serverMs }) => serverMs)}; ${ms(({ alone }) => alone.cpuMs)} ms`,
  );
  row(
    "per episode: transactions, bytes of log",
    `${((after.commits - before.commits) / count).toFixed(2)}, ${((after.wal - before.wal) / count).toFixed(0)}`,
  );
  const { rows } = await cluster.database.query(
    `SELECT avg(octet_length(r.line::text))::float8 AS line, avg(octet_length(f.bytes))::float8 AS file,
       avg(octet_length(e.episode::text))::float8 AS episode
     FROM robot_eval.results r JOIN robot_eval.files f USING (run_id, no, repeat)
     JOIN robot_eval.episodes e USING (run_id, no) WHERE r.run_id = $1`,
    [run],
  );
  const sizes = rows[0];
  row(
    "  bytes of its line, trajectory, episode",
    [sizes.line, sizes.file, sizes.episode].map((size) => (size ?? 0).toFixed(0)).join(", "),
  );
}

async function clusterRate(sensors, count, workers) {
  const total = count * workers;
  const text = JSON.stringify(benchmark(sensors, total));
  const plan = await prepareRun(parseConfig(text, { file: "bench.yaml" }), {
    registries: createRegistries(),
    agent: "shortest-path",
  });
  const { info } = await submitRun(cluster, plan);
  const courses = await together(workers, () => ({ kind: "work", url: database.url }));
  const { rows } = await cluster.database.query(
    "SELECT count(*)::int AS recorded FROM robot_eval.results WHERE run_id = $1",
    [info.run_id],
  );
  if (rows[0].recorded !== total) throw new Error(`${rows[0].recorded} of ${total} results`);
  return { run: info.run_id, ...steady(courses) };
}

async function localRate(sensors, count, runs) {
  const config = benchmark(sensors, count);
  const courses = await together(runs, (i) => ({
    ...{ kind: "local", config, outDir: mkdtempSync(join(folder, `local-${i}-`)) },
  }));
  return steady(courses);
}

/** The rate while all processes are busy and warmed up. */
function steady(courses) {
  const since = Math.max(...courses.map(({ times }) => times[Math.floor(times.length * COLD)]));
  const until = Math.min(...courses.map(({ times }) => times.at(-1)));
  const counted = courses.flatMap(({ times }) => times).filter((at) => at > since && at <= until);
  const costs = courses.map(({ cpu }) => {
    const from = Math.floor(cpu.length * COLD);
    return (cpu.at(-1) - cpu[from]) / (cpu.length - 1 - from);
  });
  return { rate: (1000 * counted.length) / (until - since), cpuMs: costs[0] };
}

function together(count, message) {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const one = child();
      const answer = await one.ask(message(i));
      one.end();
      return answer;
    }),
  );
}

/** Starts a process that answers messages one at a time. */
function child() {
  const forked = fork(worker);
  started.add(forked);
  forked.on("exit", () => started.delete(forked));
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        forked.once("message", resolve);
        forked.once("error", reject);
        forked.once("exit", (code) => reject(new Error(`${message.kind} exited with ${code}`)));
        forked.send(message);
      }),
    end: () => forked.send({ kind: "end" }),
  };
}

function perSecond(ms) {
  return (1000 / ms).toFixed(0);
}
