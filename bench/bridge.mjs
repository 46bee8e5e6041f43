// The bridge to a simulator in another process. Three numbers, each with its goal:
//
// - what the bridge adds to a step of robosuite's Lift without cameras, against a plain Python loop: below 10 %
// - how much faster two simulator processes are than one: 1.7 times, on two cores that are free
// - what a picture costs on its way, by its size, beside a mere copy of its bytes: shared memory could save the
//   difference, and no more than that
//
// Needs a Python with robosuite and this repository's client: ROBOT_EVAL_PYTHON=venv/bin/python npm run bench bridge
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../dist/config/load.js";
import { BaseEpisode } from "../dist/core/episode/base.js";
import { UnifiedRobotEvaluator } from "../dist/evaluator/evaluator.js";
import { RemoteSimulator } from "../dist/simulator/remote/remote-simulator.js";
import { ExternalTask } from "../dist/tasks/external/task.js";
import { skip } from "./measure.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const python = process.env.ROBOT_EVAL_PYTHON ?? "python3";
const PYTHONPATH = [at("../python/src"), process.env.PYTHONPATH].filter(Boolean).join(delimiter);
const ROUNDS = 3;
const STEPS = 60;

const has = spawnSync(python, ["-c", "import robosuite"], { stdio: "ignore" }).status === 0;
if (has) {
  await overhead();
  await throughput();
} else {
  skip("bridge", `${python} has no robosuite; name one that has in ROBOT_EVAL_PYTHON`);
}
await pictures();

async function openWorld(command, config = {}) {
  const simulator = await RemoteSimulator.open({
    task: new ExternalTask(config),
    config: { command, env: { PYTHONPATH } },
  });
  const episode = new BaseEpisode({ episodeId: "1", taskType: "external", sceneId: "bench" });
  await simulator.reset(episode, { seed: 0 });
  return simulator;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** Each round is one of either, so that what else the machine does meets both. */
async function overhead() {
  const env = { name: "Lift", robots: "Panda", horizon: 10 ** 9 };
  const simulator = await openWorld([python, "-m", "robot_eval_client.sim", "robosuite"], { env });
  const plain = [];
  const bridged = [];
  let step = 0;
  const act = () => {
    const action = Array.from({ length: 7 }, (_, axis) => Math.sin(0.1 * step + axis) * 0.3);
    step++;
    return simulator.step(action);
  };
  while (step < 20) await act();
  for (let round = 0; round < ROUNDS; round++) {
    const { stdout } = spawnSync(python, [at("robosuite_loop_peer.py"), String(STEPS)], {
      encoding: "utf8",
    });
    plain.push(...stdout.trim().split("\n").map(Number).filter(Number.isFinite));
    for (let block = 0; block < 5; block++) {
      const started = performance.now();
      for (let i = 0; i < STEPS; i++) await act();
      bridged.push((performance.now() - started) / STEPS);
    }
  }
  await simulator.close();
  const [loop, bridge] = [Math.min(...plain), Math.min(...bridged)];
  console.log(
    `robosuite Lift, ms a step, best and median of ${plain.length} blocks of ${STEPS}: plain loop ${loop.toFixed(2)}, ${median(plain).toFixed(2)}; bridge ${bridge.toFixed(2)}, ${median(bridged).toFixed(2)}`,
  );
  console.log(
    `  the bridge adds ${(100 * (bridge / loop - 1)).toFixed(1)} % (goal: below 10 %; states and hashes are read in it as well)`,
  );
}

async function throughput() {
  const out = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
  const rates = [];
  for (const workers of [1, 2]) {
    const loaded = loadConfig(at("../configs/benchmarks/robosuite.yaml"), {
      set: [
        `simulator.command=${JSON.stringify([python, "-m", "robot_eval_client.sim", "robosuite"])}`,
        `simulator.env=${JSON.stringify({ PYTHONPATH })}`,
        "lift_task.config.max_steps=150",
      ],
    });
    let started = 0;
    const evaluator = new UnifiedRobotEvaluator(loaded, {
      agent: "random",
      filter: "task=lift",
      limit: 12,
      workers,
      outDir: out,
      onEvent: ({ type }) => {
        if (type === "started") started = performance.now();
      },
    });
    const { timings } = await evaluator.run();
    rates.push((1000 * timings.steps) / (performance.now() - started));
  }
  rmSync(out, { recursive: true, force: true });
  const [one = 0, two = 0] = rates;
  console.log(
    `robosuite Lift, 12 episodes of 150 steps: ${one.toFixed(0)} steps/s with 1 simulator process, ${two.toFixed(0)} with 2: ${(two / one).toFixed(2)} times (goal: 1.7)`,
  );
}

async function pictures() {
  const ready = spawnSync(python, ["-c", "import numpy, msgpack, websockets"], { stdio: "ignore" });
  if (ready.status !== 0) {
    skip("pictures", `${python} lacks the client's dependencies`);
    return;
  }
  const costs = [];
  for (const side of [8, 256, 640]) {
    const simulator = await openWorld([python, at("camera_peer.py"), String(side)]);
    const times = [];
    for (let i = 0; i < 220; i++) {
      const started = performance.now();
      await simulator.step([0]);
      if (i >= 20) times.push(performance.now() - started);
    }
    await simulator.close();
    const bytes = new Uint8Array(side * side * 3);
    const copied = performance.now();
    for (let i = 0; i < 100; i++) bytes.slice();
    costs.push({ side, ms: median(times), copyMs: (performance.now() - copied) / 100 });
  }
  const [empty] = costs;
  for (const { side, ms, copyMs } of costs) {
    console.log(
      `a step with a picture of ${side} x ${side}: ${ms.toFixed(2)} ms, of it ${(ms - (empty?.ms ?? 0)).toFixed(2)} for the picture (a copy alone: ${copyMs.toFixed(2)})`,
    );
  }
}
