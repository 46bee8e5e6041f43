import { describe, expect, it } from "vitest";
import { episodeLine, runInfo } from "../../../test/support/cli.js";
import { dimensionsOf } from "./dimensions.js";

function named(task: string, config: object) {
  const info = runInfo({ config: { [`${task}_task`]: { type: task, config } } });
  return dimensionsOf(info, episodeLine({ task, task_type: task }));
}

describe("the components of an action", () => {
  it("the components of an action have the names of the robot joints", () => {
    const { dimensions, control_mode } = named("pick_place", {});
    expect(control_mode).toBe("joint_position");
    expect(dimensions.action).toContain("lift");
    expect(dimensions.action).toEqual(dimensions.qpos);
  });

  it("the components of an action have delta or end-effector names in those control modes", () => {
    const delta = named("pick_place", { robot_type: "panda", control_mode: "joint_delta" });
    expect(delta.dimensions.action).toEqual(delta.dimensions.qpos.map((name) => `Δ${name}`));
    const hand = named("pick_place", { control_mode: "ee_delta_pose" });
    expect(hand.dimensions.action).toEqual(["Δx", "Δy", "Δz", "Δrx", "Δry", "Δrz", "gripper"]);
    expect(hand.dimensions.qpos).toContain("lift");
  });

  it("the components of an action are velocities for a velocity-controlled robot, and discrete actions have none", () => {
    expect(named("vln", { action_space: "hybrid" }).dimensions.action).toEqual(["v", "ω"]);
    expect(named("vln", {})).toEqual({
      dimensions: { action: [], qpos: [] },
      control_mode: null,
    });
  });

  it("the components of an action have no names for a plugin task or robot", () => {
    expect(named("juggling", {}).dimensions.action).toEqual([]);
    expect(named("pick_place", { robot_type: "own" }).dimensions.action).toEqual([]);
  });
});
