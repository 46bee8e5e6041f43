// One part of the scoring benchmark: creates a run directory, reads its raw files, or scores it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { BaseEpisode, createRegistries, Random, scoreRun } from "../build/index.js";
import { RunWriter } from "../build/runs/directory/run-writer.js";
import { TrajectoryBuffer } from "../build/runs/directory/trajectory.js";
import { Summariser } from "../build/runs/summary/summary.js";

const STEPS = 30;
const METRICS = [
  "success",
  "spl",
  "soft_spl",
  "navigation_error",
  "oracle_success",
  "path_length",
  "ndtw",
  "sdtw",
];

const LINE = {
  task: "vln",
  task_type: "vln",
  repeat: 0,
  attempt: 1,
  seed: 0,
  agent_seed: 0,
  outcome: "failure",
  end_reason: "stop",
  metrics: {},
  profile: "vlnce",
  steps: STEPS - 1,
  wall_ms: 0,
  sim_ms: 0,
  agent_ms: 0,
  agent_latency_ms: null,
  initial_state_hash: null,
  final_state_hash: null,
  explanation: "",
};

const [what, path, argument] = process.argv.slice(2);
const started = performance.now();
if (what === "make") await make(path, Number(argument));
else if (what === "bound") await readRaw(path);
else await scoreRun({ path, outDir: argument, registries: createRegistries() });
console.log(
  JSON.stringify({
    ms: performance.now() - started,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  }),
);

async function make(run, episodes) {
  const info = {
    format: "robot-eval-run/1",
    run_id: run.split("/").at(-1),
    status: "running",
    kind: "run",
    benchmark: { name: "bench", sha256: "" },
    config: {
      benchmark: { name: "bench" },
      vln_task: { type: "vln", config: { profile: "vlnce", metrics: METRICS } },
      dataset: { vln: { type: "vln", data_path: "none" } },
    },
    selection: {},
    seed: 0,
    agent: "bench",
    disclosed: {},
    versions: {},
    started_at: "",
    finished_at: null,
    warnings: [],
  };
  const writer = await RunWriter.create(join(run, ".."), info, "", "whole");
  for (let i = 0; i < episodes; i++) {
    const steps = recorded(i);
    const line = { ...LINE, episode_key: `vln/s${i % 500}/${i}`, episode_id: String(i) };
    const trajectory = await writer.saveTrajectory(line, steps);
    await writer.append({ ...line, scene_id: `s${i % 500}`, trajectory });
  }
  const tasks = { vln: { profile: "vlnce", primaryMetric: "success", metrics: [] } };
  const context = { runId: info.run_id, benchmark: "bench", agent: "bench", seed: 0, tasks };
  await writer.finish(new Summariser(context).finish("done"), "", []);
}

/** A noisy path towards a goal that ends with a stop. */
function recorded(i) {
  const random = new Random(i);
  const goal = [7.5, 0, 0];
  const way = Array.from({ length: STEPS }, (_, k) => [0.25 * k, 0, 0.2 * random.normal()]);
  const episode = new BaseEpisode({
    episodeId: String(i),
    taskType: "vln",
    sceneId: `s${i % 500}`,
    startState: { position: [0, 0, 0] },
    goals: { position: goal, radius: 3 },
    referenceData: { path: way.filter((_, k) => k % 5 === 0).map(([x]) => [x, 0, 0]) },
  });
  const steps = new TrajectoryBuffer(episode);
  way.forEach((position, step) => {
    const state = {
      position,
      distance_to_goal: Math.hypot(...goal.map((g, k) => g - position[k])),
    };
    steps.add({
      step,
      action: step === 0 ? null : step === STEPS - 1 ? "stop" : "move_forward",
      state,
    });
  });
  return steps;
}

async function readRaw(run) {
  const folder = join(run, "trajectories");
  for (const name of await readdir(folder)) {
    const text = gunzipSync(await readFile(join(folder, name))).toString("utf8");
    for (const line of text.trimEnd().split("\n")) JSON.parse(line);
  }
}
