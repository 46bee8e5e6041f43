import { describe, expect, it } from "vitest";
import { BaseEpisode, getTask } from "../../src/index.js";
import { MANIP_001, VLN_001 } from "../support/design-episodes.js";

// Chapter 13 of the design: what its examples print and create.
describe("example_load_task", () => {
  it("a VLN task is created from its settings", () => {
    const task = getTask("vln", { success_distance: 0.2, max_steps: 500 });
    expect(task.taskName).toBe("Vision-Language Navigation");
    expect(task.actionSpace.actions).toEqual(["stop", "move_forward", "turn_left", "turn_right"]);
    expect(task.sensorSuite.names()).toEqual(["rgb", "depth", "instruction", "gps", "compass"]);
  });

  it("a manipulation task is created from its settings", () => {
    const task = getTask("manipulation", { dof: 7, robot_type: "stretch", max_steps: 500 });
    expect(task.taskName).toBe("Robotic Manipulation");
    expect(task.actionSpace.name).toBe("continuous");
    expect(task.actionSpace.shape).toEqual([7]);
  });
});

describe("example_create_episode", () => {
  it("the VLN episode of the design can be created", () => {
    const episode = VLN_001;
    expect(episode.startState.position).toEqual([1.5, 0, 2.3]);
    expect(episode.goals.radius).toBe(0.2);
    // In the design's own to_dict the goal's position overwrites the start's.
    expect(episode.toDict()).toMatchObject({
      start_state: { position: [1.5, 0, 2.3] },
      goals: { position: [3, 1, 2.3] },
    });
  });

  it("the manipulation episode of the design can be created", () => {
    const episode = MANIP_001;
    expect(episode.startState.joint_positions).toHaveLength(7);
    expect(episode.goals.success_criteria).toEqual({ type: "grasp_and_lift", lift_height: 0.1 });
    expect(episode.taskConfig.robot_config).toEqual({ robot_type: "stretch", dof: 7 });
    expect(BaseEpisode.fromDict(episode.toDict())).toEqual(episode);
  });

  it("example_create_episode ends the manipulation episode when its own success criteria hold", () => {
    const goals = { success_criteria: { type: "grasp_and_lift", lift_height: 0.1 } };
    const task = getTask("pick_place", { goals });
    const done = { object_grasped: true, object_lifted: true, object_placed: true };
    expect(task.checkEpisodeComplete(done)).toBe(true);
    expect(task.checkEpisodeComplete({ ...done, object_placed: false })).toBe(false);
  });
});
