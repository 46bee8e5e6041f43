import { describe, expect, it } from "vitest";
import type { SuccessCriteria } from "../../core/rules/criteria.js";
import { judgedBy, type ObjectStep, observed, taskOf } from "../../core/rules/steps.fixture.js";
import { rearranged } from "./rearranged.js";

const GOALS = {
  target_object: { name: "mug" },
  target_location: { receptacle: "desk" },
};

interface Moment {
  /** Distance of the base from the mug and from the desk. */
  readonly near?: "mug" | "desk" | "neither";
  readonly sees?: "mug" | "desk" | "both" | "nothing";
  readonly mug?: "on_counter" | "held" | "on_desk" | "dropped";
  readonly speedMps?: number;
  readonly collisionN?: number;
}

const AT = { mug: [0, 0, 0], desk: [9, 0, 0], neither: [4, 0, 0] } as const;
const MUG = {
  on_counter: { position: [1, 0, 0.9], touches: { counter: 1 } },
  held: { position: [1, 0, 1.1], touches: {}, fingersN: [5, 5], robotTouches: true },
  on_desk: { position: [10, 0, 0.8], touches: { desk: 1 } },
  dropped: { position: [7, 0, 0], touches: { floor: 1 } },
} as const satisfies Readonly<Record<string, ObjectStep>>;

/** Some equal steps. */
function steps(count: number, moment: Moment) {
  const { near = "neither", sees = "nothing", mug = "on_counter", collisionN = 0 } = moment;
  const share = (target: "mug" | "desk") =>
    sees === target || sees === "both" ? { share: 0.5, image_share: 0.01 } : NOTHING;
  return Array.from({ length: count }, () =>
    observed({
      objects: { mug: { ...MUG[mug], speedMps: moment.speedMps ?? 0 } },
      more: {
        robot: { position: AT[near] },
        views: { head: { mug: share("mug"), desk: share("desk") } },
        collision_n: collisionN,
        things: {
          mug: { shape: "box", size_m: [0.1, 0.1, 0.1] },
          desk: {
            shape: "box",
            size_m: [1, 0.6, 0.8],
            position: [10, 0, 0.4],
            rotation_wxyz: [1, 0, 0, 0],
          },
        },
      },
    }),
  );
}

const NOTHING = { share: 0, image_share: 0 };

const FOUND = steps(1, { near: "mug", sees: "mug" });
const PICKED = steps(11, { near: "mug", mug: "held" });
const CARRIED = steps(1, { near: "desk", sees: "desk", mug: "held" });
const PLACED = steps(10, { near: "desk", mug: "on_desk" });

function last(parts: readonly ReturnType<typeof steps>[], criteria: object = {}) {
  const rules: SuccessCriteria = rearranged.criteria({ ...GOALS, success_criteria: criteria });
  const state = judgedBy(taskOf(rules), parts.flat()).at(-1);
  if (!state?.stages) throw new Error("no stages");
  const reached = Object.keys(state.stages).filter((name) => state.stages?.[name]);
  return { success: state.success, reached, state };
}

describe("rearranged", () => {
  it("the preset rearranged is a success after all four stages in their order", () => {
    const { success, reached } = last([FOUND, PICKED, CARRIED, PLACED]);
    expect(success).toBe(true);
    expect(reached).toEqual(["find_object", "pick", "find_receptacle", "place"]);
  });

  it("rearranged needs the object at rest on the goal for ten control steps", () => {
    const shorter = PLACED.slice(1);
    expect(last([FOUND, PICKED, CARRIED, shorter]).success).toBe(false);
    const rolling = steps(10, { near: "desk", mug: "on_desk", speedMps: 0.02 });
    expect(last([FOUND, PICKED, CARRIED, rolling]).success).toBe(false);
  });

  it("rearranged needs the object held clear of its support for ten control steps", () => {
    expect(last([FOUND, PICKED.slice(2), CARRIED, PLACED]).reached).toEqual(["find_object"]);
  });

  it("rearranged does not count a stage before the ones ahead of it", () => {
    expect(last([PICKED, CARRIED, PLACED]).reached).toEqual([]);
    expect(last([steps(20, { near: "desk", sees: "desk", mug: "on_desk" })]).reached).toEqual([]);
    expect(last([FOUND, CARRIED, PLACED]).reached).toEqual(["find_object"]);
    expect(last([FOUND, PICKED, PLACED]).reached).toEqual(["find_object", "pick"]);
  });

  it("rearranged needs the base near the target and the target in view at the same step", () => {
    const apart = [...steps(1, { near: "mug" }), ...steps(1, { sees: "mug" })];
    expect(last([apart]).reached).toEqual([]);
    expect(last([apart, FOUND]).reached).toEqual(["find_object"]);
  });

  it("rearranged measures distances from the base to the bounding boxes", () => {
    const { state } = last([FOUND]);
    expect(state.object_distance_m).toBeCloseTo(0.95, 9);
    expect(state.receptacle_distance_m).toBeCloseTo(9.5, 9);
    expect(state.goal_distance_m).toBeCloseTo(8.5, 9);
  });

  it("rearranged takes other tolerances from the criteria", () => {
    expect(last([FOUND], { find_distance: 0.9 }).reached).toEqual([]);
    expect(last([FOUND], { view_share: 0.6 }).reached).toEqual([]);
    expect(last([FOUND, PICKED, CARRIED, PLACED], { place_steps: 11 }).success).toBe(false);
  });

  it("rearranged needs 50 steps of rest and no collision with the profile ovmm", () => {
    const ovmm = { profile: "ovmm" };
    const placed = steps(50, { near: "desk", mug: "on_desk" });
    expect(last([FOUND, PICKED, CARRIED, PLACED], ovmm).success).toBe(false);
    expect(last([FOUND, PICKED, CARRIED, placed], ovmm).success).toBe(true);
    const bump = steps(1, { collisionN: 1.5 });
    const after = last([bump, FOUND, PICKED, CARRIED, placed], ovmm);
    expect(after.success).toBe(false);
    expect(after.reached).toEqual(["find_object", "pick", "find_receptacle"]);
    expect(last([bump, FOUND, PICKED, CARRIED, PLACED]).success).toBe(true);
  });

  it("rearranged rejects goals without a receptacle", () => {
    expect(() => rearranged.criteria({ target_object: { name: "mug" } })).toThrow(
      expect.objectContaining({ where: "goals.target_location" }),
    );
  });
});
