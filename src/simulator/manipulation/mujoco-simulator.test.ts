import { afterEach, describe, expect, it } from "vitest";
import { doing, evaluate, onlyLine, tinyWorld } from "../../../test/support/tiny-world.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { ProtocolError } from "../../core/errors.js";
import type { SimulatorFrame } from "../../core/interfaces/simulator.js";
import { STRETCH } from "../../robots/stretch.js";
import { PickAndPlaceTask } from "../../tasks/manipulation/pick-place.js";
import { MujocoSimulator } from "./mujoco-simulator.js";

const START = [0, 0, 0, 0.9, 0.1, 0, 0.04];
const BOX = { name: "box", shape: "box", size: [0.05, 0.05, 0.08], position: [0, -0.8, 0.741] };
const CONFIG = {
  table: { position: [0, -0.85, 0.7], size: [1.2, 0.6, 0.04] },
  scene_objects: [{ ...BOX, mass: 0.2 }],
};

function episode(init: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: "e1",
    taskType: "pick_place",
    sceneId: "tabletop",
    startState: { base_pose: [0, 0, 0], joint_positions: START },
    goals: {
      target_object: { name: "box" },
      target_location: { position: [0.3, -0.8, 0.741] },
      success_criteria: { type: "grasp_and_lift", lift_height: 0.1, place_tolerance: 0.05 },
    },
    instruction: { text: "Pick up the box." },
    taskConfig: CONFIG,
    ...init,
  });
}

const open: MujocoSimulator[] = [];
afterEach(() => {
  for (const simulator of open.splice(0)) simulator.close();
});

function simulatorWith(
  sensors: Readonly<Record<string, object>> = {},
  task: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
): MujocoSimulator {
  const simulator = new MujocoSimulator({
    task: new PickAndPlaceTask({ robot_type: "stretch", ...task }),
    config: { sensors, ...config },
  });
  open.push(simulator);
  return simulator;
}

/** Moves every degree of freedom back and forth, with the hand among the objects. */
const swing = (step: number) =>
  START.map((value, dof) => value + 0.05 * Math.sin(0.3 * step * (1 + 0.2 * dof)));

async function states(simulator: MujocoSimulator, steps = 30): Promise<string[]> {
  const all = [JSON.stringify((await simulator.reset(episode())).state)];
  for (let i = 0; i < steps; i++) all.push(JSON.stringify(simulator.step(swing(i)).state));
  return all;
}

/** Joint limits are soft in MuJoCo: metres or radians beyond them under load. */
const SLACK = 0.01;

function hand({ state }: SimulatorFrame): readonly number[] {
  return state.ee_pose ?? [];
}

function repeated(simulator: MujocoSimulator, action: readonly number[], times: number) {
  let frame = simulator.step(action);
  for (let i = 1; i < times; i++) frame = simulator.step(action);
  return frame;
}

describe("a reset", () => {
  it.each([
    [{ ids: "geom" }, "no_geom_ids"],
    [{ geom_groups: [0] }, "no_visible_groups"],
    [{ site_groups: [] }, "no_visible_groups"],
  ])("a generated scene rejects a camera with %j", async (own, code) => {
    const simulator = simulatorWith({ semantic_head: own });
    await expect(simulator.reset(episode())).rejects.toMatchObject({ code });
  });

  it("a reset places the robot and the objects as the episode says", async () => {
    const { state, timeS } = await simulatorWith().reset(episode());
    expect(timeS).toBe(0);
    for (const [i, value] of START.entries()) expect(state.qpos?.[i]).toBeCloseTo(value, 12);
    expect(state.qvel).toEqual(START.map(() => 0));
    const { position = [], rotation_wxyz } = state.objects?.box ?? {};
    expect(position[0]).toBeCloseTo(0, 9);
    expect(position[1]).toBeCloseTo(-0.8, 9);
    expect(rotation_wxyz).toEqual([1, 0, 0, 0]);
    expect(state.error).toBeUndefined();
    // The rule decides success, not the simulator.
    expect(state).not.toHaveProperty("success");
  });

  it("a reset does not depend on the previous episode", async () => {
    const simulator = simulatorWith();
    const fresh = await states(simulator);
    await simulator.reset(episode({ taskConfig: { ...CONFIG, randomization: { level: 3 } } }));
    repeated(simulator, swing(5), 20);
    expect(await states(simulator)).toEqual(fresh);
  });
});

describe("a perturbed world", () => {
  it("a perturbed world tells the policy where its objects and joints are, instead of what the episode says", async () => {
    const simulator = simulatorWith();
    const axes = { object_pose: { value: 0.05 }, robot_start: { value: 0.05 } };
    const { state } = await simulator.reset(
      episode({ taskConfig: { ...CONFIG, randomization: { axes } } }),
    );
    const { scene_objects = [], start_state } = simulator.perturbed ?? {};
    expect(start_state?.joint_positions).not.toEqual(START);
    const objects = state.objects as Record<string, { position: readonly number[] }>;
    for (const { name, position } of scene_objects) {
      const [x, y] = position as number[];
      expect(objects[String(name)]?.position[0]).toBeCloseTo(x ?? 0, 6);
      expect(objects[String(name)]?.position[1]).toBeCloseTo(y ?? 0, 6);
    }
    expect(scene_objects.map(({ name }) => name)).toEqual(Object.keys(objects));
    await simulator.reset(episode({ taskConfig: { ...CONFIG, randomization: { level: 3 } } }));
    expect(simulator.perturbed).toBeUndefined();
  });
});

describe("the same actions", () => {
  it("the same actions give the same states to the bit, repeatedly and in another simulator", async () => {
    const simulator = simulatorWith();
    const once = await states(simulator);
    expect(new Set(once).size).toBe(once.length);
    expect(await states(simulator)).toEqual(once);
    expect(await states(simulatorWith())).toEqual(once);
  });
});

describe("an action", () => {
  it.each([
    [[0, 0], "an action of this task has 7 numbers, got 2"],
    [[0, 0, Number.NaN, 0, 0, 0, 0], "action[2] is NaN, not a finite number"],
    [[0, 0, 0, 0, 0, 0, Number.POSITIVE_INFINITY], "action[6] is Infinity, not a finite number"],
    ["jump", '"jump" is not an action of this task'],
  ])("an action is rejected if it is invalid: %j", async (raw, text) => {
    const simulator = simulatorWith();
    await simulator.reset(episode());
    expect(() => simulator.actionSpace.parse(raw)).toThrow(ProtocolError);
    expect(() => simulator.actionSpace.parse(raw)).toThrow(text);
    if (typeof raw !== "string") expect(() => simulator.step(raw)).toThrow(text);
  });

  it.each([
    ["beyond", 1],
    ["below", -1],
  ])(
    "an action %s the joint limits moves the joints to their limits and no further",
    async (_, sign) => {
      const simulator = simulatorWith();
      const clear = { ...CONFIG, table: { position: [0, -2, 0.7], size: [1.2, 0.6, 0.04] } };
      const things = { ...clear, scene_objects: [{ ...BOX, position: [0, -2, 0.741] }] };
      await simulator.reset(episode({ taskConfig: things }));
      const { state } = repeated(
        simulator,
        START.map(() => sign * 100),
        200,
      );
      for (const [i, { name, limits }] of STRETCH.dofs.entries()) {
        const at = state.qpos?.[i] ?? Number.NaN;
        expect(at, name).toBeGreaterThan(limits[0] - SLACK);
        expect(at, name).toBeLessThan(limits[1] + SLACK);
      }
    },
  );

  it.each([
    ["joint_position", [0, 0, 0, 1.09, 0.1, 0, 0.04]],
    ["joint_delta", [0, 0, 0, 0.05, 0, 0, 0]],
    ["ee_delta_pose", [0, 0, 0.05, 0, 0, 0, 1]],
  ])(
    "an action stays within the joint limits of the task, narrower than those of the robot: %s",
    async (mode, action) => {
      const limits = { lift: [0.8, 0.95] };
      const simulator = simulatorWith({}, { joint_limits: limits, control_mode: mode });
      await simulator.reset(episode());
      const { state } = repeated(simulator, action, 60);
      expect(state.qpos?.[3]).toBeCloseTo(0.95, 2);
    },
  );

  it("an action takes 50 ms of simulated time, with the episode time step", async () => {
    const simulator = simulatorWith();
    const ends = [];
    for (const simParams of [{}, { time_step: 0.001 }]) {
      await simulator.reset(episode({ simParams }));
      expect(simulator.step(START).timeS).toBeCloseTo(0.05, 9);
      const frame = repeated(simulator, swing(3), 9);
      expect(frame.timeS).toBeCloseTo(0.5, 9);
      ends.push(frame.state.qpos?.[3] ?? Number.NaN);
    }
    // Shorter steps give nearly the same motion, but not the same bits.
    expect(ends[0]).not.toBe(ends[1]);
    expect(ends[0]).toBeCloseTo(ends[1] ?? Number.NaN, 2);
  });

  it("an action named stop lets time pass without changing targets", async () => {
    const simulator = simulatorWith();
    await simulator.reset(episode());
    const { state, timeS } = simulator.step("stop");
    expect(timeS).toBeCloseTo(0.05, 9);
    for (const [i, value] of START.entries()) expect(state.qpos?.[i]).toBeCloseTo(value, 2);
  });
});

describe("the control mode", () => {
  it("joint_delta adds to a joint target", async () => {
    const simulator = simulatorWith({}, { control_mode: "joint_delta" });
    const before = hand(await simulator.reset(episode()));
    const [low, high] = simulator.actionSpace.limits(3) ?? [];
    expect(low).toBeCloseTo(-(high ?? 0), 12);
    repeated(simulator, [0, 0, 0, 0.01, 0, 0, 0], 10);
    const frame = repeated(simulator, [0, 0, 0, 0, 0, 0, 0], 30);
    expect(frame.state.qpos?.[3]).toBeCloseTo(1, 2);
    expect((hand(frame)[2] ?? 0) - (before[2] ?? 0)).toBeCloseTo(0.1, 2);
  });

  it.each([
    ["x", 0],
    ["y", 1],
    ["z", 2],
  ])("ee_delta_pose moves the hand along the %s axis of the world", async (_, axis) => {
    const simulator = simulatorWith({}, { control_mode: "ee_delta_pose" });
    const before = hand(await simulator.reset(episode()));
    const still = [0, 0, 0, 0, 0, 0, 1];
    expect(simulator.actionSpace.size).toBe(7);
    const move = still.map((value, i) => (i === axis ? 0.01 : value));
    repeated(simulator, move, 10);
    const after = hand(repeated(simulator, still, 20));
    const moved = [0, 1, 2].map((i) => (after[i] ?? 0) - (before[i] ?? 0));
    const across = moved.filter((_, i) => i !== axis).map(Math.abs);
    expect(moved[axis]).toBeGreaterThan(0.03);
    expect(Math.max(...across)).toBeLessThan(0.01);
  });

  it("ee_delta_pose opens and closes the gripper", async () => {
    const simulator = simulatorWith({}, { control_mode: "ee_delta_pose" });
    await simulator.reset(episode());
    const shut = repeated(simulator, [0, 0, 0, 0, 0, 0, 0], 30);
    expect(shut.state.gripper_state).toBeLessThan(0.05);
    const wide = repeated(simulator, [0, 0, 0, 0, 0, 0, 1], 30);
    expect(wide.state.gripper_state).toBeGreaterThan(0.95);
  });
});

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

describe("an observation", () => {
  it("an observation has exactly the sensors that the benchmark lists", async () => {
    const { observation } = await simulatorWith({ qpos: {}, instruction: {} }).reset(episode());
    expect(Object.keys(observation).sort()).toEqual(["instruction", "qpos"]);
    expect(observation.instruction).toEqual({ text: "Pick up the box." });
    const asked = simulatorWith({ qpos: {}, object_poses: {} });
    expect((await asked.reset(episode())).observation.object_poses).toHaveProperty("box.position");
    expect(simulatorWith({ qpos: {}, sonar: {} }).missingSensors).toEqual(["sonar"]);
  });

  it("an observation has no true object poses by default", async () => {
    const task = new PickAndPlaceTask({ robot_type: "stretch" });
    const simulator = new MujocoSimulator({ task, config: {} });
    open.push(simulator);
    const names = Object.keys((await simulator.reset(episode())).observation).sort();
    expect(names).toEqual(Object.keys(task.sensorSuite.sensors).sort());
    expect(names).not.toContain("object_poses");
  });

  it("an observation has the end effector pose as x, y, z and a quaternion w, x, y, z", async () => {
    const simulator = simulatorWith({ ee_pose: {} });
    const { observation } = await simulator.reset(episode());
    const pose = observation.ee_pose as number[];
    expect(pose).toHaveLength(7);
    expect(Math.hypot(...pose.slice(3))).toBeCloseTo(1, 9);
    const truth = simulator.manipulation?.endEffector();
    expect(pose).toEqual([...(truth?.position ?? []), ...(truth?.rotation_wxyz ?? [])]);
  });

  it("an observation has images of 640x480 (head) and 320x240 (wrist) by default", async () => {
    const sensors = { rgb_head: {}, rgb_wrist: {}, depth_head: { width: 32, height: 24 } };
    const { observation } = await simulatorWith(sensors).reset(episode());
    const sizes = Object.keys(sensors).map((name) => {
      const { width, height, data } = observation[name] as Picture;
      return [width, height, data.length];
    });
    expect(sizes).toEqual([
      [640, 480, 640 * 480 * 3],
      [320, 240, 320 * 240 * 3],
      [32, 24, 32 * 24],
    ]);
  });

  it("an observation shows the world at its step even if images are read later", async () => {
    const look = (frame: SimulatorFrame) => (frame.observation.rgb_wrist as Picture).data;
    const sensors = { rgb_wrist: { width: 64, height: 48 } };
    const simulator = simulatorWith(sensors);
    const first = await simulator.reset(episode());
    const later = repeated(simulator, swing(9), 10);
    const late = look(first);
    const prompt = look(await simulatorWith(sensors).reset(episode()));
    expect(late).toEqual(prompt);
    expect(look(later)).not.toEqual(late);
  });
});

describe("MujocoSimulator", () => {
  it("MujocoSimulator throws after close() and can be reset again", async () => {
    const simulator = simulatorWith();
    await simulator.reset(episode());
    simulator.close();
    expect(() => simulator.step(START)).toThrow("call reset() first");
    expect(simulator.manipulation).toBeUndefined();
    simulator.close();
    expect((await simulator.reset(episode())).timeS).toBe(0);
  });
});

describe("physics that diverges", () => {
  /** Steps of one day: the box falls through the table and beyond MuJoCo's limit of 1e10 m. */
  const wild = { simParams: { time_step: 86_400 } };
  const daily = { control_hz: 1 / 86_400 };

  it("physics that diverges is reported in the state", async () => {
    const simulator = simulatorWith({}, {}, daily);
    let { state } = await simulator.reset(episode(wild));
    for (let i = 0; i < 20 && state.error === undefined; i++)
      ({ state } = simulator.step(swing(i)));
    expect(state.error).toMatch(/^the physics diverged: /);
  });

  it("physics that diverges is also detected by objects below the floor", async () => {
    const simulator = simulatorWith({}, {}, { control_hz: 1 });
    let { state } = await simulator.reset(episode({ simParams: { time_step: 1 } }));
    for (let i = 0; i < 20 && state.error === undefined; i++)
      ({ state } = simulator.step(swing(i)));
    expect(state.error).toContain("fell through the floor");
  });

  it("physics that diverges makes the episode invalid instead of failed", async () => {
    const world = tinyWorld({
      episodes: [episode(wild)],
      type: "pick_place",
      tasks: ["pick_place"],
      config: { profile: undefined, robot_type: "stretch", metrics: ["manip_success"] },
      evaluation: { max_steps: 20 },
      sections: { simulator: { backend: "mujoco", sensors: {}, ...daily } },
    });
    const line = onlyLine(
      await evaluate(
        world,
        doing((step) => swing(step)),
      ),
    );
    expect(line).toMatchObject({ outcome: "invalid", end_reason: "error" });
    expect(line.explanation).toContain("the physics diverged");
  });
});
