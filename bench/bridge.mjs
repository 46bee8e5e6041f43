// The bridge to a simulator in another process. Measurements and goals:
//
// - overhead of the bridge per step of robosuite's Lift without cameras, compared with a plain Python loop: below 10 %
// - speed-up of two simulator processes over one: 1.7 times, on two idle cores
// - transfer time of 640 x 480 images compared with their rendering time: the most that shared memory could save
//
// Compared programs are measured alternately, so that other load affects both, and medians are reported. Processes of
// the same program differ by up to a third, some of them permanently, so several of each are started. All processes
// use one thread. Requires a Python with robosuite and this repository's client:
//   ROBOT_EVAL_PYTHON=venv/bin/python npm run bench bridge
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../build/config/load.js";
import { BaseEpisode } from "../build/core/episode/base.js";
import { UnifiedRobotEvaluator } from "../build/evaluator/evaluator.js";
import { RemoteSimulator } from "../build/simulator/remote/remote-simulator.js";
import { ExternalTask } from "../build/tasks/external/task.js";
import { median, skip } from "./measure.mjs";
import { liftAction, robosuiteLoop } from "./robosuite-loop.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const python = process.env.ROBOT_EVAL_PYTHON ?? "python3";
const PYTHONPATH = [at("../python/src"), process.env.PYTHONPATH].filter(Boolean).join(delimiter);
// Images are rendered without a graphics card.
const ENV = {
  ...{ OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" },
  MUJOCO_GL: process.env.MUJOCO_GL ?? "osmesa",
  PYTHONPATH,
};
const ROBOSUITE = [python, "-m", "robot_eval_client.sim", "robosuite"];
const PAIRS = 5;
const BLOCKS = 6;
const STEPS = 60;
const EPISODES = 8;
const EPISODE_STEPS = 150;
const PICTURE = [480, 640];
const CAMERA = "agentview";

const has = (modules) =>
  spawnSync(python, ["-c", `import ${modules}`], { stdio: "ignore" }).status === 0;

const costs = has("numpy, msgpack, websockets") ? await pictures() : undefined;
if (!costs) skip("images", `${python} lacks the client's dependencies`);
if (has("robosuite")) {
  await overhead();
  await throughput();
  await rendering(costs);
} else {
  skip("bridge", `${python} has no robosuite; set ROBOT_EVAL_PYTHON to a Python that has`);
}

async function openSimulator(command, { env = {}, sensors } = {}) {
  const simulator = await RemoteSimulator.open({
    task: new ExternalTask({ env }),
    config: { command, env: ENV, ...(sensors ? { sensors } : {}) },
  });
  const episode = new BaseEpisode({ episodeId: "1", taskType: "external", sceneId: "bench" });
  await simulator.reset(episode, { seed: 0 });
  return simulator;
}

/** Runs Lift through the bridge with the same steps as the plain loop; returns milliseconds per step of a block. */
async function bridgedLift(options = {}) {
  const env = { name: "Lift", robots: "Panda", horizon: 10 ** 9, ...options.env };
  const simulator = await openSimulator(ROBOSUITE, { ...options, env });
  let step = 0;
  return {
    block: async (count) => {
      const started = performance.now();
      for (let i = 0; i < count; i++, step++) {
        await simulator.step(liftAction(step));
      }
      return (performance.now() - started) / count;
    },
    close: () => simulator.close(),
  };
}

const plainLift = (...cameras) => robosuiteLoop(python, ENV, cameras);

/** Measures blocks of both alternately, in milliseconds per step. */
async function alternately(bridged, plain, blocks, steps) {
  await bridged.block(steps);
  await plain.block(steps);
  const times = { bridged: [], plain: [] };
  for (let i = 0; i < blocks; i++) {
    times.plain.push((await plain.block(steps)).wall);
    times.bridged.push(await bridged.block(steps));
  }
  await bridged.close();
  plain.close();
  return { bridgedMs: median(times.bridged), plainMs: median(times.plain) };
}

async function overhead() {
  const pairs = [];
  for (let i = 0; i < PAIRS; i++) {
    pairs.push(await alternately(await bridgedLift(), plainLift(), BLOCKS, STEPS));
  }
  const plain = median(pairs.map(({ plainMs }) => plainMs));
  const bridged = median(pairs.map(({ bridgedMs }) => bridgedMs));
  const each = pairs.map(({ bridgedMs, plainMs }) => (100 * (bridgedMs / plainMs - 1)).toFixed(0));
  console.log(
    `robosuite Lift without cameras, ms per step, medians over ${PAIRS} pairs of processes with ${BLOCKS} alternating blocks of ${STEPS}: plain loop ${plain.toFixed(2)}, bridge ${bridged.toFixed(2)}`,
  );
  console.log(
    `  the bridge adds ${(100 * (bridged / plain - 1)).toFixed(1)} % (goal: below 10 %; pairs: ${each.join(", ")} %), including reading, hashing and sending the state`,
  );
}

async function throughput() {
  const rates = { 1: [], 2: [] };
  for (const workers of [1, 2, 2, 1]) rates[workers].push(await stepsPerSecond(workers));
  const [one, two] = [median(rates[1]), median(rates[2])];
  console.log(
    `robosuite Lift, ${EPISODES} episodes of ${EPISODE_STEPS} steps, evaluated twice each: ${one.toFixed(0)} steps/s with 1 simulator process, ${two.toFixed(0)} with 2: ${(two / one).toFixed(2)} times (goal: 1.7)`,
  );
}

/** Measured from the start of the run, when all processes are ready, to the end of its last episode. */
async function stepsPerSecond(workers) {
  const out = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
  const loaded = loadConfig(at("../configs/benchmarks/robosuite.yaml"), {
    set: [
      `simulator.command=${JSON.stringify(ROBOSUITE)}`,
      `simulator.env=${JSON.stringify(ENV)}`,
      `lift_task.config.max_steps=${EPISODE_STEPS}`,
    ],
  });
  const times = {};
  const evaluator = new UnifiedRobotEvaluator(loaded, {
    agent: "random",
    filter: "task=lift",
    first: EPISODES,
    workers,
    outDir: out,
    onEvent: ({ type }) => {
      times[type] = performance.now();
    },
  });
  const { timings } = await evaluator.run();
  rmSync(out, { recursive: true, force: true });
  return (1000 * timings.steps) / (times.episode - times.started);
}

/** The time per step of an empty environment with 0, 1 and 2 images. */
async function pictures() {
  const [height, width] = PICTURE;
  const environments = [
    { name: "no image", of: [1, 1, 1], times: [] },
    { name: `1 image of ${width} x ${height}`, of: [height, width, 1], times: [] },
    { name: `2 images of ${width} x ${height}`, of: [height, width, 2], times: [] },
  ];
  for (const world of environments) {
    world.simulator = await openSimulator([python, at("camera_peer.py"), ...world.of.map(String)]);
  }
  for (let round = 0; round < 240; round++) {
    for (const { simulator, times } of environments) {
      const started = performance.now();
      await simulator.step([0]);
      if (round >= 40) times.push(performance.now() - started);
    }
  }
  for (const { simulator } of environments) await simulator.close();
  const [empty, ...full] = environments.map(({ times }) => median(times));
  const costs = full.map((ms, i) => {
    const bytes = new Uint8Array((i + 1) * height * width * 3);
    const copies = Array.from({ length: 50 }, () => {
      const started = performance.now();
      bytes.slice();
      return performance.now() - started;
    });
    return { ms: ms - empty, copyMs: median(copies), bytes: bytes.length };
  });
  console.log(`a step of an empty environment: ${empty.toFixed(2)} ms`);
  for (const [i, { ms, copyMs, bytes }] of costs.entries()) {
    console.log(
      `  ${environments[i + 1].name}: ${ms.toFixed(2)} ms more, ${(bytes / 1000 / ms).toFixed(0)} MB/s (a copy alone: ${copyMs.toFixed(2)} ms)`,
    );
  }
  return costs;
}

/** The transfer time of an image compared with a step that renders it. */
async function rendering(costs) {
  const [height, width] = PICTURE;
  const env = { camera_widths: width, camera_heights: height };
  let result;
  try {
    const bridged = await bridgedLift({ env, sensors: { [`${CAMERA}_image`]: {} } });
    result = await alternately(bridged, plainLift(CAMERA), 5, 4);
  } catch (error) {
    skip("rendering", `MuJoCo cannot render with MUJOCO_GL=${ENV.MUJOCO_GL}: ${error.message}`);
    return;
  }
  const { bridgedMs, plainMs } = result;
  console.log(
    `robosuite Lift with an image of ${width} x ${height} (MUJOCO_GL=${ENV.MUJOCO_GL}), ms per step, alternating: plain loop ${plainMs.toFixed(1)}, bridge ${bridgedMs.toFixed(1)}`,
  );
  const [one] = costs ?? [];
  if (one) {
    console.log(
      `  transferring the image takes ${((100 * one.ms) / plainMs).toFixed(1)} % of such a step, the most that shared memory could save`,
    );
  }
}
