import { describe, expect, it } from "vitest";
import type { EpisodeEnd, TaskConfig } from "../core/task/base.js";
import { ImageNavTask } from "./image-nav/task.js";
import type { NavigationTask } from "./navigation.js";
import { ObjectNavTask } from "./objectnav/task.js";
import { VLNTask } from "./vln/task.js";

const vln = (config: TaskConfig = {}) => new VLNTask(config);

describe("the end of a navigation episode", () => {
  it("the end of a navigation episode is arrival strictly within 0.2 m in the profile design", () => {
    expect(vln().endReason({ distance_to_goal: 0.19, num_steps: 3 })).toBe("arrived");
    expect(vln().endReason({ distance_to_goal: 0.2, num_steps: 3 })).toBeNull();
    expect(vln().checkEpisodeComplete({ distance_to_goal: 0.19 })).toBe(true);
  });

  it.each(["habitat", "vlnce", "r2r", "ndh"])(
    "the end of a navigation episode is not arrival in the profile %s",
    (profile) => {
      const task = vln({ profile });
      expect(task.endReason({ distance_to_goal: 0, num_steps: 3 })).toBeNull();
      expect(task.endReason({ distance_to_goal: 0, num_steps: 3, last_action: "stop" })).toBe(
        "stop",
      );
    },
  );

  it("the end of a navigation episode is a stop in every profile, at any distance", () => {
    expect(vln().endReason({ distance_to_goal: 50, last_action: "stop" })).toBe("stop");
  });

  it("the end of a navigation episode is the step limit, by default 500", () => {
    expect(vln().endReason({ num_steps: 499 })).toBeNull();
    expect(vln().endReason({ num_steps: 500 })).toBe("max_steps");
    expect(vln({ max_steps: 3 }).endReason({ num_steps: 3 })).toBe("max_steps");
  });

  it("the end of a navigation episode is stop or arrived, not max_steps, if the last allowed step does it", () => {
    const task = vln({ max_steps: 3 });
    expect(task.endReason({ num_steps: 3, last_action: "stop" })).toBe("stop");
    expect(task.endReason({ num_steps: 3, distance_to_goal: 0.1 })).toBe("arrived");
  });

  it("the end of a navigation episode uses the success distance of the config", () => {
    const task = vln({ success_distance: 1 });
    expect(task.endReason({ distance_to_goal: 0.9 })).toBe("arrived");
  });

  it("the end of a navigation episode is not arrival for a state without a distance", () => {
    expect(vln().checkEpisodeComplete({})).toBe(false);
  });
});

describe("the explanation of a navigation episode", () => {
  const end = (more: Partial<EpisodeEnd>): EpisodeEnd => ({
    succeeded: false,
    endReason: "stop",
    steps: 12,
    lastState: { distance_to_goal: 3.97 },
    closestM: 3.97,
    closestStep: 12,
    collisions: 0,
    stuckSteps: 0,
    ...more,
  });
  const vlnce = vln({ profile: "vlnce" });

  it("the explanation of a navigation episode has the distance, the limit and the steps of a success", () => {
    const near = { succeeded: true, lastState: { distance_to_goal: 1.5 } };
    expect(vlnce.explain(end(near))).toBe(
      "stopped 1.50 m from the goal (needs less than 3 m) after 12 steps",
    );
    expect(
      vln().explain(
        end({ succeeded: true, endReason: "arrived", lastState: { distance_to_goal: 0.125 } }),
      ),
    ).toBe("arrived 0.13 m from the goal (needs less than 0.2 m) after 12 steps");
  });

  it("the explanation of a navigation episode says how far from the goal the robot stopped, and how much was missing", () => {
    expect(vlnce.explain(end({}))).toBe(
      "stopped 3.97 m from the goal, 0.97 m short (needs less than 3 m)",
    );
  });

  it("the explanation of a navigation episode says at which distance and step the goal was passed", () => {
    expect(vlnce.explain(end({ closestM: 0.5, closestStep: 7 }))).toBe(
      "stopped 3.97 m from the goal, 0.97 m short (needs less than 3 m); it had passed the goal at 0.50 m in step 7 without stopping",
    );
  });

  it("the explanation of a navigation episode says that the robot reached the goal but never stopped", () => {
    const there = { lastState: { distance_to_goal: 1 }, closestM: 1 };
    expect(vlnce.explain(end({ ...there, endReason: "max_steps", steps: 500 }))).toBe(
      "reached the goal and never stopped: the step limit came after 500 steps, 1.00 m from the goal",
    );
  });

  it("the explanation of a navigation episode has the number of steps and collisions of a robot that ran out of steps", () => {
    const lost = end({ endReason: "max_steps", steps: 500, collisions: 400 });
    expect(vlnce.explain(lost)).toBe(
      "never stopped: the step limit came after 500 steps, 3.97 m from the goal (needs less than 3 m); blocked in 400 of them",
    );
    expect(vlnce.explain({ ...lost, collisions: 3 })).not.toContain("blocked");
  });

  it("the explanation of a navigation episode names a collision loop", () => {
    const stuck = end({ endReason: "max_steps", steps: 500, collisions: 60, stuckSteps: 80 });
    expect(vlnce.explain(stuck)).toBe(
      "never stopped: the step limit came after 500 steps, 3.97 m from the goal (needs less than 3 m); stuck in a collision loop, it got nowhere in the last 80 steps",
    );
  });

  it("the explanation of a navigation episode does not mention a missing stop if arrival suffices", () => {
    const lost = end({ endReason: "max_steps", steps: 500 });
    expect(vln().explain(lost)).toContain("never arrived: the step limit came after 500 steps");
  });

  it("the explanation of a navigation episode says that no path leads to the goal from the last position", () => {
    const island = end({ lastState: { distance_to_goal: Number.POSITIVE_INFINITY } });
    expect(vlnce.explain(island)).toBe(
      "ended where no way leads to the goal, after 12 steps (stop)",
    );
  });

  it("the explanation of a navigation episode is general for states without a distance", () => {
    expect(vlnce.explain(end({ lastState: {} }))).toBe("failed after 12 steps (stop)");
  });
});

describe("a navigation task", () => {
  it.each<[string, NavigationTask, string, readonly string[]]>([
    ["vln", new VLNTask(), "instruction", ["stop", "move_forward", "turn_left", "turn_right"]],
    [
      "objectnav",
      new ObjectNavTask(),
      "objectgoal",
      ["stop", "move_forward", "turn_left", "turn_right", "look_up", "look_down"],
    ],
    [
      "image_nav",
      new ImageNavTask(),
      "imagegoal",
      ["stop", "move_forward", "turn_left", "turn_right"],
    ],
  ])(
    "the task %s has its actions, a sensor for the goal, and success as primary metric",
    (type, task, sensor, actions) => {
      expect(task.taskType).toBe(type);
      expect(task.family).toBe("navigation");
      expect(task.actionSpace.name).toBe("discrete");
      expect(task.actionSpace.actions).toEqual(actions);
      expect(task.sensorSuite.has(sensor)).toBe(true);
      expect(task.sensorSuite.get("gps")).toEqual({ dim: 3 });
      expect(task.primaryMetric).toBe("success");
      expect(task.metricNames[0]).toBe("success");
    },
  );

  it("a navigation task describes each action", () => {
    const { semantics, actions } = vln().actionSpace;
    expect(Object.keys(semantics ?? {})).toEqual(actions);
    expect(semantics?.turn_left).toContain("15 degrees");
  });

  it("a navigation task offers the actions of the config only", () => {
    const task = vln({ actions: ["stop", "goto"] });
    expect(task.actionSpace.actions).toEqual(["stop", "goto"]);
    expect(Object.keys(task.actionSpace.semantics ?? {})).toEqual(["stop", "goto"]);
  });

  it("a navigation task uses the profile metrics by default", () => {
    expect(vln({ profile: "ndh" }).metricNames).toContain("goal_progress");
    expect(vln({ metrics: ["spl"] }).metricNames).toEqual(["spl"]);
  });
});

describe("the settings of a navigation task", () => {
  const check = (config: unknown) => VLNTask.configSchema.safeParse(config);
  const firstIssue = (config: unknown) => check(config).error?.issues[0];

  it("the settings of a navigation task can be empty or complete", () => {
    expect(check({}).success).toBe(true);
    expect(
      check({
        action_space: "discrete",
        actions: ["stop", "move_forward", "turn_left", "turn_right"],
        metrics: ["success", "spl", "navigation_error", "dtw"],
      }).success,
    ).toBe(true);
    expect(check({ success_distance: 0.2, max_steps: 500 }).success).toBe(true);
  });

  it.each([
    [{ sucess_distance: 3 }, "a misspelt key"],
    [{ success_distance: 0 }, "a distance of nothing"],
    [{ success_distance: "3" }, "text for a number"],
    [{ max_steps: 1.5 }, "half a step"],
    [{ timeout: 0 }, "no time"],
    [{ profile: "vlcne" }, "an unknown profile"],
    [{ actions: ["fly"] }, "an unknown action"],
    [{ actions: [] }, "no actions"],
    [{ action_space: "continuous" }, "a vector"],
    [{ metrics: [] }, "no metrics"],
    [{ dof: 7 }, "a setting of another task"],
  ])("the settings of a navigation task reject %j: %s", (config, _why) => {
    expect(check(config).success).toBe(false);
  });

  it("the settings of a navigation task are rejected with the name of the invalid key", () => {
    expect(firstIssue({ sucess_distance: 3 })).toMatchObject({ keys: ["sucess_distance"] });
    expect(firstIssue({ timeout: -1 })?.path).toEqual(["timeout"]);
  });

  it("the settings of a navigation task can have default goals for episodes", () => {
    expect(check({ goals: { position: [1, 0, 2], node: "a" } }).success).toBe(true);
  });
});
