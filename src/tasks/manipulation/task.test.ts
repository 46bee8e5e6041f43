import { describe, expect, it } from "vitest";
import type { EpisodeEnd } from "../../core/task/base.js";
import { STRETCH } from "../../robots/stretch.js";
import { manipulationConfig } from "./config.js";
import { OpeningTask } from "./opening.js";
import { PickAndPlaceTask } from "./pick-place.js";
import { StackingTask } from "./stacking.js";
import { ManipulationTask } from "./task.js";

describe("the action space of manipulation", () => {
  it("the action space of manipulation is a vector of the degrees of freedom of the robot, within their limits", () => {
    const { actionSpace } = new ManipulationTask();
    expect(actionSpace.name).toBe("continuous");
    expect(actionSpace.shape).toEqual([7]);
    expect(STRETCH.dofs.map((_, i) => actionSpace.limits(i))).toEqual(
      STRETCH.dofs.map((dof) => dof.limits),
    );
  });

  it.each([PickAndPlaceTask, StackingTask, OpeningTask])(
    "the action space of manipulation has the action stop beside the vector: %o",
    (Task) => {
      const { actionSpace } = new Task();
      expect(actionSpace.name).toBe("hybrid");
      expect(actionSpace.actions).toEqual(["stop"]);
      expect(actionSpace.shape).toEqual([7]);
    },
  );

  it("the action space of manipulation is narrowed by action_space: continuous, and widened by hybrid", () => {
    const narrow = new PickAndPlaceTask({ action_space: "continuous" }).actionSpace;
    expect(narrow.name).toBe("continuous");
    expect(narrow.actions).toBeUndefined();
    expect(() => narrow.parse("stop")).toThrow();
    expect(new ManipulationTask({ action_space: "hybrid" }).actionSpace.parse("stop")).toBe("stop");
  });

  it("the action space of manipulation has the narrower base limits of Stretch RE1", () => {
    const { actionSpace } = new PickAndPlaceTask({ robot_type: "stretch_re1" });
    expect(actionSpace.limits(0)).toEqual([-0.3, 0.3]);
  });

  it("the action space of manipulation has the limits of the config, in order or by name", () => {
    const all = STRETCH.dofs.map(() => [-0.1, 0.1] as const);
    expect(new PickAndPlaceTask({ joint_limits: all }).actionSpace.limits(6)).toEqual([-0.1, 0.1]);
    const named = new PickAndPlaceTask({ joint_limits: { lift: [0.2, 0.3] } }).actionSpace;
    expect(named.limits(3)).toEqual([0.2, 0.3]);
    expect(named.limits(4)).toEqual(STRETCH.dofs[4]?.limits);
  });

  it("the action space of manipulation describes each element of the vector", () => {
    expect(new PickAndPlaceTask().actionSpace.semantics?.["action[4]"]).toContain(
      "joint_arm_l0 + joint_arm_l1 + joint_arm_l2 + joint_arm_l3",
    );
  });
});

describe("a manipulation task", () => {
  it.each([
    [new ManipulationTask(), "manipulation", "Robotic Manipulation", []],
    [
      new PickAndPlaceTask(),
      "pick_place",
      "Pick and Place",
      ["reached", "grasped", "lifted", "placed", "released"],
    ],
    [
      new StackingTask(),
      "stacking",
      "Stacking",
      ["reached", "grasped", "lifted", "stacked", "released"],
    ],
    [new OpeningTask(), "opening", "Opening", ["reached", "grasped", "moved", "opened"]],
  ])("%# has its type, name and stages", (task, type, name, stages) => {
    expect([task.taskType, task.taskName]).toEqual([type, name]);
    expect(task.stages).toEqual(stages);
    expect(task.family).toBe("manipulation");
    expect(task.primaryMetric).toBe("manip_success");
    expect(task.metricNames).toContain("manip_success");
  });

  it("a manipulation task has cameras and joint sensors with the degrees of freedom of the robot", () => {
    const { sensorSuite } = new PickAndPlaceTask({ dof: 7 });
    expect(sensorSuite.names()).toEqual([
      "rgb_head",
      "rgb_wrist",
      "qpos",
      "qvel",
      "ee_pose",
      "gripper_state",
    ]);
    expect(sensorSuite.get("qpos")).toEqual({ dim: 7 });
    expect(sensorSuite.get("ee_pose")).toMatchObject({ dim: 7, order: "x, y, z, qw, qx, qy, qz" });
  });
});

describe("the end of a manipulation episode", () => {
  const task = new PickAndPlaceTask({ max_steps: 10 });

  it("the end of a manipulation episode is caused by success, stop, the step limit or an invalid simulation", () => {
    expect(task.endReason({ num_steps: 3 })).toBeNull();
    expect(task.endReason({ success: true })).toBe("success");
    expect(task.endReason({ last_action: "stop" })).toBe("stop");
    expect(task.endReason({ num_steps: 10 })).toBe("max_steps");
    expect(task.endReason({ error: "diverged", success: true })).toBe("error");
    expect(task.checkEpisodeComplete({ num_steps: 3 })).toBe(false);
    expect(task.checkEpisodeComplete({ error: true })).toBe(true);
  });

  it("the end of a manipulation episode is not caused by success with terminate_on_success: false", () => {
    const patient = new PickAndPlaceTask({ max_steps: 10, terminate_on_success: false });
    expect(patient.endReason({ success: true, num_steps: 3 })).toBeNull();
    expect(patient.endReason({ success: true, num_steps: 10 })).toBe("max_steps");
  });

  it("the end of a manipulation episode is caused by the flags grasped, lifted and placed together with grasp_and_lift", () => {
    const config = { goals: { success_criteria: { type: "grasp_and_lift" } } };
    const done = { object_grasped: true, object_lifted: true, object_placed: true };
    const pick = new PickAndPlaceTask(config);
    expect(pick.endReason(done)).toBe("success");
    for (const part of ["object_grasped", "object_lifted", "object_placed"]) {
      expect(pick.endReason({ ...done, [part]: false })).toBeNull();
    }
    expect(new PickAndPlaceTask().endReason(done)).toBeNull();
  });
});

describe("the explanation of a manipulation episode", () => {
  const end: EpisodeEnd = {
    succeeded: false,
    endReason: "max_steps",
    steps: 500,
    lastState: {
      conditions: [
        { name: "grasped", value: 1, threshold: 1, holds: true },
        { name: "distance to target", value: 0.1234, threshold: 0.05, holds: false },
      ],
    },
    closestM: Number.POSITIVE_INFINITY,
    closestStep: 0,
    collisions: 0,
    stuckSteps: 0,
  };

  it("the explanation of a manipulation episode names the first condition that does not hold, with its numbers", () => {
    expect(new PickAndPlaceTask().explain(end)).toBe(
      "distance to target was 0.123, needs 0.05 (max_steps after 500 steps)",
    );
  });

  it("the explanation of a manipulation episode is also given without conditions, and for a success", () => {
    const task = new PickAndPlaceTask();
    expect(task.explain({ ...end, lastState: {} })).toBe("failed after 500 steps (max_steps)");
    expect(task.explain({ ...end, succeeded: true, endReason: "success" })).toBe(
      "succeeded after 500 steps (success)",
    );
  });
});

describe("the settings of a manipulation task", () => {
  const check = (config: unknown) => manipulationConfig({}).safeParse(config);

  it("the settings of a manipulation task can be empty or complete", () => {
    expect(check({}).success).toBe(true);
    expect(
      check({
        robot_type: "stretch",
        dof: 7,
        action_space: "continuous",
        metrics: ["manip_success", "completion_rate", "trajectory_similarity"],
        goals: {
          target_object: { name: "cup_red" },
          target_location: { position: [0.7, 0.2, 0.8] },
          success_criteria: { type: "grasp_and_lift", lift_height: 0.1, place_tolerance: 0.05 },
        },
      }).success,
    ).toBe(true);
  });

  it.each(["joint_position", "joint_delta", "ee_delta_pose"])(
    "the settings of a manipulation task accept the control mode %s",
    (mode) => {
      expect(check({ control_mode: mode }).success).toBe(true);
    },
  );

  it("the settings of a manipulation task reject a dof that differs from that of the robot, which the error names", () => {
    const issue = check({ dof: 6 }).error?.issues[0];
    expect(issue?.path).toEqual(["dof"]);
    expect(issue?.message).toBe("stretch has 7 degrees of freedom");
  });

  it.each([
    [{ robot_typ: "stretch" }, "a misspelt key"],
    [{ robot_type: "r2d2" }, "an unknown robot"],
    [{ control_mode: "torque" }, "a way of control that there is not"],
    [{ action_space: "discrete" }, "names alone"],
    [{ terminate_on_success: "yes" }, "text for yes or no"],
    [{ joint_limits: { lift: [1, 0] } }, "limits the wrong way round"],
    [{ joint_limits: { lift: [5, 6] } }, "limits that the robot cannot reach"],
    [{ goals: { success_criteria: {} } }, "criteria without a type"],
    [{ success_distance: 1 }, "a setting of another task"],
  ])("the settings of a manipulation task reject %j: %s", (config, _why) => {
    expect(check(config).success).toBe(false);
  });

  it("the settings of a manipulation task reject limits for an unknown degree of freedom", () => {
    expect(check({ joint_limits: { lift: [0, 1] } }).success).toBe(true);
    expect(check({ joint_limits: { lfit: [0, 1] } }).success).toBe(false);
  });

  it("the settings of a manipulation task reject a list of limits whose length differs from that of the action", () => {
    expect(check({ joint_limits: [[0, 1]] }).success).toBe(false);
  });
});

describe("a task of a robot that drives", () => {
  const driving = { robot_type: "stretch_mobile" };

  it("a task of a robot that drives has the names of the actions of its base and the vector of its arm and head", () => {
    const { actionSpace, conventions } = new ManipulationTask({ ...driving, turn_angle: 15 });
    expect(actionSpace.name).toBe("hybrid");
    expect(actionSpace.actions).toEqual([
      ...["stop", "move_forward", "move_backward", "turn_left", "turn_right"],
    ]);
    expect(actionSpace.shape).toEqual([7]);
    expect(actionSpace.semantics?.turn_left).toContain("15 degrees");
    expect(conventions).toMatchObject({ forward_step_m: 0.25, turn_angle_deg: 15, action_dim: 7 });
  });

  it("a task of a robot that drives appends the base velocity on request", () => {
    const { actionSpace, conventions } = new ManipulationTask({ ...driving, base_velocity: true });
    expect(actionSpace.shape).toEqual([9]);
    expect(actionSpace.limits(7)).toEqual([-0.3, 0.3]);
    expect(actionSpace.limits(8)?.[1]).toBeCloseTo(0.3 / 0.15765, 9);
    expect(conventions).toMatchObject({ base_velocity: true, action_dim: 9 });
  });

  it.each([
    [{ ...driving, control_mode: "ee_delta_pose" }, "control_mode", /no ee_delta_pose/],
    [{ robot_type: "stretch", base_velocity: true }, "base_velocity", /does not drive/],
    [{ forward_step: 0.5 }, "forward_step", /does not drive/],
    [{ ...driving, turn_angle: 270 }, "turn_angle", /180/],
  ])("a task of a robot that drives rejects %o", (config, key, message) => {
    const issues = manipulationConfig({}, "stretch").safeParse(config).error?.issues ?? [];
    expect(issues.map(({ path }) => path[0])).toEqual([key]);
    expect(issues[0]?.message).toMatch(message);
  });
});
