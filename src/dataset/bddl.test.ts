import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../test/shared-data.js";
import { DataError } from "../core/errors.js";
import { parseBddl } from "./bddl.js";

const TASK = `; a comment with ( in it
(define (problem Tabletop)
  (:domain robosuite)
  (:language Put the bowl on the plate)
  (:regions
    (left (:target table) (:ranges ((0.0 -0.1 0.2 1e-1))) (:yaw_rotation ((0 3.14))))
    (top (:target cabinet_1)))
  (:fixtures table - table cabinet_1 - cabinet)
  (:objects bowl_1 bowl_2 - bowl plate_1 - plate) ; two bowls
  (:obj_of_interest bowl_1 plate_1)
  (:init (On bowl_1 table_left) (Open cabinet_1_top))
  (:goal GOAL))
`;

const withGoal = (goal: string) => parseBddl(TASK.replace("GOAL", goal), "task.bddl");

function failure(text: string): DataError {
  try {
    parseBddl(text, "task.bddl");
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("parseBddl", () => {
  it("parseBddl accepts Windows line endings, also after comments", () => {
    const text = TASK.replace("GOAL", "(And (On bowl_1 plate_1))");
    const read = parseBddl(text.replaceAll("\n", "\r\n"), "task.bddl");
    expect(read).toEqual(parseBddl(text, "task.bddl"));
  });

  it("parseBddl returns objects, regions, initial state and goal", () => {
    expect(withGoal("(And (On bowl_1 plate_1))")).toEqual({
      problem: "Tabletop",
      domain: "robosuite",
      language: "Put the bowl on the plate",
      objects: { bowl_1: "bowl", bowl_2: "bowl", plate_1: "plate" },
      fixtures: { table: "table", cabinet_1: "cabinet" },
      regions: {
        table_left: { target: "table", ranges: [[0, -0.1, 0.2, 0.1]], yaw_rotation: [[0, 3.14]] },
        cabinet_1_top: { target: "cabinet_1" },
      },
      objOfInterest: ["bowl_1", "plate_1"],
      init: [
        ["On", "bowl_1", "table_left"],
        ["Open", "cabinet_1_top"],
      ],
      goal: {
        name: "on bowl_1 plate_1",
        all: [{ name: "on bowl_1 plate_1", predicate: "On", arguments: ["bowl_1", "plate_1"] }],
      },
    });
  });

  it("parseBddl keeps goals with Or, Not and nesting", () => {
    const { goal } = withGoal(
      "(And (Or (On bowl_1 plate_1) (On bowl_2 plate_1)) (Not (Open cabinet_1_top)))",
    );
    expect(goal).toMatchObject({
      name: "(on bowl_1 plate_1 or on bowl_2 plate_1) and (not open cabinet_1_top)",
      all: [{ any: [{ predicate: "On" }, { predicate: "On" }] }, { not: { predicate: "Open" } }],
    });
  });

  it.each([
    ["(On bowl_1 saucer_1)", "12:21", '"saucer_1" is not an object'],
    ["(And)", "12:11", "without conditions"],
    ["(Not (Open table) (Open table))", "12:11", "one condition"],
    ["(Forall (x) (On x plate_1))", "12:11", "not supported"],
    ["(And On)", "12:15", "expected a condition"],
    ["(On (On bowl_1 plate_1))", "12:14", "takes names"],
    ["(On)", "12:11", "needs at least one name"],
    ["(On bowl_1 plate_1) (Open table)", "12:3", "one condition in (:goal ...), got 2"],
    ["", "12:3", "one condition in (:goal ...), got 0"],
  ])("parseBddl rejects the goal %s and names its position", (goal, place, reason) => {
    const error = failure(TASK.replace("GOAL", goal));
    expect(error).toMatchObject({ code: "bad_bddl", where: `task.bddl:${place}` });
    expect(error.message).toContain(reason);
  });

  it.each([
    ["", "only white space"],
    ["; only this", "only white space"],
    ["define", 'expected "("'],
    ["(problem x)", 'expected "(define'],
    ["(define (problem x)) )", "follows the closing"],
    ["(define (problem x) y)", "a section"],
    ["(define (:goal (On a)) (:goal (On a)))", "duplicate section (:goal"],
    ["(define (problem x))", "section (:goal ...) is missing; the file has problem"],
    ["(define (:objects a b))", 'has no "- kind"'],
    ["(define (:objects - b))", 'names before "-"'],
    ["(define (:objects a a - b))", 'duplicate name "a"'],
    ["(define (:regions x))", "expected a region"],
    ["(define (:regions (x (:ranges 1))))", "no (:target"],
    ["(define (:regions (x (target y))))", "expected a property"],
    ["(".repeat(100), "nested deeper"],
  ])("parseBddl rejects the text %s", (text, reason) => {
    const error = failure(text);
    expect(error.where).toMatch(/^task\.bddl:\d+:\d+$/);
    expect(error.message).toContain(reason);
  });

  it("parseBddl reports text truncated anywhere as an error", () => {
    const whole = TASK.replace("GOAL", "(And (On bowl_1 plate_1))").trimEnd();
    for (let length = 0; length < whole.length; length++) {
      const error = failure(whole.slice(0, length));
      expect(error.message).toMatch(/not closed|only white space/);
    }
  });

  it("parseBddl returns a task or throws a DataError for any text", () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      "define",
      ":goal",
      ":objects",
      "-",
      "a",
      ";",
      "\n",
      "On",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(failure(pieces.join(" "))).toMatchObject({ name: "DataError" });
      }),
    );
  });
});

describeWithSharedData("parseBddl on LIBERO's tasks", () => {
  it("parseBddl reads all tasks of LIBERO", () => {
    const name =
      "pick_up_the_black_bowl_in_the_top_drawer_of_the_wooden_cabinet_and_place_it_on_the_plate";
    const path = sharedData(`libero/bddl_files/libero_spatial/${name}.bddl`);
    const task = parseBddl(readFileSync(path, "utf8"), path);
    expect(task.problem).toBe("LIBERO_Tabletop_Manipulation");
    expect(Object.keys(task.regions)).toHaveLength(16);
    expect(task.regions.main_table_cabinet_region).toEqual({
      target: "main_table",
      ranges: [[0.02, -0.28, 0.04, -0.26]],
      yaw_rotation: [[2.6613777765410678, 2.7242096296128633]],
    });
    expect(task.init).toHaveLength(8);
    expect(task.goal.name).toBe("on akita_black_bowl_1 plate_1");
  });
});
