// Physics and control steps per second of CPU time on one core: Stretch, a table and six boxes, with the arm swinging
// above them. The peer is native mujoco of the same version in a Python loop, with the same MJCF and controls. A
// control step is 25 physics steps and the reads of an evaluation: joints, the hand, each box's pose and velocity, the
// finger forces and the contacts.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BaseEpisode } from "../build/core/episode/base.js";
import { mergeNeeds } from "../build/core/rules/needs.js";
import { fragmentOf } from "../build/robots/descriptor.js";
import { STRETCH } from "../build/robots/stretch.js";
import { makeController } from "../build/simulator/manipulation/control/controller.js";
import { FactReader } from "../build/simulator/manipulation/facts/read.js";
import { worldMjcf } from "../build/simulator/manipulation/mjcf/compose.js";
import { loadMujoco } from "../build/simulator/manipulation/physics/mujoco.js";
import { Physics } from "../build/simulator/manipulation/physics/physics.js";
import { robotState } from "../build/simulator/manipulation/sensors/robot-state.js";
import { worldOf } from "../build/simulator/manipulation/world/from-episode.js";
import { pythonWith, row, skip } from "./measure.mjs";

const [CONTROL_STEPS, SUBSTEPS, ROUNDS] = [400, 25, 7];
const BOXES = ["a", "b", "c", "d", "e", "f"];

const EPISODE = new BaseEpisode({
  episodeId: "bench",
  taskType: "pick_place",
  sceneId: "tabletop",
  taskConfig: {
    table: { position: [0, -0.85, 0.7], size: [1.2, 0.6, 0.04], yaw: 0 },
    scene_objects: BOXES.map((name, i) => ({
      name,
      shape: "box",
      size: [0.05, 0.05, 0.08],
      position: [0.2 * (i % 3) - 0.2, -0.78 - 0.15 * Math.floor(i / 3), 0.741],
      mass: 0.2,
    })),
  },
});
const world = worldOf(EPISODE, STRETCH);

/** All that a rule may ask of objects: speeds, forces of the fingers, contact with the robot and with each other. */
const NEEDS = mergeNeeds([
  ...BOXES.flatMap((object) =>
    ["motion", "fingers", "robot_contact"].map((aspect) => ({ object, aspect })),
  ),
  ...BOXES.flatMap((a, i) => BOXES.slice(i + 1).map((b) => ({ contact: [a, b] }))),
]);

/** Every degree of freedom swings, above the boxes. */
const actions = Array.from({ length: CONTROL_STEPS }, (_, k) =>
  STRETCH.dofs.map(({ limits: [low, high] }, dof) => {
    const start = dof === 3 ? 0.95 : (world.joints[dof] ?? 0);
    const swing = start + 0.05 * Math.sin(0.1 * k * (1 + 0.2 * dof)) * Math.min(1, k / 20);
    return Math.min(high, Math.max(low, swing));
  }),
);

console.log(
  `${SUBSTEPS} physics steps of 2 ms per control step, ${CONTROL_STEPS} control steps, best of ${ROUNDS} rounds, CPU time`,
);
const texts = {
  on: worldMjcf(world, { drawn: false }),
  off: worldMjcf(world, { drawn: false, sleep: false }),
};
const python = pythonWith(["mujoco==3.14.0"]);
if (python) await againstPython();
else skip("Python's mujoco", "Python or PyPI cannot be reached");

async function againstPython() {
  const { mj_versionString } = await loadMujoco();
  const runs = { ours: { on: [], off: [] }, theirs: { on: [], off: [] } };
  let version = "";
  await measureOurs("on");
  // Alternately, so that other load affects both.
  for (let round = 0; round < ROUNDS; round++) {
    for (const sleep of ["off", "on"]) {
      runs.ours[sleep].push(await measureOurs(sleep));
      const peer = measureTheirs(python, sleep);
      version = peer.version;
      runs.theirs[sleep].push(peer);
    }
  }
  row("versions", `WASM ${mj_versionString()}, Python ${version}`);
  for (const kind of ["physics", "control"]) {
    const ours = { on: best(runs.ours.on, kind), off: best(runs.ours.off, kind) };
    const theirs = { on: best(runs.theirs.on, kind), off: best(runs.theirs.off, kind) };
    console.log(`  ${kind} steps per second`);
    for (const sleep of ["off", "on"]) {
      const both = `${ours[sleep].toFixed(0)} and ${theirs[sleep].toFixed(0)}`;
      row(`  robot-eval and Python, sleep ${sleep}`, both);
      row("    ratio, same flags (goal: at least 0.45)", ratio(ours[sleep], theirs[sleep]));
    }
    row("  ours with sleep, theirs without (goal: 1.0)", ratio(ours.on, theirs.off));
  }
  row("  cost of reading per control step", `${readingUs(runs.ours.on).toFixed(0)} us`);
}

async function measureOurs(sleep) {
  const physics = await begin(sleep);
  const controller = makeController("joint_position", physics, STRETCH);
  const stepping = timed(() => {
    for (const action of actions) {
      controller.apply(action);
      physics.step(SUBSTEPS);
    }
  });
  physics.dispose();
  const again = await begin(sleep);
  const reader = makeController("joint_position", again, STRETCH);
  const facts = new FactReader(again, world, NEEDS, EPISODE);
  let seen = 0;
  const control = timed(() => {
    for (const action of actions) {
      reader.apply(action);
      again.step(SUBSTEPS);
      const { ee_pose } = robotState(again, STRETCH);
      const { objects } = facts.read();
      seen += ee_pose.length + Object.keys(objects).length + (again.diverged() ? 1 : 0);
    }
  });
  again.dispose();
  if (seen !== actions.length * (7 + BOXES.length))
    throw new Error("the physics diverged: wrong number of values read");
  return { physics: (CONTROL_STEPS * SUBSTEPS) / stepping, control: CONTROL_STEPS / control };
}

async function begin(sleep) {
  const physics = await Physics.create(texts[sleep]);
  for (const [i, { joints }] of STRETCH.dofs.entries()) {
    for (const joint of joints) physics.setJoint(joint, actions[0][i] / joints.length);
  }
  physics.forward();
  return physics;
}

function measureTheirs(python, sleep) {
  const { actuators, endEffectorSite, gripper } = STRETCH.model;
  const { status, stdout, stderr } = spawnSync(
    python,
    [fileURLToPath(new URL("mujoco_step_peer.py", import.meta.url))],
    {
      input: JSON.stringify({
        xml: texts[sleep],
        actuators,
        actions,
        substeps: SUBSTEPS,
        dofs: STRETCH.dofs.map(({ joints }) => joints),
        site: endEffectorSite,
        fingers: gripper.fingers,
        robot: fragmentOf(STRETCH).worldbody[0].attributes.name,
        objects: BOXES,
      }),
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** CPU time in seconds, which depends less on other load than wall time. */
function timed(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The best round. */
function best(runs, kind) {
  return Math.max(...runs.map((run) => run[kind]));
}

function readingUs(runs) {
  return 1e6 / best(runs, "control") - (1e6 * SUBSTEPS) / best(runs, "physics");
}

function ratio(ours, theirs) {
  return `${(ours / theirs).toFixed(2)}x`;
}
