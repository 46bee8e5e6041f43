import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { lookalikeObject } from "./lookalike-object.js";
import { missingInstruction } from "./missing-instruction.js";
import { missingTarget } from "./missing-target.js";
import { sameReceptacle } from "./same-receptacle.js";

const GOALS = {
  target_object: { name: "mug_blue_1", category: "mug" },
  start_receptacle: { name: "table_1", category: "table" },
  target_location: { receptacle: "desk_1", category: "desk" },
};
const OBJECTS = [
  { name: "mug_blue_1", model: "mug/1", color: "blue" },
  { name: "mug_red_1", model: "mug/2", color: "red" },
];

const episode = (goals: Readonly<Record<string, unknown>> = {}, objects: unknown = OBJECTS) =>
  soundEpisode({
    taskType: "rearrange",
    goals: { ...GOALS, ...goals },
    taskConfig: { scene_objects: objects },
  });

describe("rules for rearrange episodes", () => {
  it("rules for rearrange episodes accept a sound one, and look at no other task", () => {
    for (const rule of [missingTarget, sameReceptacle, lookalikeObject]) {
      expect(problemsOf(rule, episode())).toEqual([]);
      expect(problemsOf(rule, soundEpisode({ goals: GOALS }))).toEqual([]);
    }
  });

  it("missing_target finds a target that is not there, and goals without object or receptacle", () => {
    const fields = (goals: Readonly<Record<string, unknown>>) =>
      problemsOf(missingTarget, episode(goals)).map(({ field, severity }) => [field, severity]);
    expect(fields({ target_object: { name: "mug_green_1" } })).toEqual([
      ["goals.target_object.name", undefined],
    ]);
    expect(fields({ target_object: undefined })).toEqual([["goals.target_object", undefined]]);
    expect(fields({ target_location: { position: [1, 2, 3] } })).toEqual([
      ["goals.target_location.receptacle", undefined],
    ]);
    expect(fields({ start_receptacle: undefined })).toEqual([["goals.start_receptacle", "info"]]);
    expect(problemsOf(missingTarget, episode({}, null))).toHaveLength(1);
  });

  it("missing_target finds a drawer that does not move", () => {
    const name = "chest_of_drawers_1_drawer_2";
    const into = { target_location: { receptacle: name, category: "drawer" } };
    const outOf = { start_receptacle: { name, category: "drawer" } };
    expect(problemsOf(missingTarget, episode(into))).toMatchObject([
      { field: "goals.target_location.receptacle", value: name },
    ]);
    expect(problemsOf(missingTarget, episode(outOf))).toMatchObject([
      { field: "goals.start_receptacle.name", value: name },
    ]);
    const moving = soundEpisode({
      taskType: "rearrange",
      goals: { ...GOALS, ...into },
      taskConfig: { scene_objects: OBJECTS, drawers: [{ name, opened: 0.3 }] },
    });
    expect(problemsOf(missingTarget, moving)).toEqual([]);
  });

  it("same_receptacle finds a goal on which the object stands, and warns of the same category", () => {
    const to = (receptacle: string, category: string) =>
      problemsOf(sameReceptacle, episode({ target_location: { receptacle, category } }));
    expect(to("table_1", "table")).toMatchObject([{ value: "table_1" }]);
    expect(to("table_2", "table")).toMatchObject([{ severity: "warning" }]);
  });

  it("lookalike_object finds a second object of the category and colour", () => {
    const second = { name: "mug_blue_2", model: "mug/1", color: "blue" };
    expect(problemsOf(lookalikeObject, episode({}, [...OBJECTS, second]))).toMatchObject([
      { value: "mug_blue_1", message: expect.stringContaining("mug_blue_2") },
    ]);
  });

  it("missing_instruction finds a rearrange episode without an instruction", () => {
    const silent = soundEpisode({ taskType: "rearrange", instruction: {} });
    expect(problemsOf(missingInstruction, silent)).toHaveLength(1);
  });
});
