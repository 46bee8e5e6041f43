// The navmesh simulator: steps a second without cameras, with the distance to one goal at every step, and
// memory over 2,000 episodes in 100 scenes. The bound for steps is the navmesh alone, asked the same in the
// same process; memory is compared with itself after the first tenth of the episodes.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BaseEpisode } from "../dist/core/episode/base.js";
import { Random } from "../dist/core/math/random.js";
import { headingToQuatXyzw } from "../dist/core/math/rotation.js";
import { ahead } from "../dist/simulator/navigation/kinematics.js";
import { HABITAT_NAVMESH } from "../dist/simulator/navigation/navmesh/settings.js";
import { NavmeshSimulator } from "../dist/simulator/navigation/navmesh-simulator.js";
import { sceneLibrary } from "../dist/simulator/scenes/library.js";
import { VLNTask } from "../dist/tasks/vln/task.js";
import { mebibytes, row } from "./measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const SECONDS = 3;
const TURN = Math.PI / 12;

/** A start and a goal on the same island, some metres apart. */
function episodeIn(sceneId, navMesh, random, id) {
  const from = navMesh.randomPoint(random);
  let to = navMesh.randomPoint(random);
  for (let i = 0; i < 200; i++) {
    const way = navMesh.distance(from, to);
    if (way > 5 && way < 50) break;
    to = navMesh.randomPoint(random);
  }
  return new BaseEpisode({
    episodeId: String(id),
    taskType: "vln",
    sceneId,
    startState: { position: from, rotation: headingToQuatXyzw(6 * random.uniform()) },
    goals: { position: to },
  });
}

/** Walks, and turns every few steps and where it is blocked: about two thirds are steps ahead. */
function action(step, collided) {
  if (collided) return "turn_left";
  return step % 4 === 3 ? "turn_right" : "move_forward";
}

async function stepsPerSecond(scene) {
  const random = new Random(1);
  const simulator = new NavmeshSimulator({ task: new VLNTask(), config: { sensors: {} } });
  const episodes = Array.from({ length: 20 }, (_, i) =>
    episodeIn(scene.id, scene.navMesh, random, i),
  );
  let steps = 0;
  const started = performance.now();
  while (performance.now() - started < SECONDS * 1000) {
    const episode = episodes[steps % episodes.length];
    let { state } = await simulator.reset(episode, { seed: 1 });
    for (let i = 0; i < 500; i++, steps++) state = simulator.step(action(i, state.collided)).state;
  }
  const rate = steps / ((performance.now() - started) / 1000);
  simulator.close();
  return rate;
}

/** The same walk by the navmesh's own functions, and nothing around them. */
function bound(scene) {
  const { navMesh } = scene;
  const random = new Random(1);
  const episodes = Array.from({ length: 20 }, (_, i) => episodeIn(scene.id, navMesh, random, i));
  let steps = 0;
  const started = performance.now();
  while (performance.now() - started < SECONDS * 1000) {
    const { startState, goals } = episodes[steps % episodes.length];
    let position = startState.position;
    let heading = 0;
    let collided = false;
    for (let i = 0; i < 500; i++, steps++) {
      const name = action(i, collided);
      collided = false;
      if (name !== "move_forward") {
        heading += name === "turn_left" ? TURN : -TURN;
        continue;
      }
      const reached = navMesh.step(position, ahead(position, heading, 0.25), true);
      collided = Math.hypot(reached[0] - position[0], reached[2] - position[2]) < 0.24;
      position = reached;
      navMesh.distance(position, goals.position);
    }
  }
  return steps / ((performance.now() - started) / 1000);
}

async function memory(episodes, scenes) {
  const simulator = new NavmeshSimulator({
    task: new VLNTask(),
    config: { sensors: { rgb: { width: 64, height: 48 } } },
  });
  const random = new Random(2);
  const marks = [];
  for (let i = 0; i < episodes; i++) {
    const scene = `apartment/${Math.floor((i * scenes) / episodes)}`;
    const leased = await sceneLibrary.scene(scene, undefined, HABITAT_NAVMESH);
    const episode = episodeIn(scene, leased.navMesh, random, i);
    leased.release();
    let { state } = await simulator.reset(episode, { seed: i });
    for (let k = 0; k < 30; k++) {
      const frame = simulator.step(action(k, state.collided));
      state = frame.state;
      if (k % 10 === 0) frame.observation.rgb;
    }
    if ((i + 1) % (episodes / 10) === 0) {
      collectGarbage();
      const { rss, heapUsed } = process.memoryUsage();
      marks.push({ rss, heapUsed });
    }
  }
  simulator.close();
  return marks;
}

console.log("navigation on a navmesh, one core, no cameras, distance to one goal at every step");
for (const id of ["apartment/3", "apartment/12"]) {
  const scene = await sceneLibrary.scene(id, undefined, HABITAT_NAVMESH);
  await stepsPerSecond(scene);
  const [rate, most] = [await stepsPerSecond(scene), bound(scene)];
  row(`${id}: steps`, `${rate.toFixed(0)} steps/s`);
  row("  share of the navmesh alone", `${((100 * rate) / most).toFixed(0)} %`);
  scene.release();
}
const marks = await memory(2000, 100);
// The first fifth fills the cache of scenes and WASM's heap; from there on it must not grow.
const early = marks[1];
const late = marks.at(-1);
row("2,000 episodes in 100 scenes: memory after the first 400", mebibytes(early.rss));
row("  after all of them", `${mebibytes(late.rss)} (${(late.rss / early.rss).toFixed(2)}x)`);
row("  JavaScript's own heap", `${mebibytes(early.heapUsed)} then ${mebibytes(late.heapUsed)}`);
