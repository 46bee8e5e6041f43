import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { compileCriteria } from "../../core/rules/compile.js";
import { builtInPredicates } from "../../core/rules/predicates/index.js";
import { parseBddl } from "../../dataset/bddl.js";
import { bddl, ruleOfBddl } from "./bddl.js";

const problem = (goal: string) => `(define (problem LIBERO) (:domain robosuite)
  (:language test) (:regions ) (:fixtures stove - flat_stove cabinet - cabinet)
  (:objects bowl - bowl plate - plate) (:obj_of_interest bowl)
  (:init (On bowl plate)) (:goal ${goal}))`;
const ruleOf = (goal: string) => ruleOfBddl(parseBddl(problem(goal), "t.bddl").goal);

describe("ruleOfBddl", () => {
  it.each([
    ["(On bowl plate)", { on: { object: "bowl", base: "plate" } }],
    ["(In bowl cabinet)", { in: { object: "bowl", container: "cabinet" } }],
    ["(Open cabinet)", { open: { fixture: "cabinet" } }],
    ["(Close cabinet)", { closed: { fixture: "cabinet" } }],
    ["(TurnOn stove)", { turned_on: { joint: "stove" } }],
    ["(turnoff stove)", { turned_off: { joint: "stove" } }],
    [
      "(And (Open cabinet) (Or (TurnOn stove) (Not (On bowl plate))))",
      {
        all: [
          { open: { fixture: "cabinet" } },
          {
            any: [
              { turned_on: { joint: "stove" } },
              { not: { on: { object: "bowl", base: "plate" } } },
            ],
          },
        ],
      },
    ],
  ])("ruleOfBddl translates %s", (goal, rule) => {
    expect(ruleOf(goal)).toEqual(rule);
  });

  it("ruleOfBddl rejects unsupported predicates and a wrong number of arguments", () => {
    expect(() => ruleOf("(Stacked bowl plate)")).toThrow(
      /the BDDL predicate "Stacked" is not supported/,
    );
    expect(() => ruleOf("(On bowl)")).toThrow(/On takes 2 arguments/);
    expect(() => ruleOfBddl({ all: 3 })).toThrow(
      expect.objectContaining({ where: "goals.success_criteria.all" }),
    );
  });
});

describeWithSharedData("the goals of LIBERO's own files", () => {
  it("the goals of LIBERO files are translated to rules that compile", () => {
    const folder = sharedData("libero/bddl_files/libero_spatial");
    const files = readdirSync(folder).filter((name) => name.endsWith(".bddl"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { goal } = parseBddl(readFileSync(join(folder, file), "utf8"), file);
      const criteria = bddl.criteria({ success_criteria: { type: "bddl", ...goal } });
      const { conditions, needs } = compileCriteria(criteria, builtInPredicates);
      expect(
        conditions.map(({ name }) => name),
        file,
      ).toEqual(["above", "on_top", "touching"]);
      expect([...needs.objects.keys()], file).toEqual(["akita_black_bowl_1", "plate_1"]);
    }
  });
});
