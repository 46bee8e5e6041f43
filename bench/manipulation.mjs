// Manipulation as it is evaluated: control steps a second of the evaluator's whole loop without cameras, on one
// core and on two; and memory over 1,000 short episodes.
//
// Our side counts all of it: composing and compiling each episode's world, action check, physics, what judges
// read, verdicts, metrics, records, hashes; nothing is written. The agent recites what the expert did
// (recited.mjs), since a policy's own time is not the platform's. A run's start (configuration, dataset, workers,
// V8 compiling WASM ever better) is left out, as is Python's.
//
// The peer steps the same MJCF with the same actions by Python's mujoco, natively compiled, in a Python loop that
// reads the same things and does nothing else; compiling, resets and verdicts are not in its time. "Without sleep"
// is MuJoCo's own default, "as it comes" ours.
//
// Times are processor time, which a neighbour's load lengthens less than the clock's. Two cores are also measured
// by the clock, which means something on an idle machine only.
import { fork, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { loadEpisodes } from "../dist/dataset/loader.js";
import { createRegistries } from "../dist/registry/registries.js";
import { fragmentOf } from "../dist/robots/descriptor.js";
import { STRETCH } from "../dist/robots/stretch.js";
import { worldMjcf } from "../dist/simulator/manipulation/compose.js";
import { worldOf } from "../dist/simulator/manipulation/from-episode.js";
import { MujocoSimulator } from "../dist/simulator/manipulation/mujoco-simulator.js";
import { PickAndPlaceTask } from "../dist/tasks/manipulation/pick-place.js";
import { DATA, evaluated, times } from "./manipulation-loop.mjs";
import { mebibytes, pythonWith, row, skip } from "./measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const [EPISODES, SUBSTEPS, ROUNDS] = [4, 25, 5];
/** Episodes of a long run, how many are left out while WASM is compiled ever better, and how often it is done. */
const [MANY, COLD, LONG_ROUNDS] = [48, 16, 2];

const episodes = [];
for await (const episode of loadEpisodes({ path: DATA, formats: createRegistries().formats })) {
  if (episode.referenceData?.trajectory?.actions) episodes.push(episode);
}
/** Those before them make a run warm: its start and its dataset are not what is measured. */
const WARM = 4;
const few = episodes.slice(WARM, WARM + EPISODES);
/** What the expert did, step by step. */
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

/** The evaluator's loop over the few, in this process and thread. */
const onOneCore = (sleep) => evaluated({ recorded, sleep, limit: WARM + EPISODES, cold: WARM });

/** The same of many in a process of its own, so that one worker and two begin alike. */
function many(workers) {
  const child = fork(fileURLToPath(new URL("manipulation-loop.mjs", import.meta.url)));
  child.send({ recorded, sleep: true, limit: MANY, workers, cold: COLD });
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the process ended with ${code}`)));
  });
}

/** The same by the simulator alone. */
async function simulated(sleep) {
  const task = new PickAndPlaceTask({ robot_type: "stretch" });
  const simulator = new MujocoSimulator({ task, config: { sensors: {}, sleep } });
  const before = times().processor;
  for (const episode of few) {
    await simulator.reset(episode);
    for (const action of actionsOf(episode)) simulator.step(action);
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
  `manipulation, ${EPISODES} episodes of pick and place, ${count} control steps of ${SUBSTEPS} physics steps, actions recited, no cameras, best of ${ROUNDS}, processor time`,
);
const peer = pythonWith(["mujoco==3.14.0"]);
if (!peer) skip("Python's mujoco", "Python or PyPI cannot be reached");
/** A rate of each round, by what was measured. */
const rounds = {};
const keep = (name, rate) => {
  rounds[name] ??= [];
  rounds[name].push(rate);
};
const best = (name) => Math.max(...rounds[name]);
/** Of the least disturbed rounds, and in brackets of the rounds one by one. */
function ratio(name, peerName) {
  const count = Math.min(rounds[name].length, rounds[peerName].length);
  const each = rounds[name].slice(0, count).map((rate, i) => rate / rounds[peerName][i]);
  const [low, high] = [Math.min(...each), Math.max(...each)].map((x) => x.toFixed(2));
  return `${(best(name) / best(peerName)).toFixed(2)}x (rounds ${low} .. ${high})`;
}
const perSecond = (name) => `${best(name).toFixed(0)} control steps/s`;
// In turns, so that a neighbour's load on the machine meets all.
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
  console.log(flag === "on" ? "  as it comes (sleep on)" : "  without sleep");
  row("  the evaluator's loop", perSecond(loop));
  row("  the simulator alone", perSecond(`simulator ${flag}`));
  if (!peer) continue;
  row("  Python's mujoco, same flag", perSecond(`python ${flag}`));
  row("  ratio (goal: at least 0.45)", ratio(loop, `python ${flag}`));
}
console.log("  as it comes, by the clock, in processes of their own");
row("  one worker", perSecond("one by the clock"));
row("  two workers", perSecond("two by the clock"));
row("  two workers against one", ratio("two by the clock", "one by the clock"));
row("  two processes against one: the bound", ratio("two processes", "one by the clock"));
if (peer) {
  console.log("  as it comes, against Python's mujoco without sleep on one core");
  row("  one worker (goal: 1.0)", ratio("loop on", "python off"));
  row("  two workers, processor time (goal: 1.8)", ratio("two", "python off"));
  row("  two workers, by the clock", ratio("two by the clock", "python off"));
}
const marks = await memory(1000);
// The first fifth fills WASM's heap and the compiler's; from there on it must not grow.
const [early, late] = [marks[1], marks.at(-1)];
row("1,000 short episodes: memory after the first 200", mebibytes(early.rss));
row("  after all of them", `${mebibytes(late.rss)} (${(late.rss / early.rss).toFixed(2)}x)`);
row("  JavaScript's own heap", `${mebibytes(early.heapUsed)} then ${mebibytes(late.heapUsed)}`);
