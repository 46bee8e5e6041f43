// Observations per second on one core: rgb_head at 640x480 and rgb_wrist at 320x240 of a table with many objects, with
// physics steps in between so that the scene moves. The bound is the same scene at rest, where no lighting has to be
// recomputed.
import { findRobot } from "../build/robots/catalog.js";
import { worldMjcf } from "../build/simulator/manipulation/mjcf/compose.js";
import { Physics } from "../build/simulator/manipulation/physics/physics.js";
import { PhysicsScene } from "../build/simulator/manipulation/visual/scene.js";
import { medianMs, row } from "./measure.mjs";

const HEAD = { width: 640, height: 480 };
const WRIST = { width: 320, height: 240 };
/** A control step at 20 Hz. */
const PHYSICS_STEPS = 25;

const robot = findRobot("stretch");
const world = {
  robot,
  basePose: [0, 0, 0],
  joints: robot.model.home,
  table: { position: [0, -0.8, 0.7], yawRad: 0, sizeM: [1.2, 0.6, 0.04] },
  objects: ["box", "cylinder", "bottle", "cup", "hexagon", "capsule"].map((shape, i) => ({
    name: `${shape}_${i}`,
    shape,
    sizeM: [0.06, 0.06, 0.12],
    position: [0.15 * i - 0.4, -0.75, 0.761],
    rotation_wxyz: [1, 0, 0, 0],
    massKg: 0.2,
    friction: 1,
    color: [(i + 1) / 6, 0.3, 1 - i / 6],
  })),
  fixtures: [],
  look: {
    table: [0.6, 0.45, 0.3],
    floor: [0.6, 0.6, 0.62],
    wall: [0.86, 0.86, 0.83],
    camera: { offsetM: [0, 0, 0], panDeg: 0, tiltDeg: 0 },
    light: { intensity: 1, color: [1, 1, 1] },
  },
  physics: { massScale: 1, frictionScale: 1 },
};

const physics = await Physics.create(worldMjcf(world));
for (const [i, { joints }] of robot.dofs.entries()) {
  for (const joint of joints) physics.setJoint(joint, world.joints[i] / joints.length);
}
physics.forward();
const { cameras, actuators } = robot.model;
const scene = new PhysicsScene(physics, world.look);
const look = () => {
  scene.render(cameras.head, HEAD, { rgb: true });
  scene.render(cameras.wrist, WRIST, { rgb: true });
};

console.log(`Observations ${HEAD.width}x${HEAD.height} + ${WRIST.width}x${WRIST.height}, one core`);
const still = medianMs(look);
row("at rest", `${(1000 / still).toFixed(0)} pairs/s`);
let step = 0;
const act = () => {
  // Move the whole robot back and forth.
  physics.setControl(actuators[2], 0.2 * Math.sin(step++ / 10));
  physics.step(PHYSICS_STEPS);
};
const alone = medianMs(act);
const both = medianMs(() => {
  act();
  look();
});
row("while the robot turns, without the physics", `${(1000 / (both - alone)).toFixed(0)} pairs/s`);
row("a control step with its observation", `${both.toFixed(1)} ms`);
row(
  "creating the scene of a model",
  `${medianMs(() => new PhysicsScene(physics, world.look)).toFixed(1)} ms`,
);
row("goal", "at least 60 pairs/s");
physics.dispose();
