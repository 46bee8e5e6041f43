import { afterEach, describe, expect, it } from "vitest";
import { evaluate, onlyLine, tempDir, tinyWorld } from "../../../../test/support/tiny-world.js";
import { BaseEpisode, type EpisodeInit } from "../../../core/episode/base.js";
import { RobotEvalError } from "../../../core/errors.js";
import { SceneFolder } from "../../../dataset/scenes.js";
import { createRegistries } from "../../../registry/registries.js";
import { dofFrom, type JointDescriptor, type RobotDescriptor } from "../../../robots/descriptor.js";
import { PANDA } from "../../../robots/panda.js";
import { PickAndPlaceTask } from "../../../tasks/manipulation/pick-place.js";
import { boxObj, tetraStl, write } from "../foreign.fixture.js";
import { MujocoSimulator } from "../mujoco-simulator.js";

/**
 * A scene without a robot, with settings that must not affect the robot: degrees, slippery and heavy defaults, damped
 * joints, other solver settings, a keyframe that is too short for a robot.
 */
const KITCHEN = `<mujoco model="kitchen">
  <compiler angle="degree" assetdir="stuff"/>
  <option timestep="0.01" integrator="Euler" cone="pyramidal" gravity="0 0 -9.7"/>
  <default><geom friction="0.05 0.001 0.0001" density="4000" rgba="0.4 0.6 0.4 1"/><joint damping="500"/></default>
  <asset><mesh file="counter.obj"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 1"/>
    <body name="counter" pos="0.55 0 0.35"><geom type="mesh" mesh="counter"/></body>
    <body name="block" pos="0.5 -0.2 0.7301" euler="0 0 30">
      <freejoint/><geom type="box" size="0.02 0.02 0.03" friction="1 0.01 0.0001" density="800" condim="4"/>
    </body>
    <body name="pan" pos="0 0.8 1.5"><joint name="hang" type="ball"/><geom type="sphere" size="0.05" pos="0 0 -0.2"/></body>
  </worldbody>
  <keyframe><key name="home" qpos="0.5 -0.2 0.73 1 0 0 0 1 0 0 0"/></keyframe>
</mujoco>`;

const ON_COUNTER = 0.7;

function kitchen(folder: string, text = KITCHEN): void {
  write(folder, { "kitchen.xml": text, "stuff/counter.obj": boxObj(0.3, 0.6, 0.35) });
}

function episode(init: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: "e1",
    taskType: "pick_place",
    sceneId: "kitchen.xml",
    goals: {
      target_object: { name: "block" },
      target_location: { position: [0.5, 0.15, ON_COUNTER + 0.03] },
    },
    instruction: { text: "Move the block." },
    ...init,
  });
}

const open: MujocoSimulator[] = [];
afterEach(() => {
  for (const simulator of open.splice(0)) simulator.close();
});

function simulatorIn(folder: string, robot: RobotDescriptor): MujocoSimulator {
  const robots = { find: () => robot, list: () => [robot.robotType] };
  const task = new PickAndPlaceTask({ robot_type: robot.robotType }, { robots });
  const config = { sensors: { rgb_head: { width: 64, height: 48 } } };
  const simulator = new MujocoSimulator({ task, config, scenes: new SceneFolder(folder) });
  open.push(simulator);
  return simulator;
}

async function refusal(work: Promise<unknown>): Promise<RobotEvalError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RobotEvalError) return error;
  throw new Error("it was taken", { cause: error });
}

describe("a scene file without a robot", () => {
  async function run(given: BaseEpisode) {
    const scenes = tempDir();
    kitchen(scenes);
    const world = tinyWorld({
      episodes: [given],
      type: "pick_place",
      tasks: ["pick_place"],
      config: { profile: undefined, robot_type: "panda", metrics: ["manip_success"] },
      evaluation: { max_steps: 500 },
      sections: { simulator: { backend: "mujoco", scenes, sensors: {} } },
    });
    return onlyLine(await evaluate(world, "expert"));
  }

  it("a scene file without a robot lets the added robot pick and place an object of the file", async () => {
    expect((await run(episode())).explanation).toMatch(/^succeeded/);
  });

  it("a scene file without a robot contains the episode objects, and moves bodies of the file as it says", async () => {
    const line = await run(
      episode({
        goals: {
          target_object: { name: "can_red" },
          target_location: { position: [0.5, 0.2, ON_COUNTER + 0.05] },
        },
        taskConfig: {
          scene_objects: [
            // A millimetre above: MuJoCo sometimes reports exact contact with a mesh as deep penetration.
            {
              name: "can_red",
              position: [0.55, -0.1, ON_COUNTER + 0.051],
              size: [0.05, 0.05, 0.1],
            },
            { name: "block", position: [0.35, 0.4, 0.731], yaw: 1 },
          ],
        },
      }),
    );
    expect(line.explanation).toMatch(/^succeeded/);
  });

  it("a scene file without a robot does not affect the robot, which moves as in an empty room", async () => {
    const folder = tempDir();
    kitchen(folder);
    const block = { table: null, scene_objects: [{ name: "block", position: [2, 2] }] };
    const [inKitchen, alone] = [simulatorIn(folder, PANDA), simulatorIn(folder, PANDA)];
    await inKitchen.reset(episode());
    await alone.reset(episode({ sceneId: "room", taskConfig: block }));
    const action = (PANDA.model?.home ?? []).map((x, i) => (i === 0 ? x + 0.3 : x));
    for (let i = 0; i < 20; i++) {
      const [a, b] = [inKitchen.step(action), alone.step(action)];
      for (const [dof, value] of (a.state.qpos ?? []).entries()) {
        expect(value).toBeCloseTo(b.state.qpos?.[dof] ?? Number.NaN, 3);
      }
    }
  });

  it("a scene file without a robot must not share names with the robot, and the error says who uses them", async () => {
    const folder = tempDir();
    kitchen(folder, KITCHEN.replace("<worldbody>", '<worldbody><camera name="head"/>'));
    const error = await refusal(simulatorIn(folder, PANDA).reset(episode()));
    expect(error.code).toBe("name_clash");
    expect(error.message).toMatch(/kitchen\.xml and the robot panda both have a camera "head"/);
  });

  it("a scene file without a robot requires z for added objects, because the height of its ground is unknown", async () => {
    const folder = tempDir();
    kitchen(folder);
    const taskConfig = { scene_objects: [{ name: "can_red", position: [0.55, -0.1] }] };
    const error = await refusal(simulatorIn(folder, PANDA).reset(episode({ taskConfig })));
    expect(error.hint).toBe("give [x, y, z] of its centre");
  });
});

const JOINTS: readonly JointDescriptor[] = [
  { name: "yaw", unit: "rad", limits: [-2, 2] },
  { name: "out", unit: "m", limits: [0, 0.4] },
  { name: "left", unit: "m", limits: [0, 0.03] },
];

/** A robot whose model is a file with a mesh. */
const poker = (file: string | URL): RobotDescriptor => ({
  robotType: "poker",
  description: "turns and pokes",
  joints: JOINTS,
  dofs: JOINTS.map((joint) => dofFrom(joint.name, [joint])),
  gripperDof: 2,
  model: {
    mjcf: { file },
    actuators: ["yaw_servo", "out_servo", "grip_servo"],
    home: [0, 0.1, 0.03],
    endEffectorSite: "tip",
    gripper: { open: 0.03, closed: 0, fingers: [["l"], ["r"]], openingM: 0.06 },
    cameras: { head: "eye" },
  },
});

const POKER = `<mujoco>
  <compiler meshdir="skin"/>
  <default><geom rgba="0.8 0.2 0.6 1" density="200"/><joint damping="5" armature="0.1"/></default>
  <asset><mesh name="hull" file="hull.stl"/></asset>
  <worldbody>
    <body name="stand">
      <geom type="mesh" mesh="hull" contype="0" conaffinity="0"/>
      <camera name="eye" pos="0 0 1.2" xyaxes="0 -1 0 0.7 0 0.7"/>
      <body name="arm" pos="0 0 0.9">
        <joint name="yaw" axis="0 0 1" range="-115 115"/><geom type="box" size="0.1 0.02 0.02"/>
        <body name="rod" pos="0.1 0 0">
          <joint name="out" type="slide" axis="1 0 0" range="0 0.4"/><geom type="box" size="0.1 0.01 0.01"/>
          <site name="tip" pos="0.15 0 0"/>
          <body pos="0.15 0.03 0"><joint name="left" type="slide" axis="0 1 0" range="0 0.03" ref="0.03"/><geom name="l" type="box" size="0.02 0.005 0.01"/></body>
          <body pos="0.15 -0.03 0"><joint name="right" type="slide" axis="0 -1 0" range="-0.03 0"/><geom name="r" type="box" size="0.02 0.005 0.01"/></body>
        </body>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="right" joint2="left"/></equality>
  <actuator>
    <position name="yaw_servo" joint="yaw" kp="100"/><position name="out_servo" joint="out" kp="200"/>
    <position name="grip_servo" joint="left" kp="200"/>
  </actuator>
  <keyframe><key name="home"/></keyframe>
</mujoco>`;

describe("a robot whose model is a file", () => {
  function written(): URL {
    const folder = tempDir();
    write(folder, { "poker.xml": POKER, "skin/hull.stl": tetraStl(0.3) });
    return new URL(`file://${folder}/poker.xml`);
  }

  it("a robot whose model is a file runs in generated worlds, at its base pose", async () => {
    const simulator = simulatorIn(tempDir(), poker(written()));
    const { state, observation } = await simulator.reset(
      episode({
        sceneId: "tabletop",
        startState: { base_pose: [1, 2, Math.PI / 2] },
        goals: { target_object: { name: "cup_red" }, target_location: { position: [1, 2.6, 0.8] } },
      }),
    );
    // 0.1 of the arm, 0.1 extended and 0.15 to the tip, rotated to +y.
    const [x = 0, y = 0, z = 0] = state.ee_pose ?? [];
    expect([x, y, z].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([1, 2.35, 0.9]);
    expect(Object.keys(observation)).toContain("rgb_head");
    let frame = simulator.step([0.5, 0.3, 0.01]);
    for (let i = 0; i < 60; i++) frame = simulator.step([0.5, 0.3, 0.01]);
    const qpos = frame.state.qpos ?? [];
    expect(qpos[0]).toBeCloseTo(0.5, 1);
    expect(qpos[1]).toBeCloseTo(0.3, 1);
  });

  it("a robot whose model is a file runs in a user scene", async () => {
    const folder = tempDir();
    kitchen(folder);
    const simulator = simulatorIn(folder, poker(written()));
    const { state } = await simulator.reset(episode({ startState: { base_pose: [-0.5, 0, 0] } }));
    expect(state.ee_pose?.[0]).toBeCloseTo(-0.15, 6);
    expect(state.objects?.block?.position[2]).toBeCloseTo(0.7301, 6);
    expect(simulator.step([0, 0.2, 0.03]).state.error).toBeUndefined();
  });

  it("a robot whose model is a file rejects a relative path, and suggests a URL relative to the module", async () => {
    const error = await refusal(
      simulatorIn(tempDir(), poker("./poker.xml")).reset(episode({ sceneId: "tabletop" })),
    );
    expect(error.code).toBe("bad_robot");
    expect(error.hint).toContain("import.meta.url");
  });

  it("a robot whose model is a file can be registered, and is then valid in task configs", () => {
    const { robots, tasks } = createRegistries();
    robots.register("poker", poker("/poker.xml"));
    expect(tasks.get("pick_place", { robot_type: "poker" }).actionSpace.shape).toEqual([3]);
    expect(tasks.configSchema("pick_place")?.safeParse({ robot_type: "poker" }).success).toBe(true);
    expect(tasks.configSchema("pick_place")?.safeParse({ robot_type: "pokr" }).success).toBe(false);
  });
});
