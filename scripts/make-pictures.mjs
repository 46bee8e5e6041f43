// Renders the images of the README, docs/navigation.md, docs/scenes.md and docs/manipulation.md. Run it after
// `npm run build`; `node scripts/make-pictures.mjs rearrange` renders only those of rearrangement episodes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { encodeImage } from "../build/api/codec/image.js";
import { BaseEpisode, STRETCH } from "../build/index.js";
import { readTrajectory } from "../build/runs/directory/trajectory.js";
import { makeController } from "../build/simulator/manipulation/control/controller.js";
import { worldMjcf } from "../build/simulator/manipulation/mjcf/compose.js";
import { MujocoSimulator } from "../build/simulator/manipulation/mujoco-simulator.js";
import { Physics } from "../build/simulator/manipulation/physics/physics.js";
import { PhysicsScene } from "../build/simulator/manipulation/visual/scene.js";
import { worldOf } from "../build/simulator/manipulation/world/from-episode.js";
import { Cameras } from "../build/simulator/navigation/cameras.js";
import { navmeshSensor } from "../build/simulator/navigation/navmesh-config.js";
import { sceneLibrary } from "../build/simulator/navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../build/simulator/navmesh/settings.js";
import { toFalseColour } from "../build/simulator/render/false-colour.js";
import { RearrangeTask } from "../build/tasks/rearrange/task.js";
import { MAIN } from "./headless.mjs";

const SIZE = { width: 480, height: 360, hfov: 90, pitch: -8 };

const SHOTS = [
  { file: "navigation/rgb", scene: 4, room: "living_room_1", kind: "rgb" },
  { file: "navigation/depth", scene: 4, room: "living_room_1", kind: "depth" },
  { file: "navigation/semantic", scene: 4, room: "living_room_1", kind: "semantic" },
  { file: "scenes/living_room", scene: 12, room: "living_room_1", kind: "rgb" },
  { file: "scenes/kitchen", scene: 4, room: "kitchen_1", kind: "rgb" },
  { file: "scenes/bedroom", scene: 4, room: "bedroom_2", kind: "rgb" },
  { file: "scenes/bathroom", scene: 4, room: "bathroom_2", kind: "rgb" },
];

/** The camera pose in the corner farthest from the room's centre, looking at the centre. */
function poseIn(scene, name) {
  const { outline } = scene.model.rooms.find((room) => room.name === name);
  const middle = [0, 1].map(
    (axis) => outline.reduce((sum, p) => sum + p[axis], 0) / outline.length,
  );
  let best;
  let farthest = -1;
  for (const [x, z] of outline) {
    const inside = [x + (middle[0] - x) * 0.25, 0, z + (middle[1] - z) * 0.25];
    const position = scene.navMesh.snap(inside);
    if (!position) continue;
    const distance = Math.hypot(position[0] - middle[0], position[2] - middle[1]);
    if (distance > farthest) {
      farthest = distance;
      best = position;
    }
  }
  return { position: best, headingRad: Math.atan2(best[0] - middle[0], best[2] - middle[1]) };
}

const images = new URL("../docs/images/", import.meta.url);
const onlyRearrange = process.argv[2] === "rearrange";
for (const { file, scene: seed, room, kind } of onlyRearrange ? [] : SHOTS) {
  const scene = await sceneLibrary.scene(`apartment/${seed}`, undefined, HABITAT_NAVMESH);
  const picture = {};
  new Cameras([{ name: "it", kind, settings: navmeshSensor.parse(SIZE) }]).addTo(picture, scene, {
    pose: poseIn(scene, room),
    tiltRad: 0,
    seed: 0,
    step: 0,
  });
  const flat = kind === "semantic";
  const path = new URL(`${file}.${flat ? "png" : "jpg"}`, images);
  await mkdir(new URL(".", path), { recursive: true });
  await writeFile(path, await encodeImage(toFalseColour(picture.it), flat ? "png" : "jpeg"));
  scene.release();
}

/** Episodes of Stretch at a fraction of the expert's trajectory, from its own cameras and from outside. */
const MANIPULATION_SHOTS = [
  { file: "head", task: "pick_place", episode: 0, share: 0.55, camera: "head" },
  { file: "wrist", task: "pick_place", episode: 0, share: 0.35, camera: "wrist" },
  { file: "outside", task: "pick_place", episode: 0, share: 0.55, camera: "outside" },
  { file: "stacking", task: "stacking", episode: 0, share: 0.99, camera: "outside" },
  { file: "opening", task: "opening", episode: 0, share: 0.95, camera: "outside" },
];
/** Next to the robot and above the table, looking in front of the hand. */
const OUTSIDE = { from: [-0.25, 1.35, 1.75], at: [0.5, 0, 0.75], fovyDeg: 50 };
const PHYSICS_STEPS = 25;

/** The pose of an upright camera at `from` that looks at `at` along its -z axis; the rotation is [w, x, y, z]. */
function lookingAt({ from, at, fovyDeg }) {
  const [dx, dy, dz] = at.map((x, i) => x - from[i]);
  const heading = Math.atan2(-dx, dy) / 2;
  const tilt = (Math.PI / 2 + Math.atan2(dz, Math.hypot(dx, dy))) / 2;
  const [ch, sh, ct, st] = [heading, heading, tilt, tilt].map((x, i) =>
    i % 2 === 0 ? Math.cos(x) : Math.sin(x),
  );
  return {
    pose: { position: from, rotation_wxyz: [ch * ct, ch * st, sh * st, sh * ct] },
    fovyDeg,
  };
}

for (const { file, task, episode: number, share, camera } of onlyRearrange
  ? []
  : MANIPULATION_SHOTS) {
  const data = new URL(`../data/manipulation/${task}/val.json.gz`, import.meta.url);
  const { episodes } = JSON.parse(gunzipSync(await readFile(data)).toString());
  const episode = BaseEpisode.fromDict(episodes[number]);
  const world = worldOf(episode, STRETCH);
  const physics = await Physics.create(worldMjcf(world));
  for (const [i, dof] of STRETCH.dofs.entries()) {
    for (const joint of dof.joints) physics.setJoint(joint, world.joints[i] / dof.joints.length);
    physics.setControl(STRETCH.model.actuators[i], world.joints[i]);
  }
  physics.forward();
  const controller = makeController("joint_position", physics, STRETCH);
  const { actions } = episode.referenceData.trajectory;
  for (const action of actions.slice(0, Math.round(share * actions.length))) {
    controller.apply(action);
    physics.step(PHYSICS_STEPS);
  }
  const seen = {
    geoms: () => physics.geoms(),
    geomPose: (i) => physics.geomPose(i),
    camera: (name) => (name === "outside" ? lookingAt(OUTSIDE) : physics.camera(name)),
  };
  const size = { width: 480, height: 360 };
  const { rgb } = new PhysicsScene(seen, world.look).render(camera, size, { rgb: true });
  const path = new URL(`manipulation/${file}.jpg`, images);
  await mkdir(new URL(".", path), { recursive: true });
  await writeFile(path, await encodeImage({ kind: "rgb", ...size, data: rgb }, "jpeg"));
  physics.dispose();
}

/** Moments of an episode of `rearrange_challenge`, as shares of the time in which the robot carries the object. */
const REARRANGE_EPISODE = "13";
const REARRANGE_SHOTS = [
  { file: "rearrange_head", share: 0.02, camera: "head", width: 480, height: 360 },
  { file: "rearrange_wrist", share: 0.02, camera: "wrist", width: 480, height: 360 },
  { file: "rearrange", share: 0.45, camera: "outside", width: 800, height: 450 },
];
/** The same of an episode of `rearrange_drawers` that ends in a drawer. */
const DRAWER_EPISODE = "3";
const DRAWER_SHOTS = [
  { file: "drawer_outside", share: 0.97, camera: "outside", width: 480, height: 360 },
  { file: "drawer_head", share: 1, camera: "head", width: 480, height: 360 },
];
/** Metres: the outside camera's greatest distance from the robot, from the nearest wall, and above the floor. */
const FARTHEST = 2.6;
const WALL = 0.5;
const HEIGHT = 1.7;

/** A camera in front of the robot and to its side, where the floor between them is free for the longest way. */
function besideRobot([x, y, theta], { navMesh }) {
  let best;
  for (const turn of [0.6, -0.6, 0.9, -0.9, 0.3, -0.3, 1.2, -1.2]) {
    const direction = [Math.cos(theta + turn), Math.sin(theta + turn)];
    let free = 0;
    while (free < FARTHEST) {
      const far = free + 0.1;
      if (!navMesh.isNavigable([x + direction[0] * far, 0, -(y + direction[1] * far)])) break;
      free = far;
    }
    if (!best || free > best.free + 0.3) best = { free, direction };
  }
  const distance = Math.max(best.free, WALL + 1);
  const from = [x + best.direction[0] * distance, y + best.direction[1] * distance, HEIGHT];
  return lookingAt({ from, at: [x, y, 0.7], fovyDeg: 52 });
}

async function rearrangePictures(folder, { benchmark, id, shots }) {
  const words = ["run", benchmark, "--filter", `id=${id}`];
  const { status, stderr } = spawnSync(
    process.execPath,
    [MAIN, ...words, "--agent", "expert", "--out", folder, "--run-id", benchmark],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${words.join(" ")} failed:\n${stderr}`);
  const run = join(folder, benchmark);
  const [text] = (await readFile(join(run, "episodes.jsonl"), "utf8")).split("\n");
  const line = JSON.parse(text);
  if (line.outcome !== "success") {
    throw new Error(`the expert failed in episode ${id}: ${line.explanation}`);
  }
  const { episode, records } = await readTrajectory(join(run, line.trajectory));
  const carried = records.flatMap(({ state }, i) => (state.carried === 1 ? [i] : []));
  const task = new RearrangeTask({});
  const simulator = new MujocoSimulator({ task, config: { sensors: { rgb_head: {} } } });
  await simulator.reset(episode, { seed: line.seed });
  const { physics, world } = simulator.shown;
  const options = { headCamera: "head", scenery: world.apartment.model };
  let done = 0;
  for (const { file, share, camera, width, height } of shots) {
    const index = carried[Math.round(share * (carried.length - 1))];
    for (; done <= index; done++) {
      if (records[done].action !== null) await simulator.step(records[done].action);
    }
    const outside = besideRobot(records[index].state.base_pose, world.apartment);
    const seen = {
      geoms: () => physics.geoms(),
      geomPose: (i) => physics.geomPose(i),
      camera: (name) => (name === "outside" ? outside : physics.camera(name)),
    };
    const size = { width, height };
    const { rgb } = new PhysicsScene(seen, world.look, options).render(camera, size, { rgb: true });
    const picture = await encodeImage({ kind: "rgb", ...size, data: rgb }, "jpeg");
    await writeFile(new URL(`manipulation/${file}.jpg`, images), picture);
  }
  await simulator.close();
}

const runs = mkdtempSync(join(tmpdir(), "robot-eval-pictures-"));
try {
  await rearrangePictures(runs, {
    benchmark: "rearrange_challenge",
    id: REARRANGE_EPISODE,
    shots: REARRANGE_SHOTS,
  });
  await rearrangePictures(runs, {
    benchmark: "rearrange_drawers",
    id: DRAWER_EPISODE,
    shots: DRAWER_SHOTS,
  });
} finally {
  rmSync(runs, { recursive: true, force: true });
}
