import { afterEach, describe, expect, it } from "vitest";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import type { Action } from "../../core/interfaces/action.js";
import type { SimulatorFrame } from "../../core/interfaces/simulator.js";
import { PickAndPlaceTask } from "../../tasks/manipulation/pick-place.js";
import { MujocoSimulator } from "./mujoco-simulator.js";

/** Arm drawn in and hand high, so that only the base can hit the table. */
const TUCKED = [0.9, 0, 0, 0, 0.04, 0, -0.4];
const TABLE = { position: [2, 0, 0.7], size: [0.8, 1.6, 0.04] };
const BOX = { name: "box", shape: "box", size: [0.04, 0.05, 0.08], position: [2, 0] };

function episode(init: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: "e1",
    taskType: "pick_place",
    sceneId: "tabletop",
    startState: { base_pose: [0, 0, 0], joint_positions: TUCKED },
    goals: { target_object: { name: "box" }, target_location: { position: [2, 0.3, 0.74] } },
    instruction: { text: "Move the box." },
    taskConfig: { table: TABLE, scene_objects: [{ ...BOX, mass: 0.1 }] },
    ...init,
  });
}

const open: MujocoSimulator[] = [];
afterEach(() => {
  for (const simulator of open.splice(0)) simulator.close();
});

function simulatorWith(
  task: Readonly<Record<string, unknown>> = {},
  sensors: Readonly<Record<string, object>> = {},
): MujocoSimulator {
  const simulator = new MujocoSimulator({
    task: new PickAndPlaceTask({ robot_type: "stretch_mobile", ...task }),
    config: { sensors },
  });
  open.push(simulator);
  return simulator;
}

type Pose = readonly [x: number, y: number, theta: number];

function poseOf({ state }: SimulatorFrame): Pose {
  return state.base_pose ?? [Number.NaN, Number.NaN, Number.NaN];
}

/** All control steps of one action. */
function perform(simulator: MujocoSimulator, action: Action): SimulatorFrame[] {
  const frames: SimulatorFrame[] = [];
  do frames.push(simulator.step(action));
  while (frames.at(-1)?.inProgress && frames.length < 500);
  return frames;
}

function result(simulator: MujocoSimulator, action: Action): SimulatorFrame {
  const last = perform(simulator, action).at(-1);
  if (!last) throw new Error("no frame");
  return last;
}

const DT_S = 0.05;

describe("a named action of a base that drives", () => {
  it("a named action drives the base 0.25 m ahead along the heading, within speed and acceleration, and never sideways", async () => {
    const simulator = simulatorWith();
    const start: Pose = [0.1, -0.2, 2.4];
    const first = await simulator.reset(episode({ startState: { base_pose: [...start] } }));
    expect(poseOf(first)).toEqual(start);
    const frames = [first, ...perform(simulator, "move_forward")];
    let before = 0;
    for (const [i, frame] of frames.slice(1).entries()) {
      const [x, y] = poseOf(frame);
      const [px, py] = poseOf(frames[i] ?? frame);
      const speed = Math.hypot(x - px, y - py) / DT_S;
      expect(speed).toBeLessThan(0.301);
      expect(speed - before).toBeLessThan(0.3 * DT_S + 0.003);
      before = speed;
      const side = (y - start[1]) * Math.cos(start[2]) - (x - start[0]) * Math.sin(start[2]);
      expect(Math.abs(side)).toBeLessThan(5e-4);
    }
    const [x, y, theta] = poseOf(frames.at(-1) ?? first);
    expect(x).toBeCloseTo(start[0] + 0.25 * Math.cos(start[2]), 2);
    expect(y).toBeCloseTo(start[1] + 0.25 * Math.sin(start[2]), 2);
    expect(Math.hypot(x - start[0], y - start[1])).toBeCloseTo(0.25, 2.5);
    expect(theta).toBeCloseTo(start[2], 2);
    // 2 sqrt(d / a) = 1.83 s.
    expect(frames.length - 1).toBeGreaterThanOrEqual(37);
    expect(frames.length - 1).toBeLessThan(46);
  });

  it.each([
    ["turn_left", 30],
    ["turn_right", -30],
  ])("%s turns by %d degrees on the spot", async (name, degrees) => {
    const simulator = simulatorWith();
    await simulator.reset(episode());
    const [x, y, theta] = poseOf(result(simulator, name));
    expect((theta * 180) / Math.PI).toBeCloseTo(degrees, 0);
    expect(Math.hypot(x, y)).toBeLessThan(2e-3);
  });

  it("a named action of a base that drives takes its length and angle from the task", async () => {
    const simulator = simulatorWith({ forward_step: 0.1, turn_angle: 90 });
    await simulator.reset(episode());
    const [, , theta] = poseOf(result(simulator, "turn_left"));
    expect((theta * 180) / Math.PI).toBeCloseTo(90, 0);
    const [, y] = poseOf(result(simulator, "move_backward"));
    expect(y).toBeCloseTo(-0.1, 2);
  });

  it("a named action of a base that drives ends early when the robot touches something fixed, and can then drive away from it", async () => {
    const simulator = simulatorWith({ forward_step: 3 });
    await simulator.reset(episode());
    const hit = result(simulator, "move_forward");
    // The table's edge is at 1.6 m and its legs are 3 cm inside.
    expect(hit.state.collided).toBe(true);
    const [x] = poseOf(hit);
    expect(x).toBeGreaterThan(1.3);
    expect(x).toBeLessThan(1.65);
    const again = perform(simulator, "move_forward");
    expect(again.length).toBeLessThan(20);
    const [stuck] = poseOf(again.at(-1) ?? hit);
    expect(stuck - x).toBeLessThan(0.01);
    const back = result(simulator, "move_backward");
    expect(back.state.collided).toBe(false);
    expect(poseOf(back)[0]).toBeCloseTo(stuck - 3, 2);
  });
});

describe("the velocity of a base that drives", () => {
  it("the velocity of a base that drives is the end of the action vector, within the speed of the wheels, without sliding sideways", async () => {
    const simulator = simulatorWith({ base_velocity: true });
    await simulator.reset(episode({ startState: { base_pose: [0, -3, 0] } }));
    expect(simulator.actionSpace.size).toBe(9);
    let frame: SimulatorFrame | undefined;
    let last: Pose = [0, -3, 0];
    for (let i = 0; i < 60; i++) {
      frame = simulator.step([...TUCKED, 5, 1]);
      const now = poseOf(frame);
      const middle = (now[2] + last[2]) / 2;
      const [dx, dy] = [now[0] - last[0], now[1] - last[1]];
      const side = dy * Math.cos(middle) - dx * Math.sin(middle);
      expect(Math.hypot(dx, dy) / DT_S).toBeLessThan(0.301);
      expect(Math.abs(side)).toBeLessThan(5e-4);
      last = now;
    }
    expect(last[2]).toBeGreaterThan(0.5);
    for (let i = 0; i < 25; i++) simulator.step(TUCKED.concat(0, 0));
    const rest = poseOf(simulator.step(TUCKED.concat(0, 0)));
    const later = poseOf(simulator.step(TUCKED.concat(0, 0)));
    for (const i of [0, 1, 2]) expect(later[i]).toBeCloseTo(rest[i] ?? 0, 4);
  });
});

describe("an object in the hand of a robot that drives", () => {
  /** Fingers open around a box on a table to the right, then closed, lifted and driven ahead. */
  async function carry(friction: number) {
    const simulator = simulatorWith({ forward_step: 0.1 }, { held_object: {}, ee_pose: {} });
    const grasp = [0.6325, 0.3, 0, 0, 0.04, 0, -0.4];
    const start = await simulator.reset(
      episode({
        startState: { base_pose: [0, 0, 0], joint_positions: grasp },
        taskConfig: {
          table: { position: [0, -0.75, 0.7], size: [0.6, 1.2, 0.04], yaw: Math.PI / 2 },
          scene_objects: [
            { ...BOX, size: [0.05, 0.05, 0.1], position: [-0.0214, -0.675], friction },
          ],
          physics: { finger_friction: friction },
        },
      }),
    );
    const hold = (action: readonly number[], steps: number) => {
      let frame = simulator.step(action);
      for (let i = 1; i < steps; i++) frame = simulator.step(action);
      return frame;
    };
    const closed = grasp.with(4, 0);
    hold(closed, 20);
    hold(closed.with(0, 0.75), 30);
    const driven = result(simulator, "move_forward");
    const heightOf = ({ state }: SimulatorFrame) => state.objects?.box?.position[2] ?? 0;
    const hand = driven.state.ee_pose ?? [];
    const [x = 0, y = 0] = driven.state.objects?.box?.position ?? [];
    return {
      before: start.observation.held_object,
      held: driven.observation.held_object,
      liftedM: heightOf(driven) - heightOf(start),
      offM: Math.hypot(x - (hand[0] ?? 0), y - (hand[1] ?? 0)),
    };
  }

  it("an object in the hand of a robot that drives is held by friction while the base drives", async () => {
    const { before, held, liftedM, offM } = await carry(1);
    expect(before).toEqual([0]);
    expect(held).toEqual([1]);
    expect(liftedM).toBeGreaterThan(0.1);
    expect(offM).toBeLessThan(0.01);
  });

  it("an object in the hand of a robot that drives is left behind where there is next to no friction", async () => {
    const { held, liftedM } = await carry(0.02);
    expect(held).toEqual([0]);
    expect(liftedM).toBeLessThan(0.01);
  });
});
