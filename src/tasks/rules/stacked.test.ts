import { describe, expect, it } from "vitest";
import type { StepState } from "../../core/interfaces/step.js";
import { HELD, judgedBy, type ObjectStep, observed } from "../../core/rules/steps.fixture.js";
import { StackingTask } from "../manipulation/stacking.js";
import { HOLD_STEPS } from "./goals.js";

const taskWith = (criteria: object) =>
  new StackingTask({
    goals: {
      target_object: { name: "a" },
      target_location: { object: "b" },
      success_criteria: { type: "stacked", ...criteria },
    },
  });
const TASK = taskWith({ lift_height: 0.04, place_tolerance: 0.0625 });

function last(
  steps: readonly ObjectStep[],
  { touching = true, base = { position: [1, 0, 0.8] } as ObjectStep, task = TASK } = {},
): StepState {
  const verdict = judgedBy(
    task,
    steps.map((step) =>
      observed({ objects: { a: step, b: base }, contacts: touching ? [["b", "a"]] : [] }),
    ),
  ).at(-1);
  if (!verdict) throw new Error("no steps");
  return verdict;
}

const times = <T>(count: number, step: T): T[] => Array.from({ length: count }, () => step);
const CARRY = [{}, HELD, HELD, { ...HELD, lowestM: 0.9 }];
const ON_TOP = { position: [1, 0, 0.9] } as const;
const stacked = (changes: ObjectStep = {}, options = {}) =>
  last([...CARRY, ...times(HOLD_STEPS, { ...ON_TOP, ...changes })], options);

describe("the preset stacked", () => {
  it("the preset stacked holds after ten steps with the object released on its base", () => {
    expect(last([...CARRY, ...times(HOLD_STEPS - 1, ON_TOP)]).success).toBe(false);
    const verdict = stacked();
    expect(verdict).toMatchObject({ success: true, object_placed: true, target: "a" });
    expect(Object.keys(verdict.stages ?? {})).toEqual([
      "reached",
      "grasped",
      "lifted",
      "stacked",
      "released",
    ]);
    expect(verdict.stages).toMatchObject({ stacked: true, released: true });
  });

  it("the preset stacked requires contact with the base", () => {
    const verdict = stacked({}, { touching: false });
    expect(verdict.success).toBe(false);
    expect(verdict.conditions?.find(({ name }) => name === "on_base")?.holds).toBe(false);
  });

  it.each([
    ["above_base", { position: [1.0625, 0, 0.9] }, { position: [1.07, 0, 0.9] }],
    ["on_top", { position: [1, 0, 0.9049] }, { position: [1, 0, 0.9051] }],
    ["at_rest", { speedMps: 0.01 }, { speedMps: 0.011 }],
    ["not_turning", { turnRadps: 0.5 }, { turnRadps: 0.51 }],
    ["released", {}, { fingersN: [0.2, 0] }],
  ] as [string, ObjectStep, ObjectStep][])(
    "the preset stacked accepts %s exactly at its threshold and rejects it beyond",
    (name, at, beyond) => {
      expect(stacked(at).success).toBe(true);
      expect(stacked(beyond).success).toBe(false);
      expect(stacked(beyond).conditions?.find((c) => c.name === name)?.holds).toBe(false);
    },
  );

  it("the preset stacked does not hold for an object that was on its base from the start", () => {
    expect(last(times(30, ON_TOP)).success).toBe(false);
  });

  it("the preset stacked does not hold for an object inside or beside its base", () => {
    expect(stacked({ position: [1, 0, 0.82] }).success).toBe(false);
    expect(stacked({ position: [1, 0.06, 0.8] }).success).toBe(false);
  });

  it("the preset stacked ends when the base is pulled away", () => {
    expect(stacked({}, { base: { position: [1.2, 0, 0.8] } }).success).toBe(false);
  });

  it("the preset stacked allows an offset of half the diagonal of the base plus 5 mm by default, as in ManiSkill", () => {
    const { conditions } = stacked({}, { task: taskWith({}) });
    const above = conditions?.find(({ name }) => name === "above_base");
    expect(above?.threshold).toBeCloseTo(Math.hypot(0.03, 0.04) + 0.005, 12);
  });
});
