// A whole run: 10,000 navigation episodes without cameras. How much two workers gain on one, what the
// platform adds to a step, whether memory grows; and 16 episodes at once against a policy that takes its
// time, against one at a time. The parent only starts the runs: each is a process of its own. What machines
// give changes by the minute, so that what is compared runs in turns, and the median of the turns is told.
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
/** A file system that is no disk. */
const IN_MEMORY = "/dev/shm";
const worker = fileURLToPath(new URL("./evaluation-worker.mjs", import.meta.url));
const shipped = new URL("../data/navmesh/vln/val.json.gz", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));

/** The shipped episodes over and over, under ids of their own. */
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
    child.on("exit", (code) => code && reject(new Error(`the run ended with ${code}`)));
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
  /** What the machine gives at best: two runs that share nothing, half of the episodes each. */
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
  row("2 workers against 1 (goal 1.8)", `${median(gains).toFixed(2)}x   (${each(gains)})`);
  row(
    "  two processes with half each against 1 (bound)",
    `${median(bounds).toFixed(2)}x   (${each(bounds)})`,
  );
  row("platform's share of a step (goal < 20 us)", `${of(ones, "overheadUs").toFixed(1)} us`);
  row("  of it while the episode runs", `${of(ones, "inEpisodeUs").toFixed(1)} us`);
  if (existsSync(IN_MEMORY)) {
    // A disk that lately lost many files takes its time to make new ones: ext4 looks past the inodes of those.
    const place = mkdtempSync(join(IN_MEMORY, "robot-eval-bench-"));
    try {
      const { overheadUs } = await throughput({ workers: 1, folder: place });
      row("  all of it, the run's files in memory", `${overheadUs.toFixed(1)} us`);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  row(
    "  simulator and agent beside it",
    `${of(ones, "simUs").toFixed(1)} and ${of(ones, "agentUs").toFixed(1)} us`,
  );
  for (const [name, runs] of [
    ["1 worker", ones],
    ["2 workers", twos],
  ]) {
    const times = runs[0].memory.map((_, i) => median(runs.map(({ memory }) => memory[i])));
    row(`memory, ${name}: in the 2nd, 6th, last tenth`, times.map(mebibytes).join(", "));
  }

  console.log(`concurrency: 16 episodes against a policy that takes ${POLICY_MS} ms an action`);
  const alone = await run({ kind: "slow-policy", dataset, concurrency: 1, policyMs: POLICY_MS });
  const together = await run({
    kind: "slow-policy",
    dataset,
    concurrency: 16,
    policyMs: POLICY_MS,
  });
  row("one at a time", `${alone.seconds.toFixed(1)} s for ${alone.steps} steps`);
  row(
    "16 at once, as a share of that (goal < 1/12)",
    `1/${(alone.seconds / together.seconds).toFixed(1)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
