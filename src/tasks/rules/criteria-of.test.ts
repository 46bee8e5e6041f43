import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { compileCriteria } from "../../core/rules/compile.js";
import { judgedBy, observed } from "../../core/rules/steps.fixture.js";
import { OpeningTask } from "../manipulation/opening.js";
import { PickAndPlaceTask } from "../manipulation/pick-place.js";
import { StackingTask } from "../manipulation/stacking.js";
import { ManipulationTask } from "../manipulation/task.js";
import { BUILT_IN_PRESETS } from "./presets.js";

const PICK = {
  target_object: { name: "cup_red" },
  target_location: { position: [0.7, 0.2, 0.8] },
};
const STACK = { target_object: { name: "cup_red" }, target_location: { object: "block" } };
const OPEN = { target_fixture: { name: "drawer" } };
const OWN = { rule: { open: { fixture: "drawer", fraction: 0.3 } } };

const STEP = observed({ objects: { cup_red: {}, block: {} }, fixtures: { drawer: {} } });

const thresholds = (task: ManipulationTask) =>
  Object.fromEntries(
    (judgedBy(task, [STEP])[0]?.conditions ?? []).map(({ name, threshold }) => [name, threshold]),
  );

describe("the success criteria of an episode", () => {
  it("the success criteria of an episode are the preset of the task with its default settings", () => {
    expect(thresholds(new PickAndPlaceTask({ goals: PICK }))).toEqual({
      grasped: 0.5,
      lifted: 0.1,
      at_target: 0.05,
      at_height: 0.05,
      at_rest: 0.01,
      not_turning: 0.5,
      released: 0,
    });
    expect(thresholds(new StackingTask({ goals: STACK }))).toMatchObject({
      lifted: 0.04,
      on_top: 0.005,
    });
    expect(thresholds(new OpeningTask({ goals: OPEN }))).toEqual({ opened: 0.75, at_rest: 0.1 });
  });

  it("the success criteria of an episode use the settings of the episode, overridden by those of the benchmark", () => {
    const success_criteria = { type: "grasp_and_lift", lift_height: 0.2, place_tolerance: 0.03 };
    const goals = { ...PICK, success_criteria };
    expect(thresholds(new PickAndPlaceTask({ goals }))).toMatchObject({
      lifted: 0.2,
      at_target: 0.03,
    });
    const own = { place_tolerance: 0.01 };
    expect(thresholds(new PickAndPlaceTask({ goals, success_criteria: own }))).toMatchObject({
      lifted: 0.2,
      at_target: 0.01,
    });
  });

  it("the success criteria of an episode can be another preset or a rule of the episode or the benchmark", () => {
    const opened = { ...OPEN, success_criteria: { type: "opened" } };
    expect(thresholds(new ManipulationTask({ goals: opened }))).toHaveProperty("opened");
    expect(new PickAndPlaceTask({ goals: opened }).stages).toEqual([
      ...["reached", "grasped", "moved", "opened"],
    ]);
    const goals = { ...PICK, success_criteria: OWN };
    expect(thresholds(new PickAndPlaceTask({ goals }))).toEqual({ open: 0.3 });
    const task = new PickAndPlaceTask({ goals: PICK, success_criteria: OWN });
    expect(thresholds(task)).toEqual({ open: 0.3 });
    const back = { goals, success_criteria: { type: "grasp_and_lift" } };
    expect(thresholds(new PickAndPlaceTask(back))).toHaveProperty("lifted");
  });

  it("the success criteria of an episode have the stages that the preset lists", () => {
    const goals = { ...PICK, ...OPEN };
    const of = (name: string, more: object) =>
      BUILT_IN_PRESETS[name]?.criteria({ ...goals, ...more }).stages ?? {};
    expect(Object.keys(of("grasp_and_lift", {}))).toEqual(BUILT_IN_PRESETS.grasp_and_lift?.stages);
    expect(Object.keys(of("stacked", STACK))).toEqual(BUILT_IN_PRESETS.stacked?.stages);
    expect(Object.keys(of("opened", {}))).toEqual(BUILT_IN_PRESETS.opened?.stages);
  });

  it("the success criteria of an episode are an error if there is neither a preset nor a rule", () => {
    expect(() => new ManipulationTask({ goals: PICK }).successCriteria).toThrow(
      expect.objectContaining({ code: "no_rule", where: "goals.success_criteria" }),
    );
  });

  it.each([
    [PickAndPlaceTask, {}, "goals.target_object", /expected object/],
    [PickAndPlaceTask, { target_object: { name: "cup_red" } }, "goals.target_location", /./],
    [
      PickAndPlaceTask,
      { ...PICK, target_location: { position: [1, 2] } },
      "goals.target_location.position",
      /three numbers/,
    ],
    [
      PickAndPlaceTask,
      { ...PICK, success_criteria: { type: "grasp_and_lift", lift_height: -1 } },
      "goals.success_criteria.lift_height",
      /./,
    ],
    [
      StackingTask,
      { ...STACK, target_location: { object: "cup_red" } },
      "goals.target_location.object",
      /onto itself/,
    ],
    [
      PickAndPlaceTask,
      { ...PICK, success_criteria: { type: "grasp_and_lif" } },
      "goals.success_criteria.type",
      /"grasp_and_lif" is not a preset of success criteria/,
    ],
  ])(
    "the success criteria of an episode reject, for %o, the goals %j and name the field",
    (taskClass, goals, where, message) => {
      const attempt = () => new taskClass({ goals }).successCriteria;
      expect(attempt).toThrow(DataError);
      expect(attempt).toThrow(message);
      expect(attempt).toThrow(expect.objectContaining({ where }));
    },
  );

  it("the success criteria of an episode suggest a similar preset for an unknown one", () => {
    const goals = { ...PICK, success_criteria: { type: "grasp_and_lif" } };
    expect(() => new PickAndPlaceTask({ goals }).successCriteria).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('did you mean "grasp_and_lift"?') }),
    );
  });

  it("the success criteria of an episode are the check or the flags of the simulator if it records no facts", () => {
    const goals = { ...PICK, success_criteria: { type: "grasp_and_lift" } };
    const task = new PickAndPlaceTask({ goals });
    const { needs } = compileCriteria(task.reportedCriteria, task.predicates);
    expect(needs.onlyReported).toBe(true);
    const flags = { object_grasped: true, object_lifted: true, object_placed: true };
    expect(task.checkEpisodeComplete(flags)).toBe(true);
    expect(task.checkEpisodeComplete({ ...flags, object_lifted: false })).toBe(false);
    expect(new PickAndPlaceTask({ goals: PICK }).checkEpisodeComplete(flags)).toBe(false);
  });
});
