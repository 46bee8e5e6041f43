// A plugin for bench/mjcf.mjs: robots of MuJoCo Menagerie as descriptors, with their files as published. The folder is in
// the environment variable MENAGERIE.

import { writeSync } from "node:fs";
import { join } from "node:path";
import { mjcf } from "../dist/index.js";

const file = (...parts) => ({ file: join(process.env.MENAGERIE ?? "", ...parts) });

/** Degrees of freedom of one joint each: [name, unit, low, high]. */
function single(...all) {
  return {
    joints: all.map(([name, unit, low, high]) => ({ name, unit, limits: [low, high] })),
    dofs: all.map(([name, , low, high]) => ({ name, joints: [name], limits: [low, high] })),
  };
}

const rad = (name, low, high) => [name, "rad", low, high];
const m = (name, low, high) => [name, "m", low, high];
const camera = (pos, xyaxes) => mjcf("camera", { name: "overview", pos, xyaxes, fovy: 55 });

const panda = {
  robotType: "menagerie_panda",
  description: "Franka Emika Panda of MuJoCo Menagerie",
  ...single(
    ...[
      rad("joint1", -2.8973, 2.8973),
      rad("joint2", -1.7628, 1.7628),
      rad("joint3", -2.8973, 2.8973),
    ],
    ...[
      rad("joint4", -3.0718, -0.0698),
      rad("joint5", -2.8973, 2.8973),
      rad("joint6", -0.0175, 3.7525),
    ],
    ...[rad("joint7", -2.8973, 2.8973), m("finger_joint1", 0, 0.04)],
  ),
  gripperDof: 7,
  model: {
    mjcf: file("franka_emika_panda", "panda.xml"),
    additions: {
      // x along the fingers.
      hand: [mjcf("site", { name: "tcp", pos: [0, 0, 0.1034], quat: [1, 0, -1, 0] })],
      link0: [camera([1.6, -1.1, 1.1], [0.6, 0.8, 0, -0.4, 0.3, 0.85])],
    },
    actuators: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `actuator${i}`),
    drives: { finger_joint1: { positions: [0, 0.04], controls: [0, 255] } },
    home: [0, 0, 0, -1.57079, 0, 1.57079, -0.7853, 0.04],
    endEffectorSite: "tcp",
    gripper: {
      ...{ open: 0.04, closed: 0, openingM: 0.08 },
      fingers: [["left_finger"], ["right_finger"]],
    },
    cameras: { head: "overview" },
  },
};

const stretch = {
  robotType: "menagerie_stretch",
  description: "Hello Robot Stretch 3 of MuJoCo Menagerie, without its wheels",
  ...single(
    ...[m("joint_lift", 0, 1.1), rad("joint_wrist_yaw", -1.39, 4.42)],
    ...[rad("joint_wrist_pitch", -1.57, 0.56), rad("joint_wrist_roll", -3.14, 3.14)],
    m("joint_gripper_slide", -0.02, 0.04),
  ),
  gripperDof: 4,
  model: {
    mjcf: file("hello_robot_stretch_3", "stretch.xml"),
    additions: {
      link_grasp_center: [mjcf("site", { name: "grasp", pos: [0, 0, 0] })],
    },
    actuators: ["lift", "wrist_yaw", "wrist_pitch", "wrist_roll", "gripper"],
    home: [0.6, 0, 0, 0, 0.02],
    endEffectorSite: "grasp",
    gripper: {
      ...{ open: 0.04, closed: -0.02, openingM: 0.2 },
      fingers: [["rubber_tip_left"], ["rubber_tip_right"]],
    },
    cameras: { head: "d435i_camera_rgb", wrist: "d405_rgb" },
  },
};

const ur5e = {
  robotType: "menagerie_ur5e",
  description: "Universal Robots UR5e of MuJoCo Menagerie, without a gripper",
  ...single(
    ...[rad("shoulder_pan_joint", -6.28, 6.28), rad("shoulder_lift_joint", -6.28, 6.28)],
    ...[rad("elbow_joint", -3.14, 3.14), rad("wrist_1_joint", -6.28, 6.28)],
    ...[rad("wrist_2_joint", -6.28, 6.28), rad("wrist_3_joint", -6.28, 6.28)],
  ),
  model: {
    mjcf: file("universal_robots_ur5e", "ur5e.xml"),
    additions: { base: [camera([1.6, -1.1, 1.1], [0.6, 0.8, 0, -0.4, 0.3, 0.85])] },
    actuators: ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"],
    home: [-1.5708, -1.5708, 1.5708, -1.5708, -1.5708, 0],
    endEffectorSite: "attachment_site",
    cameras: { head: "overview" },
  },
};

/** Fingers of the Shadow Hand, whose two last joints are one degree of freedom. */
const finger = (name) => ({
  joints: [
    { name: `rh_${name}J4`, unit: "rad", limits: [-0.349, 0.349] },
    { name: `rh_${name}J3`, unit: "rad", limits: [-0.26, 1.57] },
    { name: `rh_${name}J2`, unit: "rad", limits: [0, 1.57] },
    { name: `rh_${name}J1`, unit: "rad", limits: [0, 1.57] },
  ],
  dofs: [
    { name: `${name}J4`, joints: [`rh_${name}J4`], limits: [-0.349, 0.349] },
    { name: `${name}J3`, joints: [`rh_${name}J3`], limits: [-0.26, 1.57] },
    { name: `${name}J0`, joints: [`rh_${name}J2`, `rh_${name}J1`], limits: [0, 3.14] },
  ],
  actuators: [`rh_A_${name}J4`, `rh_A_${name}J3`, `rh_A_${name}J0`],
});
const fingers = ["FF", "MF", "RF"].map(finger);
const wrist = single(rad("rh_WRJ2", -0.52, 0.17), rad("rh_WRJ1", -0.69, 0.48));

const shadow = {
  robotType: "menagerie_shadow",
  description: "Shadow Hand of MuJoCo Menagerie: wrist and three fingers",
  joints: [...wrist.joints, ...fingers.flatMap(({ joints }) => joints)],
  dofs: [...wrist.dofs, ...fingers.flatMap(({ dofs }) => dofs)],
  model: {
    mjcf: file("shadow_hand", "right_hand.xml"),
    additions: { rh_forearm: [camera([0.5, -0.5, 0.6], [0.7, 0.7, 0, -0.4, 0.4, 0.82])] },
    actuators: ["rh_A_WRJ2", "rh_A_WRJ1", ...fingers.flatMap(({ actuators }) => actuators)],
    home: [...wrist.dofs, ...fingers.flatMap(({ dofs }) => dofs)].map(() => 0),
    endEffectorSite: "grasp_site",
    cameras: { head: "overview" },
  },
};

/** Unitree H1's arms over torque motors. Its legs hang free of commands. */
const arms = ["left", "right"].flatMap((side) => [
  rad(`${side}_shoulder_pitch`, -2.87, 2.87),
  rad(`${side}_shoulder_roll`, side === "left" ? -0.34 : -3.11, side === "left" ? 3.11 : 0.34),
  rad(`${side}_shoulder_yaw`, side === "left" ? -1.3 : -4.45, side === "left" ? 4.45 : 1.3),
  rad(`${side}_elbow`, -1.25, 2.61),
]);
const h1 = {
  robotType: "menagerie_h1",
  description: "Unitree H1 of MuJoCo Menagerie: its arms, over torque motors",
  ...single(...arms),
  model: {
    mjcf: file("unitree_h1", "h1.xml"),
    additions: {
      right_elbow_link: [mjcf("site", { name: "right_hand", pos: [0.25, 0, -0.02] })],
    },
    actuators: arms.map(([name]) => name),
    drives: Object.fromEntries(
      arms.map(([name]) => [name, { kp: 100, kd: 8, compensateGravity: true }]),
    ),
    home: arms.map(() => 0),
    endEffectorSite: "right_hand",
    cameras: {},
  },
};

/** An agent that ends the process at its first step, which follows the first observation. */
const firstAct = {
  description: "kills the process at its first step",
  create: () => ({
    reset() {},
    act(observation) {
      // Images are drawn when they are read.
      const drawn = observation.rgb_head?.data.length ?? 0;
      writeSync(2, `first act, ${drawn} bytes\n`);
      process.kill(process.pid, "SIGKILL");
    },
  }),
};

export default ({ robots, agents }) => {
  for (const robot of [panda, stretch, ur5e, shadow, h1]) robots.register(robot.robotType, robot);
  agents.register("first-act", firstAct);
};
