// A complete run of 10,000 navigation episodes without cameras: the speed-up of two workers, the platform's overhead
// per step, and memory growth; and 16 concurrent episodes with a slow policy compared with one at a time. Each run is
// a separate process. Compared runs alternate, because the machine's speed varies, and medians are reported.
import { fork } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { mebibytes, median, row } from "./measure.mjs";

const EPISODES = Number(process.env.BENCH_EPISODES ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const POLICY_MS = 50;
/** A file system in memory. */
const IN_MEMORY = "/dev/shm";
const worker = fileURLToPath(new URL("./evaluation-worker.mjs", import.meta.url));
const shipped = new URL("../data/navmesh/vln/val.json.gz", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));

/** The shipped episodes, repeated with unique ids. */
function makeDataset() {
  const { episodes, ...rest } = JSON.parse(gunzipSync(readFileSync(shipped)));
  const many = Array.from({ length: EPISODES }, (_, i) => ({
    ...episodes[i % episodes.length],
    episode_id: i + 1,
    trajectory_id: i + 1,
  }));
  const path = join(folder, "val.json");
  writeFileSync(path, JSON.stringify({ ...rest, episodes: many }));
  return path;
}

function run(options) {
  return new Promise((resolve, reject) => {
    const child = fork(worker, { env: { ...process.env, NODE_OPTIONS: "" } });
    child.on("message", resolve);
    child.on("error", reject);
    child.on("exit", (code) => code && reject(new Error(`the run exited with ${code}`)));
    child.send({ folder, ...options });
  });
}

try {
  const dataset = makeDataset();
  console.log(
    `evaluation: ${EPISODES} VLN episodes in apartments, no cameras, shortest-path agent`,
  );
  const throughput = (options) => run({ kind: "throughput", dataset, ...options });
  const rate = ({ seconds }) => EPISODES / seconds;
  /** The upper bound: two independent runs with half of the episodes each. */
  const halves = () =>
    Promise.all(["1/2", "2/2"].map((shard) => throughput({ workers: 1, shard })));
  const ones = [];
  const twos = [];
  const [gains, bounds] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await throughput({ workers: 1 });
    const two = await throughput({ workers: 2 });
    const bound = { seconds: Math.max(...(await halves()).map(({ seconds }) => seconds)) };
    ones.push(one);
    twos.push(two);
    gains.push(rate(two) / rate(one));
    bounds.push(rate(bound) / rate(one));
  }
  const of = (runs, name) => median(runs.map((found) => found[name]));
  const each = (ratios) => ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  row(
    "1 worker",
    `${(EPISODES / of(ones, "seconds")).toFixed(0)} episodes/s, ${(ones[0].steps / of(ones, "seconds")).toFixed(0)} steps/s`,
  );
  row("2 workers compared with 1 (goal 1.8)", `${median(gains).toFixed(2)}x   (${each(gains)})`);
  row(
    "  two processes with half each compared with 1 (bound)",
    `${median(bounds).toFixed(2)}x   (${each(bounds)})`,
  );
  row("platform's overhead per step (goal < 20 us)", `${of(ones, "overheadUs").toFixed(1)} us`);
  row("  during the episode", `${of(ones, "inEpisodeUs").toFixed(1)} us`);
  if (existsSync(IN_MEMORY)) {
    // On ext4, creating files is slow after many were deleted, so measure on a file system in memory too.
    const memoryFolder = mkdtempSync(join(IN_MEMORY, "robot-eval-bench-"));
    try {
      const { overheadUs } = await throughput({ workers: 1, folder: memoryFolder });
      row("  overhead with the run's files in memory", `${overheadUs.toFixed(1)} us`);
    } finally {
      rmSync(memoryFolder, { recursive: true, force: true });
    }
  }
  row(
    "  simulator and agent",
    `${of(ones, "simUs").toFixed(1)} and ${of(ones, "agentUs").toFixed(1)} us`,
  );
  for (const [name, runs] of [
    ["1 worker", ones],
    ["2 workers", twos],
  ]) {
    const times = runs[0].memory.map((_, i) => median(runs.map(({ memory }) => memory[i])));
    row(`memory, ${name}: in the 2nd, 6th, last tenth`, times.map(mebibytes).join(", "));
  }

  console.log(`concurrency: 16 episodes with a policy that takes ${POLICY_MS} ms per action`);
  const alone = await run({ kind: "slow-policy", dataset, concurrency: 1, policyMs: POLICY_MS });
  const together = await run({
    kind: "slow-policy",
    dataset,
    concurrency: 16,
    policyMs: POLICY_MS,
  });
  row("one at a time", `${alone.seconds.toFixed(1)} s for ${alone.steps} steps`);
  row(
    "16 concurrently, as a share of that (goal < 1/12)",
    `1/${(alone.seconds / together.seconds).toFixed(1)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
