// One policy in the frozen Lift of robosuite and in its original over the bridge, from the same initial states: the share of
// episodes with the same outcome (goal: at least 98 %), with a policy whose success rate lies between 0.3 and 0.8.
//
// Contacts amplify rounding errors, so outcomes at the edge of success differ between any two builds of MuJoCo. To tell this
// from a mistake, the frozen world is also played with the first joint off by 1e-12. For each episode with two outcomes, the
// first step is printed at which the hands are more than 1e-6 m apart.
//
// BENCH_FROZEN: the folder that `python -m robot_eval_client.freeze robosuite Lift -n 200` wrote.
// ROBOT_EVAL_PYTHON: a Python with the versions of robosuite and MuJoCo with which it was frozen.
// BENCH_EPISODES: how many episodes, 200 unless set.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { row, skip } from "./measure.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const python = process.env.ROBOT_EVAL_PYTHON ?? "python3";
const episodes = Number(process.env.BENCH_EPISODES ?? 200);
const PYTHONPATH = at("../python/src");
const ENV = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", PYTHONPATH };
const POLICY = [at("../python/examples/robosuite_policy.py"), "--port", "0", "--error-m", "0.03"];
/** Control steps of an episode; the policy needs 40 to 60. */
const STEPS = 120;
const NUDGE = 1e-12;
const APART_M = 1e-6;

const folder = process.env.BENCH_FROZEN;
if (!folder) {
  skip("closed-loop", "set BENCH_FROZEN to a folder of robot_eval_client.freeze with Lift");
} else if (spawnSync(python, ["-c", "import robosuite"], { stdio: "ignore" }).status !== 0) {
  skip("closed-loop", `${python} has no robosuite`);
} else {
  const out = mkdtempSync(join(tmpdir(), "robot-eval-closed-loop-"));
  const policy = spawn(python, POLICY, {
    env: { ...process.env, ...ENV },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    compare(out, await urlOf(policy));
  } finally {
    policy.kill();
    rmSync(out, { recursive: true });
  }
}

async function urlOf({ stdout }) {
  const [line] = await once(createInterface({ input: stdout }), "line");
  return `ws://${/127\.0\.0\.1:\d+/.exec(line)[0]}`;
}

function compare(out, url) {
  const run = (id, file, ...settings) => runOf(out, url, id, join(folder, file), settings);
  const frozen = run("frozen", "benchmark.yaml");
  const original = run(
    "original",
    "original.yaml",
    `simulator.command=${JSON.stringify([python, "-m", "robot_eval_client.sim", "original"])}`,
    `simulator.env=${JSON.stringify(ENV)}`,
  );
  const nudged = run("nudged", "benchmark.yaml", `dataset.lift.data_path=${nudgedEpisodes(out)}`);
  const different = [...frozen.keys()].filter((id) => frozen.get(id) !== original.get(id));
  console.log(`One policy in ${frozen.size} episodes of Lift, frozen and in the original`);
  row(
    "success in the frozen world",
    share(frozen, (outcome) => outcome === "success"),
  );
  row(
    "success in the original",
    share(original, (outcome) => outcome === "success"),
  );
  row("equal outcomes (goal: at least 98 %)", share(frozen, same(original)));
  row(`frozen, and again off by ${NUDGE}`, share(frozen, same(nudged)));
  for (const id of different) {
    row(
      `episode ${id}: ${frozen.get(id)} frozen, ${original.get(id)} in the original`,
      `${frozen.get(id) === nudged.get(id) ? "the same" : "the other"} off by ${NUDGE}; apart from step ${apartFrom(out, id)}`,
    );
  }
}

/** Outcomes by the id of the episode. */
function runOf(out, url, id, file, settings) {
  const run = spawnSync(
    process.execPath,
    [
      ...[at("../dist/cli/main.js"), "run", file, "--agent", url, "--out", out, "--run-id", id],
      ...["--workers", "1", "--concurrency", "1", "--first", String(episodes)],
      ...["--set", `evaluation.max_steps=${STEPS}`, "--set", `lift_task.config.max_steps=${STEPS}`],
      ...settings.flatMap((setting) => ["--set", setting]),
    ],
    { encoding: "utf8" },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  return new Map(linesOf(out, id).map(({ episode_id, outcome }) => [episode_id, outcome]));
}

function linesOf(out, id) {
  const lines = readFileSync(join(out, id, "episodes.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** A copy of the episodes, which start with the first joint off. */
function nudgedEpisodes(out) {
  const [, name] = /data_path: (\S+)/.exec(readFileSync(join(folder, "benchmark.yaml"), "utf8"));
  const document = JSON.parse(gunzipSync(readFileSync(join(folder, name))));
  for (const { task_config } of document.episodes) task_config.frozen.state.qpos[0] += NUDGE;
  const copy = join(out, "nudged.json.gz");
  writeFileSync(copy, gzipSync(JSON.stringify(document)));
  return copy;
}

function same(others) {
  return (outcome, id) => outcome === others.get(id);
}

function share(outcomes, holds) {
  const count = [...outcomes].filter(([id, outcome]) => holds(outcome, id)).length;
  return `${count} of ${outcomes.size} (${((100 * count) / outcomes.size).toFixed(1)} %)`;
}

/** The first step at which the hands of both runs are apart. */
function apartFrom(out, id) {
  const [ours, theirs] = ["frozen", "original"].map((run) => handsOf(out, run, id));
  const step = ours.findIndex(
    (hand, i) => Math.hypot(...hand.map((x, k) => x - (theirs[i]?.[k] ?? x))) > APART_M,
  );
  return step < 0 ? "none" : step;
}

function handsOf(out, run, id) {
  const { trajectory } = linesOf(out, run).find(({ episode_id }) => episode_id === id);
  const lines = gunzipSync(readFileSync(join(out, run, trajectory)))
    .toString()
    .trim()
    .split("\n");
  const states = lines.map((line) => JSON.parse(line)).filter(({ state }) => state);
  return states.map(({ state }) => state.ee_pose.slice(0, 3));
}
