// Rearrangement in apartments: control steps per second of CPU time of a robot that drives while eight objects rest on
// furniture, the time to make and to reset a world, and memory over many apartments.
//
// The bounds are measured in the same run: a bare loop of mj_step over the same compiled world, and the same robot in an
// empty world. A control step is 25 physics steps of 2 ms and the state of a step record. Facts of rules are excluded.
// Rounds alternate, so that other load affects all of them, and the best one counts.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BaseEpisode } from "../build/core/episode/base.js";
import { Random } from "../build/core/math/random.js";
import { leaseApartment } from "../build/simulator/manipulation/apartment/apartment-world.js";
import { worldMjcf } from "../build/simulator/manipulation/mjcf/compose.js";
import { MujocoSimulator } from "../build/simulator/manipulation/mujoco-simulator.js";
import { loadMujoco } from "../build/simulator/manipulation/physics/mujoco.js";
import { fromScene } from "../build/simulator/manipulation/visual/axes.js";
import { RearrangeTask } from "../build/tasks/rearrange/task.js";
import { mebibytes, row } from "./measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const SUBSTEPS = 25;
const OBJECTS = ["mug", "bowl", "bottle", "can", "book", "ball", "cup", "jar"];
const [STEPS, ROUNDS] = [120, 6];
/** Apartments and episodes of the test of memory. */
const [PLACES, EPISODES] = [50, 500];
/** What follows a turn follows a way ahead, so that the robot keeps driving. */
const DRIVE = ["move_forward", "turn_left", "move_forward", "turn_right", "turn_right"];

/** An episode of an apartment: objects in a row on its largest receptacles, the robot anywhere. */
async function episodeIn(seed, index = 0) {
  const sceneId = `apartment/${seed}`;
  const { apartment, scene } = await leaseApartment(sceneId);
  const random = new Random(index + 1);
  const area = ({ surfaces: [{ sizeM }] }) => sizeM[0] * sizeM[1];
  const tables = apartment.receptacles.toSorted((a, b) => area(b) - area(a)).slice(0, 4);
  const scene_objects = OBJECTS.map((category, i) => {
    const [x, y] = fromScene(tables[i % tables.length].surfaces[0].centre);
    const aside = 0.2 * Math.floor(i / tables.length) - 0.1;
    return { name: category, model: `${category}/1`, position: [x + aside, y] };
  });
  const [x, y] = fromScene(apartment.navMesh.randomPoint(random, 0));
  scene.release();
  return new BaseEpisode({
    episodeId: `${seed}-${index}`,
    taskType: "rearrange",
    sceneId,
    startState: { base_pose: [x, y, 2 * Math.PI * random.uniform()] },
    goals: {},
    taskConfig: { scene_objects },
  });
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

/** The bound: physics steps of a compiled world, without anything else. */
async function bareWorld(simulator) {
  const mujoco = await loadMujoco();
  const text = worldMjcf(simulator.shown.world, { drawn: false });
  const model = mujoco.MjModel.from_xml_string(text);
  const data = new mujoco.MjData(model);
  // Objects come to rest.
  for (let i = 0; i < 1500; i++) mujoco.mj_step(model, data);
  return {
    run() {
      for (let i = 0; i < STEPS * SUBSTEPS; i++) mujoco.mj_step(model, data);
    },
    geoms: model.ngeom,
    dispose() {
      data.delete();
      model.delete();
    },
  };
}

const SEED = 103;
console.log(
  `apartment/${SEED}, ${OBJECTS.length} objects, ${SUBSTEPS} physics steps of 2 ms per control step; CPU time, best of ${ROUNDS} rounds`,
);
const generated = await seconds(async () =>
  (await leaseApartment(`apartment/${SEED}`)).scene.release(),
);
const episode = await episodeIn(SEED);
const size = { width: 320, height: 240 };
const [plain, seeing, empty] = [
  simulatorWith(),
  simulatorWith({ rgb_head: size, depth_head: size }),
  simulatorWith(),
];
const first = await seconds(() => plain.reset(episode));
await seeing.reset(episode);
await empty.reset(EMPTY);
const bare = await bareWorld(plain);
const best = { plain: [], seeing: [], empty: [], bare: [], reset: [] };
for (let round = 0; round < ROUNDS; round++) {
  best.reset.push(await seconds(() => plain.reset(episode)));
  for (let i = 0; i < 40; i++) plain.step("stop");
  best.plain.push(await seconds(() => drive(plain)));
  best.bare.push(await seconds(() => bare.run()));
  await empty.reset(EMPTY);
  best.empty.push(await seconds(() => drive(empty)));
  await seeing.reset(episode);
  const read = ({ rgb_head, depth_head }) => rgb_head.data.length + depth_head.data.length;
  best.seeing.push(await seconds(() => drive(seeing, read)));
}
const least = (all) => Math.min(...all);
const rate = (all) => STEPS / least(all);
const ratio = (a, b) => `${(a / b).toFixed(2)} x`;
row(
  "generate the apartment, its navmesh and contact geometry",
  `${(generated * 1000).toFixed(0)} ms`,
);
row(`first reset (compiles ${bare.geoms} geoms)`, `${(first * 1000).toFixed(0)} ms`);
row("reset in a cached apartment", `${(least(best.reset) * 1000).toFixed(0)} ms`);
row("control steps/s, driving", rate(best.plain).toFixed(0));
row(
  "  of the bare loop of mj_step over the same world at rest",
  ratio(rate(best.plain), rate(best.bare)),
);
row("  of the same robot in an empty world", ratio(rate(best.plain), rate(best.empty)));
row("control steps/s, driving, head RGB and depth 320x240", rate(best.seeing).toFixed(0));
for (const simulator of [seeing, empty]) simulator.close();
bare.dispose();

const memory = { start: 0, half: 0, end: 0 };
for (let i = 0; i < EPISODES; i++) {
  // Episodes of one apartment follow each other, as in a run.
  if (i === EPISODES / 5) memory.start = resident();
  if (i === (3 * EPISODES) / 5) memory.half = resident();
  const own = await episodeIn(100 + (Math.floor(i / (EPISODES / PLACES)) % PLACES), i);
  try {
    await plain.reset(own);
  } catch (error) {
    // A random start may be too near to furniture for the corners of the base.
    if (error.code !== "bad_episode") throw error;
    continue;
  }
  for (let step = 0; step < 3; step++) plain.step("move_forward");
}
memory.end = resident();
plain.close();
row(
  `memory after ${EPISODES / 5}, ${(3 * EPISODES) / 5} and ${EPISODES} episodes in ${PLACES} apartments`,
  `${mebibytes(memory.start)}, ${mebibytes(memory.half)}, ${mebibytes(memory.end)}`,
);

function resident() {
  collectGarbage();
  return process.memoryUsage.rss();
}
