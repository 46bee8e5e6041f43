import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../../core/episode/base.js";
import { disclose, disclosedBy } from "../../core/episode/disclosure.js";
import type { StepState } from "../../core/interfaces/step.js";
import type { EpisodeEnd, ManipulationSummary } from "../../core/task/base.js";
import { RearrangeTask } from "./task.js";

const GOALS = {
  target_object: { name: "mug_blue_1", category: "mug" },
  start_receptacle: { name: "counter_1", category: "counter" },
  target_location: { receptacle: "desk_1", category: "desk" },
  success_criteria: { type: "rearranged" },
};
const task = new RearrangeTask({ goals: GOALS });

describe("a rearrange task", () => {
  it("a rearrange task has the four stages of OVMM in order", () => {
    expect(task.stages).toEqual(["find_object", "pick", "find_receptacle", "place"]);
  });

  it("a rearrange task allows 4000 control steps unless it is configured otherwise", () => {
    expect(task.endReason({ num_steps: 3999 })).toBeNull();
    expect(task.endReason({ num_steps: 4000 })).toBe("max_steps");
    expect(new RearrangeTask({ max_steps: 10 }).endReason({ num_steps: 10 })).toBe("max_steps");
  });

  it("a rearrange task takes the numbers of its profile, and its own before them", () => {
    const rule = (config: object) =>
      JSON.stringify(new RearrangeTask({ goals: GOALS, ...config }).successCriteria.success);
    expect(rule({})).toContain('"within_m":1.5');
    expect(rule({ profile: "ovmm" })).toContain('"within_m":1.1');
    const own = rule({ profile: "ovmm", success_criteria: { find_distance: 0.7 } });
    expect(own).toContain('"within_m":0.7');
    expect(own).toContain('"steps":50');
  });
});

describe("the episode sent to a rearrange policy", () => {
  const episode = new BaseEpisode({
    episodeId: "1",
    taskType: "rearrange",
    sceneId: "apartment/103",
    startState: { base_pose: [1, 2, 0] },
    goals: GOALS,
    instruction: { text: "Take the mug to the desk." },
    taskConfig: {
      robot_config: { robot_type: "stretch_mobile" },
      scene_objects: [{ name: "mug_blue_1", position: [3.25, 4.5, 0.9] }],
    },
  });

  it("the episode sent to a rearrange policy states the categories, and neither names nor positions", () => {
    const sent = disclose(episode, disclosedBy(task, undefined));
    expect(sent.goals).toEqual({
      target_object: { category: "mug" },
      start_receptacle: { category: "counter" },
      target_location: { category: "desk" },
    });
    expect(JSON.stringify(sent)).not.toMatch(/mug_blue_1|counter_1|desk_1|3\.25/);
    expect(sent.task_config).toEqual({ robot_config: { robot_type: "stretch_mobile" } });
  });

  it("the episode sent to a rearrange policy has no objects even where a perturbation moved them", () => {
    const moved = { scene_objects: [{ name: "mug_blue_1", position: [3.25, 4.5, 0.9] }] };
    expect(JSON.stringify(disclose(episode, [], moved))).not.toContain("3.25");
  });

  it("the episode sent to a rearrange policy has goals and objects if the benchmark discloses the goals", () => {
    const sent = disclose(episode, disclosedBy(task, ["goals"]));
    expect(sent.goals).toEqual(GOALS);
    expect(sent.task_config).toHaveProperty("scene_objects");
  });
});

describe("an explanation", () => {
  const at = (first: number) => ({ first, last: 900, state: {} });
  const standing = (z: number, goal_distance_m = 0): StepState => ({
    target: "mug_blue_1",
    objects: { mug_blue_1: { position: [0, 0, z], rotation_wxyz: [1, 0, 0, 0] } },
    goal_distance_m,
    stages: { find_object: true, pick: true, find_receptacle: false, place: false },
  });

  function explain(
    stages: readonly string[],
    lastState: StepState,
    more: Partial<ManipulationSummary> = {},
    succeeded = false,
    episode?: BaseEpisode,
    of = task,
  ): string {
    const end: EpisodeEnd = {
      succeeded,
      endReason: succeeded ? "success" : "max_steps",
      steps: 1000,
      lastState,
      closestM: Number.POSITIVE_INFINITY,
      closestStep: 0,
      collisions: 0,
      stuckSteps: 0,
      ...(episode ? { episode } : {}),
      handling: {
        closestReachM: 1,
        stages: Object.fromEntries(stages.map((name, i) => [name, at(100 * (i + 1))])),
        stillSteps: [],
        lastAction: null,
        extremes: {
          object_distance_m: { least: 2.34, most: 8 },
          object_view: { least: 0, most: 0 },
          receptacle_distance_m: { least: 0.9, most: 9 },
          receptacle_view: { least: 0, most: 0.057 },
        },
        ...more,
      },
    };
    return of.explain(end);
  }

  it("the explanation of a rearrange episode names the steps of a success", () => {
    expect(explain([...task.stages], standing(0.8), {}, true)).toBe(
      "found the mug in step 100, picked it in step 200 and placed it on the desk in step 400",
    );
  });

  it("an explanation says that an object was placed in a drawer", () => {
    const drawer = { receptacle: "chest_of_drawers_1_drawer_1", category: "drawer" };
    const own = new RearrangeTask({ goals: { ...GOALS, target_location: drawer } });
    expect(explain([...task.stages], standing(0.8), {}, true, undefined, own)).toMatch(
      /placed it in the drawer in step 400$/,
    );
  });

  it.each([
    ["Take the black mug to the desk.", "found the black mug in step 100"],
    ["Take the mug to the desk.", "found the mug in step 100"],
  ])(
    "the explanation of a rearrange episode names the object colour only if the instruction does: %s",
    (text, said) => {
      const scene_objects = [
        { name: "can_red_1", model: "can/1", color: "red" },
        { name: "mug_blue_1", model: "mug/1", color: "black" },
      ];
      const episode = new BaseEpisode({
        ...{ episodeId: "1", taskType: "rearrange", sceneId: "apartment/103", goals: GOALS },
        startState: { base_pose: [1, 2, 0] },
        instruction: { text },
        taskConfig: { scene_objects },
      });
      expect(explain([...task.stages], standing(0.8), {}, true, episode)).toContain(said);
    },
  );

  it("the explanation of a rearrange episode says how near the base came to an object that it never found", () => {
    expect(explain([], standing(0.9, 8))).toBe(
      "never came closer than 2.3 m to the mug and never saw it (max_steps after 1000 steps)",
    );
  });

  it("the explanation of a rearrange episode says how far from the goal the object was dropped or put down", () => {
    const carried = { first: 190, last: 511, state: standing(1), after: standing(0.9) };
    const stages = ["find_object", "pick"];
    expect(explain(stages, standing(0.05, 1.24), { carried })).toContain(
      "picked the mug in step 200, dropped it 1.2 m before the desk (step 512)",
    );
    expect(explain(stages, standing(0.98, 1.24), { carried })).toContain(
      "put it down 1.2 m before the desk",
    );
  });

  it("the explanation of a rearrange episode says what was missing at the goal receptacle", () => {
    const carried = { first: 190, last: 900, state: standing(1) };
    expect(explain(["find_object", "pick"], standing(1, 3), { carried })).toContain(
      "picked the mug in step 200, came within 0.9 m of the desk and saw at most 5 % of it",
    );
    const found = ["find_object", "pick", "find_receptacle"];
    expect(explain(found, { ...standing(1, 0.4), carried: 1 }, { carried })).toContain(
      "still held it 0.4 m from the desk at the end",
    );
    const tilted = [{ name: "on_goal", value: 0, threshold: 0.7, holds: false }];
    expect(explain(found, { ...standing(0.1), conditions: tilted })).toContain(
      "brought it to the desk, but it does not stand on it",
    );
  });
});
