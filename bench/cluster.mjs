// The cluster's queue and workers on one machine, with a PostgreSQL server of our own.
//
// 1. 100,000 tiny jobs: how fast they are put into the queue, taken and recorded, and whether a job costs more
//    when there are more of them. The bound is a plain table with the statement that every such queue comes down
//    to, UPDATE ... FOR UPDATE SKIP LOCKED, through the same driver.
//    On a shared machine the processor time that a job takes, the server's and ours, says more than the clock.
// 2. What 1,000 workers ask of the server while they have nothing to do but to be there.
// 3. A navigation benchmark by one worker process and by two. The bound is two plain runs at once against one:
//    what this machine gives to two processes that know nothing of each other.
import { fork, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { openCluster } from "../dist/cluster/cluster.js";
import { startEmbedded } from "../dist/cluster/database/embedded.js";
import { submitRun } from "../dist/cluster/submit.js";
import { parseConfig } from "../dist/config/load.js";
import { prepareRun } from "../dist/evaluator/prepare.js";
import { BaseEpisode, createRegistries } from "../dist/index.js";
import { row } from "./measure.mjs";
import { serverCpuMs } from "./server-cpu.mjs";

const JOBS = (process.env.BENCH_JOBS ?? "1000,10000,100000").split(",").map(Number);
const EPISODES = Number(process.env.BENCH_EPISODES ?? 2000);
/** Workers that take and record without running anything. */
const TAKERS = 4;
const CAMERA = { rgb: { width: 64, height: 48 } };

const worker = fileURLToPath(new URL("./cluster-worker.mjs", import.meta.url));
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const shipped = new URL("../data/navmesh/vln/val.json.gz", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
// Started by root, the server runs as somebody else, who must get at its data.
chmodSync(folder, 0o755);

/** Commands that have not ended. */
const started = new Set();
const data = join(folder, "data");
const database = await startEmbedded(data);
const cluster = await openCluster(database.url);
try {
  console.log("cluster: tiny jobs, nothing is run");
  const costs = [];
  for (const count of JOBS) costs.push(await tinyJobs(count, 1));
  const [first] = costs;
  const last = costs.at(-1);
  row(
    `a job of ${last.count} against one of ${first.count}`,
    `in: ${(last.inMs / first.inMs).toFixed(2)}x, out: ${(last.outMs / first.outMs).toFixed(2)}x; processor, out: ${(last.cpuMs / first.cpuMs).toFixed(2)}x`,
  );
  await tinyJobs(JOBS.at(-1), 8);
  await crowd();

  for (const [name, sensors] of [
    ["no cameras", {}],
    ["a camera", CAMERA],
  ]) {
    const config = benchmark(sensors, name === "no cameras" ? EPISODES : EPISODES / 10);
    console.log(`cluster: ${config.episodes} navigation episodes, ${name}, one thread a worker`);
    await scaling(config);
  }
} finally {
  for (const one of started) one.kill("SIGKILL");
  await cluster.close();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The size of what a run records of an episode, without its trajectory. */
function line(text = "x".repeat(500)) {
  return { episode_key: "vln/hall/1", outcome: "success", metrics: { success: 1 }, text };
}

async function tinyJobs(count, batch) {
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
  const drained = await child({ kind: "drain", url: database.url, takers: TAKERS, line: line() });
  if (drained.recorded !== count) throw new Error(`${drained.recorded} of ${count} are recorded`);
  const outMs = (1000 * drained.seconds) / count;
  const after = await counters();
  const plain = await child({
    ...{ kind: "plain", url: database.url, takers: TAKERS, count, batch },
    ...{ line: line(), episode: tinyEpisode(0).toDict() },
  });
  const per = (from, to, what) => ((to[what] - from[what]) / count).toFixed(what === "wal" ? 0 : 2);
  row(
    `${count} jobs, ${batch} a batch: in, out`,
    `${perSecond(inMs)}, ${perSecond(outMs)} jobs/s (${inMs.toFixed(3)}, ${outMs.toFixed(3)} ms)`,
  );
  row(
    "  the plain table beside it, its time as a share of ours",
    `${perSecond(plain.inMs)}, ${perSecond(plain.outMs)} jobs/s (${(plain.inMs / inMs).toFixed(2)}, ${(plain.outMs / outMs).toFixed(2)})`,
  );
  row(
    "  out, a job: transactions, bytes of log; in: bytes of log",
    `${per(between, after, "commits")}, ${per(between, after, "wal")}; ${per(before, between, "wal")}`,
  );
  const cpuMs = (after.cpu - between.cpu) / count;
  row(
    "  processor, a job: in, out on the server; out in workers",
    `${((between.cpu - before.cpu) / count).toFixed(3)}, ${cpuMs.toFixed(3)}; ${(drained.cpuMs / count).toFixed(3)} ms`,
  );
  await cluster.database.query("DELETE FROM robot_eval.runs WHERE run_id = $1", [info.run_id]);
  return { count, inMs, outMs, cpuMs };
}

/** A thousand workers that are there, each with two batches: what one more beat, and one more look, costs. */
async function crowd() {
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
  const cost = await child({ kind: "idle", url: database.url, times, data });
  row(
    "1 worker among 1,000: a beat, a look at an empty queue",
    `${cost.beatMs.toFixed(2)}, ${cost.lookMs.toFixed(2)} ms`,
  );
  const [before, beats, looks] = cost.cpu;
  row(
    "  the server's processor time",
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

/** What the server has done so far. Its counts of transactions come late: it is given a moment. */
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
    episodes: count,
    document: {
      benchmark: { name: "bench" },
      vln_task: { type: "vln", config: { profile: "vlnce", metrics: ["success", "spl"] } },
      simulator: { sensors: { instruction: {}, ...sensors } },
      dataset: { vln: { type: "vln", data_path: path } },
    },
  };
}

async function scaling(config) {
  const before = await counters();
  const one = await clusterRate(config, 1);
  const after = await counters();
  const two = await clusterRate(config, 2);
  const alone = await localRate(config, 1);
  const both = await localRate(config, 2);
  const n = config.episodes;
  row(
    "1 worker, 2 workers",
    `${one.rate.toFixed(1)}, ${two.rate.toFixed(1)} episodes/s while all work; ${one.seconds.toFixed(1)}, ${two.seconds.toFixed(1)} s in all`,
  );
  row("2 workers against 1 (goal 1.8)", `${(two.rate / one.rate).toFixed(2)}x`);
  row("  2 plain runs at once against 1", `${(both.rate / alone.rate).toFixed(2)}x`);
  row("  1 worker against 1 plain run", `${(one.rate / alone.rate).toFixed(2)}x`);
  row(
    "an episode: transactions, bytes of log",
    `${((after.commits - before.commits) / n).toFixed(2)}, ${((after.wal - before.wal) / n).toFixed(0)}`,
  );
  const { rows } = await cluster.database.query(
    `SELECT avg(octet_length(r.line::text))::float8 AS line, avg(octet_length(f.bytes))::float8 AS file,
       avg(octet_length(e.episode::text))::float8 AS episode
     FROM robot_eval.results r JOIN robot_eval.files f USING (run_id, no, repeat)
     JOIN robot_eval.episodes e USING (run_id, no) WHERE r.run_id = $1`,
    [one.run],
  );
  const sizes = rows[0];
  row(
    "  bytes of its line, trajectory, episode",
    [sizes.line, sizes.file, sizes.episode].map((size) => (size ?? 0).toFixed(0)).join(", "),
  );
}

/** Workers that are there and warm when the run comes; the rate is that of the time when all of them work. */
async function clusterRate({ document, episodes }, count) {
  const yaml = join(folder, "bench.json.yaml");
  writeFileSync(yaml, JSON.stringify(document));
  const submit = (id, ...more) =>
    command(
      "run",
      yaml,
      "--agent",
      "shortest-path",
      "--queue",
      database.url,
      "--detach",
      "--run-id",
      id,
      ...more,
    ).done;
  const run = `bench-${count}-${Date.now()}`;
  await submit(`${run}-warm`, "--limit", String(16 * count), "--priority", "9");
  await submit(run);
  const workers = Array.from({ length: count }, () =>
    command("worker", "--queue", database.url, "--workers", "1", "--until-empty"),
  );
  await Promise.all(workers.map(({ done }) => done));
  const { rows } = await cluster.database.query(
    `WITH own AS (SELECT worker, extract(epoch FROM recorded_at)::float8 AS at
       FROM robot_eval.results WHERE run_id = $1),
     span AS (SELECT max(first) AS since, min(last) AS until, min(first) AS first, max(last) AS last, count(*) AS workers
       FROM (SELECT min(at) AS first, max(at) AS last FROM own GROUP BY worker) AS each)
     SELECT since, until, last - first AS seconds, workers::int,
       (SELECT count(*) FROM own)::int AS total,
       (SELECT count(*) FROM own WHERE at > since AND at <= until)::int AS counted FROM span`,
    [run],
  );
  const { since, until, seconds, workers: seen, total, counted } = rows[0];
  if (total !== episodes || seen !== count) throw new Error(`${total} results of ${seen} workers`);
  return { run, rate: counted / (until - since), seconds };
}

async function localRate({ document }, count) {
  const runs = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      child({ kind: "local", config: document, outDir: join(folder, `local-${count}-${i}`) }),
    ),
  );
  const since = Math.max(...runs.map(({ times }) => times[0]));
  const until = Math.min(...runs.map(({ times }) => times.at(-1)));
  const counted = runs.flatMap(({ times }) => times).filter((at) => at > since && at <= until);
  return { rate: (1000 * counted.length) / (until - since) };
}

function command(...args) {
  const program = spawn(process.execPath, [main, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  started.add(program);
  let said = "";
  program.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const done = new Promise((resolve, reject) => {
    program.on("error", reject);
    program.on("close", (code) => {
      started.delete(program);
      if (code === 0) resolve(said);
      else reject(new Error(`robot-eval ${args[0]} ended with ${code}:\n${said}`));
    });
  });
  return { done };
}

function child(message) {
  return new Promise((resolve, reject) => {
    const forked = fork(worker);
    forked.on("message", resolve);
    forked.on("error", reject);
    forked.on("exit", (code) => code && reject(new Error(`${message.kind} ended with ${code}`)));
    forked.send(message);
  });
}

function perSecond(ms) {
  return (1000 / ms).toFixed(0);
}
