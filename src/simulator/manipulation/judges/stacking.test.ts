import { describe, expect, it } from "vitest";
import { facts, HELD, object } from "./facts.fixture.js";
import type { ObjectFacts } from "./facts.js";
import { defaultStackTolerance, StackingJudge } from "./stacking.js";
import { HOLD_STEPS, type Verdict } from "./verdict.js";

const RULE = { object: "a", base: "b", liftM: 0.04, toleranceM: 0.0625 } as const;
const BASE = object({ position: [1, 0, 0.8] });

function last(
  steps: readonly Partial<ObjectFacts>[],
  { touching = true, base = BASE }: { touching?: boolean; base?: ObjectFacts } = {},
): Verdict {
  const judge = new StackingJudge(RULE);
  judge.reset();
  const verdicts = steps.map((step) =>
    judge.update(
      facts({
        objects: { a: object(step), b: base },
        touching: touching ? [["b", "a"]] : [],
      }),
    ),
  );
  const verdict = verdicts.at(-1);
  if (!verdict) throw new Error("no steps");
  return verdict;
}

const times = <T>(count: number, step: T): T[] => Array.from({ length: count }, () => step);
const CARRY = [{}, HELD, HELD, { ...HELD, lowestM: 0.9 }];
const ON_TOP = { position: [1, 0, 0.9], lowestM: 0.85, highestM: 0.95 } as const;
const stacked = (changes: Partial<ObjectFacts> = {}, options = {}) =>
  last([...CARRY, ...times(HOLD_STEPS, { ...ON_TOP, ...changes })], options);

describe("a stack", () => {
  it("is one once it has stood by itself for ten steps", () => {
    expect(last([...CARRY, ...times(HOLD_STEPS - 1, ON_TOP)]).success).toBe(false);
    const verdict = stacked();
    expect(verdict).toMatchObject({ success: true, object_placed: true, target: "a" });
    expect(Object.keys(verdict.stages)).toEqual([
      "reached",
      "grasped",
      "lifted",
      "stacked",
      "released",
    ]);
    expect(verdict.stages).toMatchObject({ stacked: true, released: true });
  });

  it("needs contact with the base", () => {
    const verdict = stacked({}, { touching: false });
    expect(verdict.success).toBe(false);
    expect(verdict.conditions.find(({ name }) => name === "on_base")?.holds).toBe(false);
  });

  it.each([
    ["above_base", { position: [1.0625, 0, 0.9] }, { position: [1.07, 0, 0.9] }],
    ["on_top", { lowestM: 0.8549 }, { lowestM: 0.8551 }],
    ["at_rest", { speedMps: 0.01 }, { speedMps: 0.011 }],
    ["not_turning", { turnRadps: 0.5 }, { turnRadps: 0.51 }],
    ["released", {}, { fingersN: [0.2, 0] }],
  ] as [string, Partial<ObjectFacts>, Partial<ObjectFacts>][])(
    "takes %s at its limit and not beyond",
    (name, at, beyond) => {
      expect(stacked(at).success).toBe(true);
      expect(stacked(beyond).success).toBe(false);
      expect(stacked(beyond).conditions.find((c) => c.name === name)?.holds).toBe(false);
    },
  );

  it("is none that stood there from the start", () => {
    expect(last(times(30, ON_TOP)).success).toBe(false);
  });

  it("is none in the base, nor beside it", () => {
    expect(stacked({ lowestM: 0.77 }).success).toBe(false);
    expect(stacked({ position: [1, 0.06, 0.8], lowestM: 0.75 }).success).toBe(false);
  });

  it("falls when the base is drawn from under it", () => {
    expect(stacked({}, { base: object({ position: [1.2, 0, 0.8] }) }).success).toBe(false);
  });

  it("may by default be off by the base's half diagonal and 5 mm, as ManiSkill has it", () => {
    expect(defaultStackTolerance([0.04, 0.04, 0.04])).toBeCloseTo(Math.SQRT2 * 0.02 + 0.005, 12);
  });
});
