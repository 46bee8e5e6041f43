import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BaseEpisode, getTask } from "../../src/index.js";
import { STRETCH } from "../../src/robots/stretch.js";
import { MujocoSimulator } from "../../src/simulator/manipulation/mujoco-simulator.js";

const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const EPISODE = new BaseEpisode({
  episodeId: "1",
  taskType: "pick_place",
  sceneId: "table",
  goals: { target_object: { name: "cup" }, target_location: { position: [0.5, -0.6, 0.8] } },
  taskConfig: {
    scene_objects: [
      { name: "cup", shape: "box", size: [0.04, 0.04, 0.08], position: [0, -0.7], mass: 0.1 },
    ],
  },
});

// Chapters 5.1 (`gripper_state: {dim: 1}`), 10.1 and 11.6 (the finger joint moves from 0.0 to 0.04 m).
describe("gripper_state", () => {
  it("gripper_state is one number from 0 (closed) to 1 (open) in the sensor suite", () => {
    const { sensorSuite } = getTask("pick_place", { robot_type: "stretch" });
    expect(sensorSuite.get("gripper_state")).toEqual({ dim: 1, range: [0, 1] });
  });

  it("gripper_state is the share of the finger joint range, the same in observations and step records", async () => {
    const task = getTask("pick_place", { robot_type: "stretch" });
    const simulator = new MujocoSimulator({ task, config: { sensors: { gripper_state: {} } } });
    const target = STRETCH.model?.home.slice() ?? [];
    let frame = await simulator.reset(EPISODE);
    for (const [metres, share] of [
      [0.04, 1],
      [0.01, 0.25],
      [0, 0],
    ] as const) {
      target[STRETCH.gripperDof] = metres;
      for (let i = 0; i < 20; i++) frame = await simulator.step(target);
      const { state, observation } = frame;
      expect(observation.gripper_state).toEqual([state.gripper_state]);
      expect(state.gripper_state).toBeCloseTo((state.qpos?.[STRETCH.gripperDof] ?? 0) / 0.04, 9);
      expect(state.gripper_state).toBeCloseTo(share, 1);
    }
    simulator.close();
  });

  it.each([
    "docs/manipulation.md",
    "docs/protocol.md",
    "docs/run-directory.md",
    "docs/bridge.md",
    "python/README.md",
  ])("gripper_state is defined in the same words in %s", (path) => {
    expect(page(path)).toMatch(/`gripper(_state)?`[^.\n]*0 \(closed\) to 1 \(open\)/);
  });
});
