// Rearrangement in apartments, with the shipped episodes: the time to make and to reset worlds, control steps per second
// of CPU time of a robot that drives past the objects, and memory over many resets.
//
// The bound is measured in the same run: the same robot in an empty world. A control step is 25 physics steps of 2 ms and
// the state of a step record. Facts of rules are excluded.
// Rounds alternate, so that other load affects all of them, and the best one counts.
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BaseEpisode } from "../build/core/episode/base.js";
import { loadEpisodes } from "../build/dataset/loader.js";
import { createRegistries } from "../build/registry/registries.js";
import { MujocoSimulator } from "../build/simulator/manipulation/mujoco-simulator.js";
import { RearrangeTask } from "../build/tasks/rearrange/task.js";
import { mebibytes, median, row } from "./measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const SUBSTEPS = 25;
const [STEPS, ROUNDS] = [120, 6];
/** Apartments in which speed is measured. */
const PLACES = 3;
/** Resets of the test of memory: more than twice all shipped episodes, five in each of 40 apartments. */
const RESETS = 500;
/** What follows a turn follows a way ahead, so that the robot keeps driving. */
const DRIVE = ["move_forward", "turn_left", "move_forward", "turn_right", "turn_right"];

async function shipped(split) {
  const { formats } = createRegistries();
  const path = fileURLToPath(new URL(`../data/rearrange/${split}.json.gz`, import.meta.url));
  const episodes = [];
  for await (const episode of loadEpisodes({ path, formats })) episodes.push(episode);
  return episodes;
}

const EMPTY = new BaseEpisode({
  episodeId: "empty",
  taskType: "rearrange",
  sceneId: "empty",
  startState: { base_pose: [0, 0, 0] },
  goals: {},
  taskConfig: { table: null, scene_objects: [] },
});

function simulatorWith(sensors = {}) {
  return new MujocoSimulator({ task: new RearrangeTask({}), config: { sensors } });
}

function cpuS() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function seconds(work) {
  const before = cpuS();
  await work();
  return cpuS() - before;
}

/** Drives for some control steps; a name is finished before the next one is sent. */
function drive(simulator, read) {
  let [move, unfinished] = [0, false];
  for (let i = 0; i < STEPS; i++) {
    if (!unfinished) move++;
    const frame = simulator.step(DRIVE[move % DRIVE.length]);
    unfinished = frame.inProgress === true;
    read?.(frame.observation);
  }
}

const val = await shipped("val");
console.log(
  `${val.length} shipped episodes, ${SUBSTEPS} physics steps of 2 ms per control step; CPU time, speed as the best of ${ROUNDS} rounds`,
);
const milliseconds = (value) => `${(value * 1000).toFixed(0)} ms`;
const spread = (all) =>
  `${milliseconds(median(all))} (${milliseconds(Math.min(...all))} to ${milliseconds(Math.max(...all))}, n ${all.length})`;

// Resets, in the order of the file, in which the episodes of an apartment follow each other.
const plain = simulatorWith();
const resets = { first: [], other: [], same: [] };
let before;
for (const episode of val) {
  const taken = await seconds(() => plain.reset(episode));
  (episode.sceneId === before ? resets.other : resets.first).push(taken);
  before = episode.sceneId;
  resets.same.push(await seconds(() => plain.reset(episode)));
}
row("first reset in an apartment (generates and compiles it)", spread(resets.first));
row("reset to another episode of the same apartment", spread(resets.other));
row("reset to the same episode again", spread(resets.same));

const size = { width: 320, height: 240 };
const [seeing, empty] = [simulatorWith({ rgb_head: size, depth_head: size }), simulatorWith()];
await empty.reset(EMPTY);
const read = ({ rgb_head, depth_head }) => rgb_head.data.length + depth_head.data.length;
const least = (all) => Math.min(...all);
const rate = (all) => STEPS / least(all);
const ratio = (a, b) => `${(a / b).toFixed(2)} x`;
for (const episode of val.filter((_, i) => i % 5 === 0).slice(0, PLACES)) {
  await plain.reset(episode);
  await seeing.reset(episode);
  const times = { plain: [], seeing: [], empty: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await plain.reset(episode);
    for (let i = 0; i < 40; i++) plain.step("stop");
    times.plain.push(await seconds(() => drive(plain)));
    await empty.reset(EMPTY);
    times.empty.push(await seconds(() => drive(empty)));
    await seeing.reset(episode);
    times.seeing.push(await seconds(() => drive(seeing, read)));
  }
  console.log(`  ${episode.sceneId}, episode ${episode.episodeId}`);
  row("control steps/s, driving", rate(times.plain).toFixed(0));
  row("  of the same robot in an empty world", ratio(rate(times.plain), rate(times.empty)));
  row("control steps/s, driving, head RGB and depth 320x240", rate(times.seeing).toFixed(0));
}
for (const simulator of [seeing, empty]) simulator.close();

const all = [...val, ...(await shipped("train"))];
const memory = [];
for (let i = 0; i < RESETS; i++) {
  if (i % 100 === 0) memory.push(resident());
  await plain.reset(all[i % all.length]);
  for (let step = 0; step < 3; step++) plain.step("move_forward");
}
memory.push(resident());
plain.close();
const apartments = new Set(all.map(({ sceneId }) => sceneId)).size;
row(
  `memory at every 100 of ${RESETS} resets in ${apartments} apartments`,
  memory.map(mebibytes).join(", "),
);

function resident() {
  collectGarbage();
  return process.memoryUsage.rss();
}
