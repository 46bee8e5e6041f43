import { describe, expect, it } from "vitest";
import { DataError } from "../../../core/errors.js";
import { episodeWith, facts, fixtureSpec, object, objectSpec, worldWith } from "./facts.fixture.js";
import { makeJudge } from "./judge.js";

const world = worldWith(
  [objectSpec("cup_red"), objectSpec("block", { sizeM: [0.06, 0.06, 0.08] })],
  [fixtureSpec("drawer")],
);
const PICK = {
  target_object: { name: "cup_red" },
  target_location: { position: [0.7, 0.2, 0.8] },
};
const STACK = { target_object: { name: "cup_red" }, target_location: { object: "block" } };
const OPEN = { target_fixture: { name: "drawer" } };

const thresholds = (goals: object, taskType: string) => {
  const judge = makeJudge(episodeWith({ ...goals }), taskType, world);
  const verdict = judge.update(
    facts({
      objects: { cup_red: object(), block: object() },
      fixtures: { drawer: { opened: 0, speed: 0, fingersN: [0, 0], reachM: 1 } },
    }),
  );
  return Object.fromEntries(verdict.conditions.map(({ name, threshold }) => [name, threshold]));
};

describe("the judge of an episode", () => {
  it("is its task's, by default with the design's numbers", () => {
    expect(thresholds(PICK, "pick_place")).toEqual({
      grasped: 0.5,
      lifted: 0.1,
      at_target: 0.05,
      at_height: 0.05,
      at_rest: 0.01,
      not_turning: 0.5,
      released: 0,
    });
    expect(thresholds(STACK, "stacking")).toMatchObject({ lifted: 0.04, on_top: 0.005 });
    expect(thresholds(OPEN, "opening")).toEqual({ opened: 0.75, at_rest: 0.1 });
  });

  it("goes by the numbers of the criteria", () => {
    const criteria = { type: "grasp_and_lift", lift_height: 0.2, place_tolerance: 0.03 };
    expect(thresholds({ ...PICK, success_criteria: criteria }, "pick_place")).toMatchObject({
      lifted: 0.2,
      at_target: 0.03,
    });
    const wide = { type: "opened", opened_fraction: 0.9 };
    expect(thresholds({ ...OPEN, success_criteria: wide }, "opening").opened).toBe(0.9);
  });

  it("is the criteria's where they name another", () => {
    const goals = { ...OPEN, success_criteria: { type: "opened" } };
    expect(thresholds(goals, "manipulation")).toHaveProperty("opened");
    expect(thresholds(goals, "pick_place")).toHaveProperty("opened");
  });

  it("grants nothing where nobody asked for anything", () => {
    const judge = makeJudge(episodeWith({}), "manipulation", world);
    judge.reset();
    for (let i = 0; i < 30; i++) {
      expect(judge.update(facts())).toEqual({ conditions: [], stages: {}, success: false });
    }
    expect(judge.watches).toEqual([]);
  });

  it.each([
    ["pick_place", {}, "goals.target_object", /expected object/],
    ["pick_place", { target_object: { name: "cup_red" } }, "goals.target_location", /./],
    [
      "pick_place",
      { ...PICK, target_location: { position: [1, 2] } },
      "goals.target_location.position",
      /three numbers/,
    ],
    [
      "pick_place",
      { ...PICK, target_object: { name: "cup_rde" } },
      "goals.target_object.name",
      /"cup_rde" is not in the episode's scene/,
    ],
    [
      "pick_place",
      { ...PICK, success_criteria: { type: "grasp_and_lift", lift_height: -1 } },
      "goals.success_criteria.lift_height",
      /./,
    ],
    [
      "stacking",
      { ...STACK, target_location: { object: "cup_red" } },
      "goals.target_location.object",
      /"cup_red" is not/,
    ],
    ["opening", { target_fixture: { name: "door" } }, "goals.target_fixture.name", /"door"/],
    [
      "pick_place",
      { ...PICK, success_criteria: { type: "grasp_and_lif" } },
      "goals.success_criteria.type",
      /no success criteria "grasp_and_lif"/,
    ],
  ])("of %s refuses goals %j and says where", (taskType, goals, where, message) => {
    const attempt = () => makeJudge(episodeWith({ ...goals }), taskType, world);
    expect(attempt).toThrow(DataError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ where: `episode e1, ${where}` }));
  });

  it("suggests what was meant", () => {
    const goals = { ...PICK, target_object: { name: "cup_rde" } };
    expect(() => makeJudge(episodeWith(goals), "pick_place", world)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('did you mean "cup_red"?') }),
    );
  });
});
