// The navmesh simulator: steps per second without cameras, with the distance to one goal at every step, and memory
// over 2,000 episodes in 100 scenes. The bound for steps is the navmesh only, with the same queries in the same
// process; memory is compared with that after the first fifth of the episodes.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BaseEpisode } from "../build/core/episode/base.js";
import { Random } from "../build/core/math/random.js";
import { headingToQuatXyzw } from "../build/core/math/rotation.js";
import { ahead } from "../build/simulator/navigation/kinematics.js";
import { NavmeshSimulator } from "../build/simulator/navigation/navmesh-simulator.js";
import { sceneLibrary } from "../build/simulator/navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../build/simulator/navmesh/settings.js";
import { VLNTask } from "../build/tasks/vln/task.js";
import { mebibytes, row } from "./measure.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const SECONDS = 3;
const TURN = Math.PI / 12;

/** A start and a goal on the same island of the navmesh, several metres apart. */
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

/** Moves forward, and turns every few steps and when blocked: about two thirds of the actions are forward. */
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

/** The same steps with the navmesh's functions only. */
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
  row("  share of the rate of the navmesh only", `${((100 * rate) / most).toFixed(0)} %`);
  scene.release();
}
const marks = await memory(2000, 100);
// The first fifth fills the scene cache and the WASM heap; after that, memory must not grow.
const early = marks[1];
const late = marks.at(-1);
row("2,000 episodes in 100 scenes: memory after the first 400", mebibytes(early.rss));
row("  after all of them", `${mebibytes(late.rss)} (${(late.rss / early.rss).toFixed(2)}x)`);
row("  JavaScript heap", `${mebibytes(early.heapUsed)} then ${mebibytes(late.heapUsed)}`);
