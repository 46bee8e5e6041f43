// A frozen world in the evaluator's simulator, and the physics of the same world alone, for frozen.mjs. As a program, it
// waits for numbers on standard input, as robosuite_loop_peer.py does: node frozen-loop.mjs FILE
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { loadConfig } from "../build/config/load.js";
import { JudgedSimulator } from "../build/core/rules/judged-simulator.js";
import { prepareRun } from "../build/evaluator/plan/prepare.js";
import { createRegistries } from "../build/registry/registries.js";
import { RobotController } from "../build/simulator/frozen/control/robot-controller.js";
import { FrozenSimulator } from "../build/simulator/frozen/frozen-simulator.js";
import { startOf } from "../build/simulator/frozen/start.js";
import { FrozenWorlds } from "../build/simulator/frozen/worlds.js";
import { boundArena } from "../build/simulator/manipulation/physics/model/arena.js";
import { compileModel } from "../build/simulator/manipulation/physics/model/compile.js";
import { ModelChanges } from "../build/simulator/manipulation/physics/model-changes.js";
import { loadMujoco } from "../build/simulator/manipulation/physics/mujoco.js";
import { setWholeState } from "../build/simulator/manipulation/physics/whole-state.js";
import { liftAction } from "./robosuite-loop.mjs";

/** The first episode of a benchmark's first task. */
export async function firstEpisode(file) {
  const plan = await prepareRun(loadConfig(file), {
    registries: createRegistries(),
    agent: "random",
  });
  const [{ task, episodes }] = plan.tasks;
  const [episode] = episodes;
  return { task, episode, path: await task.scenes.locate(episode.sceneId) };
}

/** The simulator with the success rule, as in an evaluation. Images are drawn, because policies read them. */
export function simulatorOf({ task, episode }, images = []) {
  const simulator = new FrozenSimulator({
    task: task.instance,
    taskName: task.name,
    config: images.length > 0 ? { sensors: imageSensors(images) } : {},
    scenes: task.scenes,
  });
  const judged = new JudgedSimulator(simulator, task.taskFor(episode));
  return {
    reset: () => judged.reset(episode, { seed: 0 }),
    step: async (step) => {
      const { observation, state } = await judged.step(liftAction(step));
      for (const name of images) observation[name].data.at(0);
      return state;
    },
    close: () => simulator.close(),
  };
}

function imageSensors(images) {
  const state = ["robot0_joint_pos", "robot0_eef_pos", "robot0_eef_quat", "robot0_gripper_qpos"];
  return {
    ...Object.fromEntries(state.map((name) => [name, {}])),
    ...Object.fromEntries(images.map((name) => [name, { width: 256, height: 256 }])),
  };
}

/**
 * The lower bound of a control step: MuJoCo alone in a loop, in the same order, with the controls that the controllers
 * give at each physics step. So contacts and the work of the solver are the same.
 */
export async function barePhysics({ episode, path }, steps) {
  const worlds = new FrozenWorlds(false);
  const world = await worlds.open(path);
  const { substeps, order, timestep_s } = world.description.control;
  const controls = recordedControls(world, episode, steps);
  const end = world.physics.wholeState();
  const mujoco = await loadMujoco();
  const { xml, files } = boundArena({ path: world.main }, world.files, path);
  const model = compileModel(mujoco, xml, files, path);
  model.opt.timestep = timestep_s;
  const data = new mujoco.MjData(model);
  worlds.dispose();
  const { state, model: fields } = startOf(episode);
  new ModelChanges(model).apply(fields, path);
  const isHalved = order === "step1_step2";
  return {
    reset: () => {
      mujoco.mj_resetData(model, data);
      setWholeState(model, data, state, path);
      mujoco.mj_forward(model, data);
      data.qacc_warmstart.set(state.qacc_warmstart);
    },
    step: (step) => {
      const { ctrl } = data;
      for (let i = 0; i < substeps; i++) {
        if (isHalved) mujoco.mj_step1(model, data);
        else mujoco.mj_forward(model, data);
        ctrl.set(controls[step * substeps + i]);
        if (isHalved) mujoco.mj_step2(model, data);
        else mujoco.mj_step(model, data);
      }
    },
    /** Whether the last step ended with the same bits as under the controllers. */
    isSame: () => [data.time, ...data.qpos, ...data.qvel].every((value, i) => value === end[i]),
    close: () => {
      data.delete();
      model.delete();
    },
  };
}

/** The controls at each physics step, in the order of MuJoCo's actuators. */
function recordedControls({ physics, description }, episode, steps) {
  const start = startOf(episode);
  physics.restore(start.state, start.model, `episode ${episode.episodeId}`);
  const names = physics.names("actuator");
  const recorded = [];
  const { controlledSteps } = physics;
  physics.controlledSteps = (count, order, controller) =>
    controlledSteps.call(physics, count, order, () => {
      controller();
      recorded.push(Float64Array.from(names, (name) => physics.control(name)));
    });
  const controller = new RobotController(physics, description, start);
  for (let step = 0; step < steps; step++) controller.step(liftAction(step));
  return recorded;
}

/** Milliseconds per step: of wall time, and of CPU time of all threads, such as those of the compiler. */
export async function timed(count, work) {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  for (let step = 0; step < count; step++) await work(step);
  const { user, system } = process.cpuUsage(cpu);
  return { wall: (performance.now() - wall) / count, cpu: (user + system) / 1000 / count };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const simulator = simulatorOf(await firstEpisode(process.argv[2]));
  for await (const line of createInterface({ input: process.stdin })) {
    await simulator.reset();
    const { wall, cpu } = await timed(Number(line), simulator.step);
    console.log(`${wall} ${cpu}`);
  }
  simulator.close();
}
