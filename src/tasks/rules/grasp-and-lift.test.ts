import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StepState } from "../../core/interfaces/step.js";
import { HELD, judgedBy, type ObjectStep, observed } from "../../core/rules/steps.fixture.js";
import { PickAndPlaceTask } from "../manipulation/pick-place.js";
import { HOLD_STEPS } from "./goals.js";

// Binary fractions, so that what is exactly at a limit is exactly there.
const TASK = new PickAndPlaceTask({
  goals: {
    target_object: { name: "cup" },
    target_location: { position: [1, 0, 0.875] },
    success_criteria: { type: "grasp_and_lift", lift_height: 0.125, place_tolerance: 0.0625 },
  },
});
const SIZE = [0.0625, 0.0625, 0.125] as const;

/** The judged states of one episode. */
function judged(...steps: readonly ObjectStep[]): StepState[] {
  return judgedBy(
    TASK,
    steps.map((step) => observed({ objects: { cup: step }, sizeM: SIZE })),
  );
}

function last(...steps: readonly ObjectStep[]): StepState {
  const verdict = judged(...steps).at(-1);
  if (!verdict) throw new Error("no steps");
  return verdict;
}

const times = <T>(count: number, step: T): T[] => Array.from({ length: count }, () => step);
const holds = ({ conditions }: StepState, name: string) =>
  conditions?.find((condition) => condition.name === name)?.holds;

const START = {};
const GRASP = [START, HELD, HELD];
const CARRY = [...GRASP, { ...HELD, lowestM: 0.875 }];
const PLACED = { position: [1, 0, 0.875] } as const;

describe("a grasp", () => {
  it("takes both fingers for two steps in a row", () => {
    expect(last(START, HELD).object_grasped).toBe(false);
    expect(last(START, HELD, HELD).object_grasped).toBe(true);
    expect(last(START, HELD, START, HELD).object_grasped).toBe(false);
    expect(last(START, ...times(5, { fingersN: [9, 0] as const })).object_grasped).toBe(false);
  });

  it("takes half a newton of each finger, and not a bit less", () => {
    const pressed = (fingersN: readonly [number, number]) =>
      last(START, { fingersN }, { fingersN }).object_grasped;
    expect(pressed([0.5, 0.5])).toBe(true);
    expect(pressed([0.5, 0.4999])).toBe(false);
  });

  it("was one for good, while the stage is what holds now", () => {
    const verdict = last(...GRASP, START);
    expect(verdict.object_grasped).toBe(true);
    expect(holds(verdict, "grasped")).toBe(true);
    expect(verdict.stages?.grasped).toBe(false);
  });
});

describe("a lift", () => {
  it("is of the lowest point over where it was, to the limit and not below", () => {
    expect(last(...GRASP, { ...HELD, lowestM: 0.875 }).object_lifted).toBe(true);
    expect(last(...GRASP, { ...HELD, lowestM: 0.8749 }).object_lifted).toBe(false);
  });

  it("counts only in the grip", () => {
    expect(last(START, { lowestM: 1.2 }, START).object_lifted).toBe(false);
    expect(last(...GRASP, { lowestM: 1.2 }).object_lifted).toBe(false);
  });

  it("was one for good, and its highest is told", () => {
    const verdict = last(...CARRY, { ...HELD, lowestM: 0.8 }, START);
    expect(verdict.object_lifted).toBe(true);
    expect(verdict.conditions?.find(({ name }) => name === "lifted")?.value).toBe(0.125);
    expect(verdict.stages?.lifted).toBe(false);
    expect(verdict.lift_m).toBe(0);
  });
});

describe("success", () => {
  it("comes with the tenth step in a row that the object lies there, let go", () => {
    const verdicts = judged(...CARRY, ...times(HOLD_STEPS, PLACED));
    const first = verdicts.findIndex(({ success }) => success);
    expect(first).toBe(CARRY.length + HOLD_STEPS - 1);
    expect(verdicts[first - 1]?.object_placed).toBe(false);
    expect(verdicts[first]?.object_placed).toBe(true);
    expect(Object.values(verdicts[first - 1]?.stages ?? {}).slice(3)).toEqual([true, true]);
  });

  it("begins to count again after any break", () => {
    const nine = times(HOLD_STEPS - 1, PLACED);
    const slip = { ...PLACED, speedMps: 0.02 };
    expect(last(...CARRY, ...nine, slip, ...nine).success).toBe(false);
    expect(last(...CARRY, ...nine, slip, ...nine, PLACED).success).toBe(true);
  });

  it("is lost when the object slides away", () => {
    const gone = { ...PLACED, position: [1.2, 0, 0.875] as const };
    const verdict = last(...CARRY, ...times(HOLD_STEPS, PLACED), gone);
    expect(verdict.success).toBe(false);
    expect(verdict.object_placed).toBe(false);
    expect(verdict.object_lifted).toBe(true);
  });

  it("does not come to an object that lay there from the start, or was pushed there", () => {
    expect(last(...times(30, PLACED)).success).toBe(false);
    expect(last(...GRASP, ...times(30, PLACED)).success).toBe(false);
    expect(last(...times(30, PLACED)).stages).toMatchObject({ placed: false, released: false });
  });

  it("does not come while a finger, or anything else of the robot, is on it", () => {
    const touched = (changes: ObjectStep) =>
      last(...CARRY, ...times(30, { ...PLACED, ...changes }));
    expect(touched({}).success).toBe(true);
    expect(touched({ fingersN: [0.01, 0] }).success).toBe(false);
    expect(touched({ robotTouches: true }).success).toBe(false);
    expect(touched({ robotTouches: true }).stages).toMatchObject({ placed: true, released: false });
  });

  it.each([
    ["at_target", { position: [1.0625, 0, 0.875] }, { position: [1.0626, 0, 0.875] }],
    ["at_height", { position: [1, 0, 0.9375] }, { position: [1, 0, 0.938] }],
    ["at_height", { position: [1, 0, 0.8125] }, { position: [1, 0, 0.812] }],
    ["at_rest", { speedMps: 0.01 }, { speedMps: 0.0101 }],
    ["not_turning", { turnRadps: 0.5 }, { turnRadps: 0.501 }],
  ] as [string, ObjectStep, ObjectStep][])(
    "takes %s at its limit and not beyond it",
    (name, at, beyond) => {
      const end = (changes: ObjectStep) =>
        last(...CARRY, ...times(HOLD_STEPS, { ...PLACED, ...changes }));
      expect(end(at).success).toBe(true);
      expect(end(beyond).success).toBe(false);
      expect(holds(end(beyond), name)).toBe(false);
    },
  );

  it("does not come to numbers that are none", () => {
    const lost = { ...PLACED, position: [Number.NaN, 0, 0.875] as const };
    expect(last(...CARRY, ...times(30, lost)).success).toBe(false);
  });

  it("means that all conditions hold, and is what the design's three words say together", () => {
    const step = fc.constantFrom<ObjectStep>(
      START,
      HELD,
      { ...HELD, lowestM: 0.9 },
      PLACED,
      { ...PLACED, speedMps: 1 },
      { lowestM: 0.9 },
    );
    const spans = fc.array(fc.tuple(step, fc.integer({ min: 1, max: 14 })), { maxLength: 8 });
    fc.assert(
      fc.property(spans, (parts) => {
        for (const verdict of judged(...parts.flatMap(([one, count]) => times(count, one)))) {
          const { success, conditions, object_grasped, object_lifted, object_placed } = verdict;
          if (success) expect(conditions?.every((condition) => condition.holds)).toBe(true);
          expect(success).toBe(
            object_grasped === true && object_lifted === true && object_placed === true,
          );
        }
      }),
    );
  });
});

describe("grasp_and_lift", () => {
  it("knows its stages in the task's order, and how near the hand is", () => {
    const verdict = last({ reachM: 0.049 });
    expect(Object.keys(verdict.stages ?? {})).toEqual([
      "reached",
      "grasped",
      "lifted",
      "placed",
      "released",
    ]);
    expect(verdict).toMatchObject({
      target: "cup",
      reach_m: expect.closeTo(0.049, 9),
      stages: { reached: true },
    });
    expect(last({ reachM: 0.051 }).stages?.reached).toBe(false);
  });
});
