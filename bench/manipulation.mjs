// Manipulation: control steps per second of the evaluator's complete loop without cameras, on one core and on two; and
// memory over 1,000 short episodes.
//
// Our time includes composing and compiling each episode's scene, action checks, physics, reading the state, success
// conditions, metrics, records and hashes; nothing is written. The agent replays the expert's actions
// (recorded-actions.mjs), to exclude the time of a policy. The start of a run (configuration, dataset, workers, V8's
// optimisation of WASM) is excluded, as is Python's.
//
// The peer steps the same MJCF with the same actions in a Python loop with native mujoco, and reads the same state;
// compiling, resets and success conditions are not included. "Without sleep" is MuJoCo's default, "default (sleep on)"
// is ours.
//
// Times are CPU time, which depends less on other load than wall time. Two cores are also measured in wall time, which
// is meaningful only on an idle machine.
import { fork, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { JudgedSimulator } from "../build/core/rules/judged-simulator.js";
import { loadEpisodes } from "../build/dataset/loader.js";
import { createRegistries } from "../build/registry/registries.js";
import { fragmentOf } from "../build/robots/descriptor.js";
import { STRETCH } from "../build/robots/stretch.js";
import { worldMjcf } from "../build/simulator/manipulation/mjcf/compose.js";
import { MujocoSimulator } from "../build/simulator/manipulation/mujoco-simulator.js";
import { worldOf } from "../build/simulator/manipulation/world/from-episode.js";
import { PickAndPlaceTask } from "../build/tasks/manipulation/pick-place.js";
import { DATA, evaluated, times } from "./manipulation-loop.mjs";
import { mebibytes, pythonWith, row, skip } from "./measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const [EPISODES, SUBSTEPS, ROUNDS] = [4, 25, 5];
/** Episodes of a long run, how many are excluded while WASM is being optimised, and the number of rounds. */
const [MANY, COLD, LONG_ROUNDS] = [48, 16, 2];

const episodes = [];
for await (const episode of loadEpisodes({ path: DATA, formats: createRegistries().formats })) {
  if (episode.referenceData?.trajectory?.actions) episodes.push(episode);
}
/** Warm-up episodes, which exclude the start of a run and the loading of its dataset. */
const WARM = 4;
const few = episodes.slice(WARM, WARM + EPISODES);
/** The expert's actions. */
const actionsOf = ({ referenceData }) => referenceData.trajectory.actions;
const count = few.reduce((sum, episode) => sum + actionsOf(episode).length, 0);

const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const recorded = join(folder, "actions.json");
writeFileSync(
  recorded,
  JSON.stringify(
    Object.fromEntries(episodes.slice(0, MANY).map((one) => [one.episodeId, actionsOf(one)])),
  ),
);

/** The evaluator's loop over `few`, in this process and thread. */
const onOneCore = (sleep) => evaluated({ recorded, sleep, limit: WARM + EPISODES, cold: WARM });

/** The evaluator's loop over many episodes in a new process, so that one worker and two start equally. */
function many(workers) {
  const child = fork(fileURLToPath(new URL("manipulation-loop.mjs", import.meta.url)));
  child.send({ recorded, sleep: true, limit: MANY, workers, cold: COLD });
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the process exited with ${code}`)));
  });
}

/** The same episodes with the simulator only. */
async function simulated(sleep) {
  const task = new PickAndPlaceTask({ robot_type: "stretch" });
  const simulator = new MujocoSimulator({ task, config: { sensors: {}, sleep } });
  const before = times().processor;
  for (const episode of few) {
    const rules = new PickAndPlaceTask({ ...task.config, goals: episode.goals });
    const world = new JudgedSimulator(simulator, rules);
    await world.reset(episode, { seed: 0 });
    for (const action of actionsOf(episode)) world.step(action);
  }
  const seconds = times().processor - before;
  simulator.close();
  return count / seconds;
}

function python(program, sleep) {
  const { actuators, endEffectorSite, gripper } = STRETCH.model;
  let seconds = 0;
  for (const episode of few) {
    const world = worldOf(episode, STRETCH);
    const { status, stdout, stderr } = spawnSync(
      program,
      [fileURLToPath(new URL("mujoco_step_peer.py", import.meta.url))],
      {
        input: JSON.stringify({
          xml: worldMjcf(world, { sleep, drawn: false }),
          actuators,
          actions: actionsOf(episode),
          substeps: SUBSTEPS,
          dofs: STRETCH.dofs.map(({ joints }) => joints),
          site: endEffectorSite,
          fingers: gripper.fingers,
          robot: fragmentOf(STRETCH).worldbody[0].attributes.name,
          objects: world.objects.map(({ name }) => name),
        }),
        encoding: "utf8",
        maxBuffer: 2 ** 26,
      },
    );
    if (status !== 0) throw new Error(stderr);
    seconds += actionsOf(episode).length / JSON.parse(stdout).control;
  }
  return count / seconds;
}

async function memory(all) {
  const task = new PickAndPlaceTask({ robot_type: "stretch" });
  const sensors = { rgb_head: { width: 64, height: 48 } };
  const simulator = new MujocoSimulator({ task, config: { sensors } });
  const marks = [];
  for (let i = 0; i < all; i++) {
    const episode = episodes[i % episodes.length];
    await simulator.reset(episode);
    for (const action of actionsOf(episode).slice(0, 5)) simulator.step(action);
    simulator.step(actionsOf(episode)[5]).observation.rgb_head;
    if ((i + 1) % (all / 10) === 0) {
      collectGarbage();
      const { rss, heapUsed } = process.memoryUsage();
      marks.push({ rss, heapUsed });
    }
  }
  simulator.close();
  return marks;
}

console.log(
  `manipulation, ${EPISODES} episodes of pick and place, ${count} control steps of ${SUBSTEPS} physics steps, recorded actions, no cameras, best of ${ROUNDS}, CPU time`,
);
const peer = pythonWith(["mujoco==3.14.0"]);
if (!peer) skip("Python's mujoco", "Python or PyPI cannot be reached");
/** The rate of each round, by measurement. */
const rounds = {};
const keep = (name, rate) => {
  rounds[name] ??= [];
  rounds[name].push(rate);
};
const best = (name) => Math.max(...rounds[name]);
/** The ratio of the best rounds, and in brackets the range over the rounds. */
function ratio(name, peerName) {
  const count = Math.min(rounds[name].length, rounds[peerName].length);
  const each = rounds[name].slice(0, count).map((rate, i) => rate / rounds[peerName][i]);
  const [low, high] = [Math.min(...each), Math.max(...each)].map((x) => x.toFixed(2));
  return `${(best(name) / best(peerName)).toFixed(2)}x (rounds ${low} .. ${high})`;
}
const perSecond = (name) => `${best(name).toFixed(0)} control steps/s`;
// Alternately, so that other load affects all of them.
for (let round = 0; round < ROUNDS; round++) {
  for (const [flag, sleep] of [
    ["on", true],
    ["off", false],
  ]) {
    keep(`loop ${flag}`, (await onOneCore(sleep)).rate);
    keep(`simulator ${flag}`, await simulated(sleep));
    if (peer) keep(`python ${flag}`, python(peer, sleep));
  }
  if (round >= LONG_ROUNDS) continue;
  const one = await many(1);
  keep("one by the clock", one.clock);
  const two = await many(2);
  keep("two", 2 * two.rate);
  keep("two by the clock", two.clock);
  const both = await Promise.all([many(1), many(1)]);
  keep("two processes", both[0].clock + both[1].clock);
}
for (const flag of ["on", "off"]) {
  const loop = `loop ${flag}`;
  console.log(flag === "on" ? "  default (sleep on)" : "  without sleep");
  row("  the evaluator's loop", perSecond(loop));
  row("  the simulator only", perSecond(`simulator ${flag}`));
  if (!peer) continue;
  row("  Python's mujoco, same flag", perSecond(`python ${flag}`));
  row("  ratio (goal: at least 0.45)", ratio(loop, `python ${flag}`));
}
console.log("  default, wall time, in separate processes");
row("  one worker", perSecond("one by the clock"));
row("  two workers", perSecond("two by the clock"));
row("  two workers compared with one", ratio("two by the clock", "one by the clock"));
row("  two processes compared with one (bound)", ratio("two processes", "one by the clock"));
if (peer) {
  console.log("  default, compared with Python's mujoco without sleep on one core");
  row("  one worker (goal: 1.0)", ratio("loop on", "python off"));
  row("  two workers, CPU time (goal: 1.8)", ratio("two", "python off"));
  row("  two workers, wall time", ratio("two by the clock", "python off"));
}
const marks = await memory(1000);
// The first fifth fills the heaps of WASM and the compiler; after that, memory must not grow.
const [early, late] = [marks[1], marks.at(-1)];
row("1,000 short episodes: memory after the first 200", mebibytes(early.rss));
row("  after all of them", `${mebibytes(late.rss)} (${(late.rss / early.rss).toFixed(2)}x)`);
row("  JavaScript heap", `${mebibytes(early.heapUsed)} then ${mebibytes(late.heapUsed)}`);
