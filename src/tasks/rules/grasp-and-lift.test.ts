import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StepState } from "../../core/interfaces/step.js";
import { HELD, judgedBy, type ObjectStep, observed } from "../../core/rules/steps.fixture.js";
import { PickAndPlaceTask } from "../manipulation/pick-place.js";
import { HOLD_STEPS } from "./goals.js";

// Binary fractions, so that values at a threshold are exact.
const TASK = new PickAndPlaceTask({
  goals: {
    target_object: { name: "cup" },
    target_location: { position: [1, 0, 0.875] },
    success_criteria: { type: "grasp_and_lift", lift_height: 0.125, place_tolerance: 0.0625 },
  },
});
const SIZE = [0.0625, 0.0625, 0.125] as const;

/** The states of one episode with verdicts. */
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

describe("the condition grasped of grasp_and_lift", () => {
  it("the condition grasped of grasp_and_lift holds if both fingers press in two consecutive steps", () => {
    expect(last(START, HELD).object_grasped).toBe(false);
    expect(last(START, HELD, HELD).object_grasped).toBe(true);
    expect(last(START, HELD, START, HELD).object_grasped).toBe(false);
    expect(last(START, ...times(5, { fingersN: [9, 0] as const })).object_grasped).toBe(false);
  });

  it("the condition grasped of grasp_and_lift holds from exactly 0.5 N of each finger on", () => {
    const pressed = (fingersN: readonly [number, number]) =>
      last(START, { fingersN }, { fingersN }).object_grasped;
    expect(pressed([0.5, 0.5])).toBe(true);
    expect(pressed([0.5, 0.4999])).toBe(false);
  });

  it("the condition grasped of grasp_and_lift keeps holding after release, while the stage grasped does not", () => {
    const verdict = last(...GRASP, START);
    expect(verdict.object_grasped).toBe(true);
    expect(holds(verdict, "grasped")).toBe(true);
    expect(verdict.stages?.grasped).toBe(false);
  });
});

describe("the condition lifted of grasp_and_lift", () => {
  it("the condition lifted of grasp_and_lift holds from exactly the required rise of the lowest point on", () => {
    expect(last(...GRASP, { ...HELD, lowestM: 0.875 }).object_lifted).toBe(true);
    expect(last(...GRASP, { ...HELD, lowestM: 0.8749 }).object_lifted).toBe(false);
  });

  it("the condition lifted of grasp_and_lift counts only while the object is grasped", () => {
    expect(last(START, { lowestM: 1.2 }, START).object_lifted).toBe(false);
    expect(last(...GRASP, { lowestM: 1.2 }).object_lifted).toBe(false);
  });

  it("the condition lifted of grasp_and_lift keeps holding, and reports the highest rise", () => {
    const verdict = last(...CARRY, { ...HELD, lowestM: 0.8 }, START);
    expect(verdict.object_lifted).toBe(true);
    expect(verdict.conditions?.find(({ name }) => name === "lifted")?.value).toBe(0.125);
    expect(verdict.stages?.lifted).toBe(false);
    expect(verdict.lift_m).toBe(0);
  });
});

describe("success of grasp_and_lift", () => {
  it("success of grasp_and_lift requires ten consecutive steps with the object released at the target", () => {
    const verdicts = judged(...CARRY, ...times(HOLD_STEPS, PLACED));
    const first = verdicts.findIndex(({ success }) => success);
    expect(first).toBe(CARRY.length + HOLD_STEPS - 1);
    expect(verdicts[first - 1]?.object_placed).toBe(false);
    expect(verdicts[first]?.object_placed).toBe(true);
    expect(Object.values(verdicts[first - 1]?.stages ?? {}).slice(3)).toEqual([true, true]);
  });

  it("success of grasp_and_lift restarts its count after any interruption", () => {
    const nine = times(HOLD_STEPS - 1, PLACED);
    const slip = { ...PLACED, speedMps: 0.02 };
    expect(last(...CARRY, ...nine, slip, ...nine).success).toBe(false);
    expect(last(...CARRY, ...nine, slip, ...nine, PLACED).success).toBe(true);
  });

  it("success of grasp_and_lift ends when the object slides away", () => {
    const gone = { ...PLACED, position: [1.2, 0, 0.875] as const };
    const verdict = last(...CARRY, ...times(HOLD_STEPS, PLACED), gone);
    expect(verdict.success).toBe(false);
    expect(verdict.object_placed).toBe(false);
    expect(verdict.object_lifted).toBe(true);
  });

  it("success of grasp_and_lift requires a grasp: an object that started there or was pushed there does not count", () => {
    expect(last(...times(30, PLACED)).success).toBe(false);
    expect(last(...GRASP, ...times(30, PLACED)).success).toBe(false);
    expect(last(...times(30, PLACED)).stages).toMatchObject({ placed: false, released: false });
  });

  it("success of grasp_and_lift requires that no part of the robot touches the object", () => {
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
    "success of grasp_and_lift accepts %s exactly at its threshold and rejects it beyond",
    (name, at, beyond) => {
      const end = (changes: ObjectStep) =>
        last(...CARRY, ...times(HOLD_STEPS, { ...PLACED, ...changes }));
      expect(end(at).success).toBe(true);
      expect(end(beyond).success).toBe(false);
      expect(holds(end(beyond), name)).toBe(false);
    },
  );

  it("success of grasp_and_lift does not hold for NaN", () => {
    const lost = { ...PLACED, position: [Number.NaN, 0, 0.875] as const };
    expect(last(...CARRY, ...times(30, lost)).success).toBe(false);
  });

  it("success of grasp_and_lift equals all conditions together, and the three flags together", () => {
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
  it("grasp_and_lift reports its stages in order, and the distance of the hand", () => {
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
