// The control step of a frozen Lift of robosuite without cameras, in milliseconds of wall time, compared with
//
// - the bound: the physics steps of the same world alone, with the same torques held over each control step
// - robosuite's own loop in Python, with the same actions and the success check; each process starts elsewhere
//
// All are measured alternately in blocks, so that other load affects all of them, and medians are reported.
//
// BENCH_FROZEN: the folder that `python -m robot_eval_client.freeze robosuite Lift` wrote.
// ROBOT_EVAL_PYTHON: a Python with robosuite, for the peer.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { loadConfig } from "../build/config/load.js";
import { JudgedSimulator } from "../build/core/rules/judged-simulator.js";
import { prepareRun } from "../build/evaluator/plan/prepare.js";
import { createRegistries } from "../build/registry/registries.js";
import { FrozenSimulator } from "../build/simulator/frozen/frozen-simulator.js";
import { startOf } from "../build/simulator/frozen/start.js";
import { FrozenWorlds } from "../build/simulator/frozen/worlds.js";
import { median, row, skip } from "./measure.mjs";
import { liftAction, robosuiteLoop } from "./robosuite-loop.mjs";

const STEPS = 60;
const BLOCKS = 8;
const python = process.env.ROBOT_EVAL_PYTHON ?? "python3";
const ENV = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };

const folder = process.env.BENCH_FROZEN;
if (folder) await compare(join(folder, "benchmark.yaml"));
else skip("frozen", "set BENCH_FROZEN to a folder of robot_eval_client.freeze with Lift");

async function compare(file) {
  const hasPeer = spawnSync(python, ["-c", "import robosuite"], { stdio: "ignore" }).status === 0;
  const plan = await prepareRun(loadConfig(file), {
    registries: createRegistries(),
    agent: "random",
  });
  const [{ task, episodes }] = plan.tasks;
  const [episode] = episodes;
  const path = await task.scenes.locate(episode.sceneId);
  const ours = new FrozenSimulator({
    task: task.instance,
    taskName: task.name,
    config: {},
    scenes: task.scenes,
  });
  const judged = new JudgedSimulator(ours, task.taskFor(episode));
  const worlds = new FrozenWorlds(false);
  const { physics, description } = await worlds.open(path);
  const torques = await torquesOf(worlds, path, episode);
  const peer = hasPeer ? robosuiteLoop(python, ENV) : undefined;
  const times = { ours: [], bound: [], peer: [] };
  await peer?.block(STEPS);
  for (let i = 0; i <= BLOCKS; i++) {
    await judged.reset(episode, { seed: 0 });
    const own = await timed(async (step) => {
      await judged.step(liftAction(step));
    });
    restore(physics, episode);
    const bound = await timed((step) => {
      for (const [name, value] of torques[step]) physics.setControl(name, value);
      physics.controlledSteps(description.control.substeps, description.control.order, () => {});
    });
    // The first block warms up.
    if (i === 0) continue;
    times.ours.push(own);
    times.bound.push(bound);
    if (peer) times.peer.push(await peer.block(STEPS));
  }
  peer?.close();
  judged.close();
  worlds.dispose();
  report(times, description);
}

function restore(physics, episode) {
  const { state, model } = startOf(episode);
  physics.restore(state, model, `episode ${episode.episodeId}`);
}

/** The torques at the end of each control step under the controllers. */
async function torquesOf(worlds, path, episode) {
  const { RobotController } = await import("../build/simulator/frozen/control/robot-controller.js");
  const { physics, description } = await worlds.open(path);
  restore(physics, episode);
  const controller = new RobotController(physics, description, startOf(episode));
  const names = description.action.parts.flatMap(({ actuators }) => actuators);
  return Array.from({ length: STEPS }, (_, step) => {
    controller.step(liftAction(step));
    return names.map((name) => [name, physics.control(name)]);
  });
}

async function timed(work) {
  const started = performance.now();
  for (let step = 0; step < STEPS; step++) await work(step);
  return (performance.now() - started) / STEPS;
}

function report(times, { control, world }) {
  const [ours, bound] = [median(times.ours), median(times.bound)];
  console.log(
    `A control step of ${world} (${control.substeps} physics steps), medians of ${BLOCKS} alternating blocks of ${STEPS}`,
  );
  row("physics alone (the bound)", `${bound.toFixed(2)} ms`);
  const rate = `${(1000 / ours).toFixed(0)} steps/s`;
  row("control, observations, success", `${ours.toFixed(2)} ms, ${rate}`);
  row("over the bound (goal: at most 1.25)", `${(ours / bound).toFixed(2)} times`);
  if (times.peer.length === 0) return skip("peer", `${python} has no robosuite`);
  const peer = median(times.peer);
  row("robosuite in Python", `${peer.toFixed(2)} ms, ${(1000 / peer).toFixed(0)} steps/s`);
  row("faster than robosuite (goal: at least 2)", `${(peer / ours).toFixed(2)} times`);
}
