import { describe, expect, it } from "vitest";
import type { StepState } from "../../core/interfaces/step.js";
import { type FixtureStep, judgedBy, observed } from "../../core/rules/steps.fixture.js";
import { OpeningTask } from "../manipulation/opening.js";
import { HOLD_STEPS } from "./goals.js";

const TASK = new OpeningTask({ goals: { target_fixture: { name: "drawer" } } });

function last(steps: readonly FixtureStep[], kind: "drawer" | "door" = "drawer"): StepState {
  const verdict = judgedBy(
    TASK,
    steps.map((step) => observed({ fixtures: { drawer: { ...step, kind } } })),
  ).at(-1);
  if (!verdict) throw new Error("no steps");
  return verdict;
}

const times = <T>(count: number, step: T): T[] => Array.from({ length: count }, () => step);

describe("the preset opened", () => {
  it("the preset opened holds after ten steps with the fixture open far enough", () => {
    expect(last(times(HOLD_STEPS - 1, { opened: 0.75 })).success).toBe(false);
    expect(last(times(HOLD_STEPS, { opened: 0.75 })).success).toBe(true);
    expect(last(times(HOLD_STEPS, { opened: 0.7499 })).success).toBe(false);
    expect(last([...times(HOLD_STEPS, { opened: 0.9 }), { opened: 0.7 }]).success).toBe(false);
  });

  it.each([
    ["drawer", 0.1],
    ["door", 1],
  ] as const)("a %s does not count as opened while it moves faster than %d", (kind, limit) => {
    const moving = (speed: number) => last(times(HOLD_STEPS, { opened: 0.9, speed }), kind).success;
    expect(moving(limit)).toBe(true);
    expect(moving(limit * 1.01)).toBe(false);
    expect(moving(-limit * 1.01)).toBe(false);
  });

  it("the preset opened reports its stages in order", () => {
    expect(Object.keys(last([{}]).stages ?? {})).toEqual(["reached", "grasped", "moved", "opened"]);
    expect(last([{ reachM: 0.05 }]).stages?.reached).toBe(true);
    expect(last([{ opened: 0.2 }, { opened: 0.24 }]).stages?.moved).toBe(false);
    expect(last([{ opened: 0.25 }, { opened: 0.3125 }]).stages?.moved).toBe(true);
    expect(last([{ opened: 0.8 }])).toMatchObject({ target: "drawer", stages: { opened: true } });
  });

  it("the preset opened counts both fingers, or one finger that pulls, as grasped", () => {
    const grasped = (...steps: readonly FixtureStep[]) => last(steps).stages?.grasped;
    const both = { fingersN: [0.5, 0.5] } as const;
    const one = { fingersN: [0, 0.5] } as const;
    expect(grasped(both)).toBe(false);
    expect(grasped(both, both)).toBe(true);
    expect(grasped(one, one)).toBe(false);
    expect(grasped({ ...one, speed: 0.01 })).toBe(true);
    // A finger that pushes the fixture shut does not grasp it.
    expect(grasped({ ...one, speed: -0.2 })).toBe(false);
    expect(grasped({ speed: 0.2 })).toBe(false);
  });

  it("the preset opened holds only if all conditions hold", () => {
    const { conditions } = last(times(HOLD_STEPS, { opened: 0.8 }));
    expect(conditions?.map(({ name, holds }) => [name, holds])).toEqual([
      ["opened", true],
      ["at_rest", true],
    ]);
  });
});
