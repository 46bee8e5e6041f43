// A whole run: 10,000 navigation episodes without cameras. How much two workers gain on one, what the
// platform adds to a step, whether memory grows; and 16 episodes at once against a policy that takes its
// time, against one at a time. The parent only starts the runs: each is a process of its own.
import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { mebibytes, row } from "./measure.mjs";

const EPISODES = Number(process.env.BENCH_EPISODES ?? 10_000);
const POLICY_MS = 50;
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
  const one = await run({ kind: "throughput", dataset, workers: 1 });
  const two = await run({ kind: "throughput", dataset, workers: 2 });
  // What the machine gives at best: two runs that share nothing, half of the episodes each.
  const halves = await Promise.all(
    ["1/2", "2/2"].map((shard) => run({ kind: "throughput", dataset, workers: 1, shard })),
  );
  const rate = ({ seconds }) => EPISODES / seconds;
  const bound = rate({ seconds: Math.max(...halves.map(({ seconds }) => seconds)) });
  row(
    "1 worker",
    `${rate(one).toFixed(0)} episodes/s, ${(one.steps / one.seconds).toFixed(0)} steps/s`,
  );
  row("2 workers against 1 (goal 1.8)", `${(rate(two) / rate(one)).toFixed(2)}x`);
  row("  two processes with half each against 1 (bound)", `${(bound / rate(one)).toFixed(2)}x`);
  row("platform's share of a step (goal < 20 us)", `${one.overheadUs.toFixed(1)} us`);
  row("  of it while the episode runs", `${one.inEpisodeUs.toFixed(1)} us`);
  row(
    "  simulator and agent beside it",
    `${one.simUs.toFixed(1)} and ${one.agentUs.toFixed(1)} us`,
  );
  for (const [name, { memory }] of [
    ["1 worker", one],
    ["2 workers", two],
  ]) {
    row(`memory, ${name}: after a tenth, a half, at the end`, memory.map(mebibytes).join(", "));
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
