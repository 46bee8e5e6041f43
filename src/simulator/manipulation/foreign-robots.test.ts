import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../test/support/tiny-world.js";
import { ExpertAgent } from "../../agents/expert/expert.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { mjcf } from "../../core/mjcf/element.js";
import { compileCriteria } from "../../core/rules/compile.js";
import { JudgedSimulator } from "../../core/rules/judged-simulator.js";
import { assertRobot } from "../../robots/check.js";
import {
  dofFrom,
  type JointDescriptor,
  type RobotDescriptor,
  type RobotModel,
} from "../../robots/descriptor.js";
import { ManipulationTask } from "../../tasks/manipulation/task.js";
import { write } from "./foreign.fixture.js";
import { mujocoSimulatorFactory } from "./mujoco-backend.js";
import { MujocoSimulator } from "./mujoco-simulator.js";

/** An arm of two links in a vertical plane, with or without a hand. Angles in radians. */
function armXml({ actuators, hand = "" }: { actuators: string; hand?: string }): string {
  return `<mujoco model="arm">
    <compiler angle="radian" autolimits="true"/>
    <worldbody>
      <body name="post" pos="0 0 0.5">
        <geom type="cylinder" size="0.05 0.1" contype="0" conaffinity="0"/>
        <body name="upper">
          <joint name="shoulder" axis="0 1 0" range="-2 2" damping="1" armature="0.1"/>
          <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="1" contype="0" conaffinity="0"/>
          <body name="lower" pos="0.3 0 0">
            <joint name="elbow" axis="0 1 0" range="-2 2" damping="1" armature="0.1"/>
            <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.5" contype="0" conaffinity="0"/>
            <site name="tip" pos="0.2 0 0"/>
            ${hand}
          </body>
        </body>
      </body>
    </worldbody>
    ${hand && '<equality><joint joint1="right" joint2="left" polycoef="0 1 0 0 0"/></equality><tendon><fixed name="split"><joint joint="left" coef="0.5"/><joint joint="right" coef="0.5"/></fixed></tendon>'}
    <actuator>${actuators}</actuator>
  </mujoco>`;
}

const SERVOS = `<position name="a" joint="shoulder" kp="400" kv="40" ctrlrange="-2 2"/>
  <position name="b" joint="elbow" kp="400" kv="40" ctrlrange="-2 2"/>`;
const MOTORS = `<motor name="a" joint="shoulder" gear="2" ctrlrange="-20 20"/>
  <motor name="b" joint="elbow" ctrlrange="-20 20"/>`;
/** As the hand of Menagerie's Panda: 0 to 255 for fingers that move by 0 to 0.04 m. */
const GRIPPER = `<general name="g" tendon="split" ctrlrange="0 255" biastype="affine" gainprm="0.01568627451" biasprm="0 -100 -10"/>`;
const HAND = `<body name="finger_left" pos="0.2 0 0"><joint name="left" type="slide" axis="0 1 0" range="0 0.04" damping="5" armature="0.1"/><geom name="pad_left" type="box" size="0.02 0.005 0.01" pos="0 0.005 0" mass="0.02"/></body>
  <body name="finger_right" pos="0.2 0 0"><joint name="right" type="slide" axis="0 -1 0" range="0 0.04" damping="5" armature="0.1"/><geom name="pad_right" type="box" size="0.02 0.005 0.01" pos="0 -0.005 0" mass="0.02"/></body>`;

const LINKS: readonly JointDescriptor[] = [
  { name: "shoulder", unit: "rad", limits: [-2, 2] },
  { name: "elbow", unit: "rad", limits: [-2, 2] },
];
const FINGER: JointDescriptor = { name: "left", unit: "m", limits: [0, 0.04] };

interface Parts {
  readonly actuators?: string;
  readonly hasHand?: boolean;
  readonly drives?: RobotModel["drives"];
}

function robotOf({ actuators = SERVOS, hasHand = false, drives }: Parts): RobotDescriptor {
  const folder = tempDir();
  write(folder, { "arm.xml": armXml({ actuators, ...(hasHand ? { hand: HAND } : {}) }) });
  const joints = hasHand ? [...LINKS, FINGER] : LINKS;
  const robot: RobotDescriptor = {
    robotType: "arm",
    description: "two links",
    joints,
    dofs: joints.map((joint) => dofFrom(joint.name, [joint])),
    ...(hasHand ? { gripperDof: 2 } : {}),
    model: {
      mjcf: { file: join(folder, "arm.xml") },
      actuators: hasHand ? ["a", "b", "g"] : ["a", "b"],
      home: hasHand ? [-0.3, 0.6, 0.04] : [-0.3, 0.6],
      endEffectorSite: "tip",
      ...(hasHand
        ? {
            gripper: {
              open: 0.04,
              closed: 0,
              fingers: [["pad_left"], ["pad_right"]],
              openingM: 0.08,
            },
          }
        : {}),
      ...(drives ? { drives } : {}),
    },
  };
  assertRobot(robot);
  return robot;
}

const GOALS = {
  target_object: { name: "cup_red" },
  success_criteria: { rule: { reached: { object: "cup_red", within_m: 0.4 } } },
};

const EPISODE = new BaseEpisode({
  episodeId: "e1",
  taskType: "manipulation",
  sceneId: "table",
  goals: GOALS,
  taskConfig: { scene_objects: [{ name: "cup_red", position: [0.9, 0.2] }] },
});

const open: MujocoSimulator[] = [];
afterEach(() => {
  for (const simulator of open.splice(0)) simulator.close();
});

function taskOf(robot: RobotDescriptor, mode?: string, goals: object = GOALS): ManipulationTask {
  return new ManipulationTask(
    { robot_type: "arm", goals, ...(mode ? { control_mode: mode } : {}) },
    { robots: { find: () => robot, list: () => ["arm"] } },
  );
}

function simulatorOf(parts: Parts, mode?: string): MujocoSimulator {
  const simulator = new MujocoSimulator({ task: taskOf(robotOf(parts), mode), config: {} });
  open.push(simulator);
  return simulator;
}

/** The degrees of freedom after an action was repeated for 3 s. */
async function positionsAfter(simulator: MujocoSimulator, action: readonly number[]) {
  await simulator.reset(EPISODE);
  let { state } = simulator.step(action);
  for (let i = 0; i < 60; i++) state = simulator.step(action).state;
  return state.qpos ?? [];
}

describe("a robot without a gripper", () => {
  it("a robot without a gripper moves to its targets and is judged by a rule without fingers", async () => {
    const simulator = simulatorOf({});
    const { state } = await new JudgedSimulator(simulator, taskOf(simulator.robot)).reset(EPISODE, {
      seed: 0,
    });
    expect(state.conditions?.[0]).toMatchObject({ name: "reached", holds: false });
    const qpos = await positionsAfter(simulator, [0.4, 0.5]);
    expect(qpos[0]).toBeCloseTo(0.4, 1);
    expect(qpos[1]).toBeCloseTo(0.5, 1);
  });

  it("a robot without a gripper has no gripper state in sensors, observations and records", async () => {
    const simulator = simulatorOf({});
    const task = taskOf(simulator.robot);
    expect(Object.keys(task.sensorSuite.sensors)).not.toContain("gripper_state");
    expect(mujocoSimulatorFactory.hasSensor?.("gripper_state", {}, task)).toBe(false);
    const { state, observation } = await simulator.reset(EPISODE);
    expect(observation).toHaveProperty("qpos");
    expect(observation).not.toHaveProperty("gripper_state");
    expect(state).not.toHaveProperty("gripper_state");
    const asked = new MujocoSimulator({ task, config: { sensors: { gripper_state: {} } } });
    expect(asked.missingSensors).toEqual(["gripper_state"]);
    asked.close();
  });

  it("a robot without a gripper takes six numbers as an end-effector delta", async () => {
    const simulator = simulatorOf({}, "ee_delta_pose");
    await simulator.reset(EPISODE);
    expect(simulator.actionSpace.shape).toEqual([6]);
    const z = simulator.manipulation?.endEffector().position[2] ?? 0;
    for (let i = 0; i < 10; i++) simulator.step([0, 0, 0.01, 0, 0, 0]);
    expect(simulator.manipulation?.endEffector().position[2]).toBeGreaterThan(z + 0.02);
    expect(taskOf(simulator.robot, "ee_delta_pose").conventions).toMatchObject({ action_dim: 6 });
  });

  it("a robot without a gripper is rejected for a rule about grasping, before the run and at reset, with the reason", async () => {
    const simulator = simulatorOf({});
    const goals = {
      target_object: { name: "cup_red" },
      target_location: { position: [0.9, 0, 0.8] },
    };
    const task = taskOf(simulator.robot, undefined, {
      ...goals,
      success_criteria: { type: "grasp_and_lift" },
    });
    const { needs } = compileCriteria(task.successCriteria, task.predicates);
    const reason =
      'the success rule tests whether the robot grasps or releases "cup_red", but arm has no gripper';
    expect(() => mujocoSimulatorFactory.checkFacts?.(needs, EPISODE, task)).toThrow(reason);
    await expect(simulator.reset(EPISODE, { facts: needs })).rejects.toThrow(reason);
  });

  it("a robot without a gripper is rejected by the expert, which grasps", async () => {
    const simulator = simulatorOf({});
    await simulator.reset(EPISODE);
    const { manipulation, actionSpace } = simulator;
    const { episodeId, taskType, sceneId, instruction } = EPISODE;
    expect(() =>
      new ExpertAgent().reset({
        ...{ episodeId, taskType, sceneId, instruction, episodeKey: "arm/e1", seed: 0 },
        ...{ episode: {}, goals: GOALS, manipulation, actionSpace },
      }),
    ).toThrow("the task's robot has no gripper");
  });

  it("a robot without a gripper is rejected if only one of gripperDof and model.gripper is given", () => {
    expect(() => assertRobot({ ...robotOf({}), gripperDof: 1 })).toThrow(
      "model.gripper is missing",
    );
    const { gripperDof: _, ...without } = robotOf({ hasHand: true, actuators: SERVOS + GRIPPER });
    expect(() => assertRobot(without)).toThrow("gripperDof is missing");
  });
});

describe("a gripper whose control has a unit of its own", () => {
  const actuators = SERVOS + GRIPPER;
  const drives = { left: { positions: [0, 0.04], controls: [0, 255] } } as const;

  it("a gripper whose control has a unit of its own is rejected without a mapping, with the mapping to set", async () => {
    await expect(simulatorOf({ hasHand: true, actuators }).reset(EPISODE)).rejects.toMatchObject({
      code: "robot_not_in_model",
      message: expect.stringContaining("its control is not the value of left"),
      hint: "set model.drives.left to { positions: [0, 0.04], controls: [0, 255] }",
    });
  });

  it.each([
    ["joint_position", [-0.3, 0.6, 0.01], 0.01],
    ["joint_delta", [0, 0, -0.001], 0],
    ["ee_delta_pose", [0, 0, 0, 0, 0, 0, 0.5], 0.02],
  ] as const)(
    "a gripper whose control has a unit of its own opens and closes as told through its mapping, in %s",
    async (mode, action, metres) => {
      const simulator = simulatorOf({ hasHand: true, actuators, drives }, mode);
      const { state } = await simulator.reset(EPISODE);
      expect(state.gripper_state).toBeCloseTo(1, 6);
      const [, , finger = Number.NaN] = await positionsAfter(simulator, action);
      expect(finger).toBeCloseTo(metres, 3);
    },
  );

  it("a gripper whose control has a unit of its own is rejected if the mapping leaves the control range of the actuator", async () => {
    const wrong = { left: { positions: [0, 0.04], controls: [0, 2550] } } as const;
    await expect(
      simulatorOf({ hasHand: true, actuators, drives: wrong }).reset(EPISODE),
    ).rejects.toThrow("accepts controls from 0 to 255 only, but gets those from 0 to 2550");
  });

  it("a gripper whose control has a unit of its own is rejected if the mapping is not one or names no degree of freedom", () => {
    const robot = (one: object) => {
      const arm = robotOf({ hasHand: true, actuators });
      return { ...arm, model: { ...arm.model, drives: one } };
    };
    expect(() => assertRobot(robot({ left: { controls: [0, 1] } }))).toThrow("model.drives.left");
    expect(() => assertRobot(robot({ lefd: drives.left }))).toThrow('did you mean "left"?');
  });
});

describe("an arm with torque motors", () => {
  const gains = { kp: 120, kd: 15, compensateGravity: true };
  const drives = { shoulder: gains, elbow: gains };

  it("an arm with torque motors is rejected without gains, with the field to set", async () => {
    await expect(simulatorOf({ actuators: MOTORS }).reset(EPISODE)).rejects.toMatchObject({
      message: expect.stringContaining('"a" of shoulder of the robot arm is not a position servo'),
      hint: expect.stringContaining("set model.drives.shoulder to { kp, kd }"),
    });
  });

  it("an arm with torque motors holds its initial position and moves to its targets", async () => {
    const simulator = simulatorOf({ actuators: MOTORS, drives });
    const [shoulder = 0, elbow = 0] = await positionsAfter(simulator, [-0.3, 0.6]);
    expect(shoulder).toBeCloseTo(-0.3, 2);
    expect(elbow).toBeCloseTo(0.6, 2);
    const moved = await positionsAfter(simulator, [0.5, -0.4]);
    expect(moved[0]).toBeCloseTo(0.5, 2);
    expect(moved[1]).toBeCloseTo(-0.4, 2);
  });

  it("an arm with torque motors moves by deltas of its targets, and by deltas of the end effector", async () => {
    const delta = simulatorOf({ actuators: MOTORS, drives }, "joint_delta");
    const [shoulder] = await positionsAfter(delta, [0.005, 0]);
    expect(shoulder).toBeCloseTo(-0.3 + 61 * 0.005, 1);
    const pose = simulatorOf({ actuators: MOTORS, drives }, "ee_delta_pose");
    await pose.reset(EPISODE);
    const z = pose.manipulation?.endEffector().position[2] ?? 0;
    for (let i = 0; i < 20; i++) pose.step([0, 0, 0.005, 0, 0, 0]);
    expect(pose.manipulation?.endEffector().position[2]).toBeGreaterThan(z + 0.03);
  });

  it("an arm with torque motors sags under gravity without compensation, and does not move beyond its force limit", async () => {
    const weak = { kp: 120, kd: 15 };
    const [sagging = 0] = await positionsAfter(
      simulatorOf({ actuators: MOTORS, drives: { shoulder: weak, elbow: weak } }),
      [0, 0],
    );
    // Both links weigh on the shoulder with 3.5 N m.
    expect(sagging).toBeGreaterThan(0.02);
    expect(sagging).toBeLessThan(0.04);
    const limited = { ...gains, maxForce: 0.5 };
    const [fallen = 0] = await positionsAfter(
      simulatorOf({ actuators: MOTORS, drives: { shoulder: limited, elbow: gains } }),
      [0, 0],
    );
    expect(fallen).toBeGreaterThan(1);
  });

  it("an arm with torque motors gives the same bits in every run", async () => {
    const states = await Promise.all(
      [1, 2].map(() => positionsAfter(simulatorOf({ actuators: MOTORS, drives }), [0.5, -0.4])),
    );
    expect(states[0]).toEqual(states[1]);
  });

  it("an arm with torque motors is rejected if gains are given for a servo", async () => {
    await expect(simulatorOf({ drives }).reset(EPISODE)).rejects.toThrow(
      "model.drives.shoulder has gains for a motor",
    );
  });
});

describe("a model that lacks parts of the descriptor", () => {
  const changed = (robot: RobotDescriptor, more: Partial<RobotModel>): RobotDescriptor => {
    if (!robot.model) throw new Error("no model");
    const model = { ...robot.model, ...more };
    const changedRobot = { ...robot, model };
    assertRobot(changedRobot);
    return changedRobot;
  };
  const simulate = (robot: RobotDescriptor): MujocoSimulator => {
    const simulator = new MujocoSimulator({ task: taskOf(robot), config: {} });
    open.push(simulator);
    return simulator;
  };

  it("a model that lacks parts of the descriptor gets the site of its end effector and a camera from the descriptor", async () => {
    const simulator = simulate(
      changed(robotOf({}), {
        additions: {
          lower: [mjcf("site", { name: "tool", pos: [0.1, 0, 0] })],
          post: [mjcf("camera", { name: "overview", pos: [0, -1, 0.5] })],
        },
        endEffectorSite: "tool",
        cameras: { head: "overview" },
      }),
    );
    const { observation } = await simulator.reset(EPISODE);
    expect(simulator.missingCameras).toEqual([]);
    expect(observation.rgb_head).toMatchObject({ width: 640, height: 480 });
    const [x = 0] = simulator.manipulation?.endEffector().position ?? [];
    expect(x).toBeCloseTo(0.3 * Math.cos(0.3) + 0.1 * Math.cos(0.3), 6);
  });

  it("a model that lacks parts of the descriptor is rejected if an addition names a body that it does not have", async () => {
    const robot = changed(robotOf({}), { additions: { loser: [mjcf("site", { name: "tool" })] } });
    await expect(simulate(robot).reset(EPISODE)).rejects.toMatchObject({
      message: expect.stringContaining('adds elements to the body "loser"'),
      hint: expect.stringContaining('did you mean "lower"?'),
    });
  });

  it("a model that lacks parts of the descriptor has fingers that are bodies whose geoms have no names", async () => {
    const drives = { left: { positions: [0, 0.04], controls: [0, 255] } } as const;
    const arm = robotOf({ hasHand: true, actuators: SERVOS + GRIPPER, drives });
    const finger = (name: string): RobotDescriptor => {
      if (!arm.model?.gripper) throw new Error("no gripper");
      return changed(arm, {
        gripper: { ...arm.model.gripper, fingers: [[name], ["finger_right"]] },
      });
    };
    await simulate(finger("finger_left")).reset(EPISODE);
    await expect(simulate(finger("finger_lefd")).reset(EPISODE)).rejects.toThrow(
      'uses the geom "finger_lefd" as part of a finger',
    );
  });
});
