import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measure, type Step } from "../../../test/support/nav-task.js";
import { Smoothness } from "./smoothness.js";

interface Movement {
  readonly samples?: number;
  readonly durationS?: number;
  readonly sizeM?: number;
}

/** The end effector along a unit line, at `shape(tau)` of the way for tau from 0 to 1. */
function moving(shape: (tau: number) => number, movement: Movement = {}): Step[] {
  const { samples = 101, durationS = 1, sizeM = 1 } = movement;
  return Array.from({ length: samples }, (_, i) => {
    const tau = i / (samples - 1);
    const along = sizeM * shape(tau);
    return {
      timeS: tau * durationS,
      state: { ee_pose: [0.6 * along, 0, 0.8 * along, 1, 0, 0, 0] },
    };
  });
}

const minimumJerk = (tau: number) => tau ** 3 * (10 - 15 * tau + 6 * tau ** 2);
const smoothness = (steps: readonly Step[]) =>
  measure(new Smoothness(), steps) ?? Number.NEGATIVE_INFINITY;

describe("smoothness", () => {
  it("of a minimum-jerk reach tends to -ln(204.8)", () => {
    // Closed form: the integral is 720 A^2 / D^5 and the peak speed 1.875 A / D.
    expect(smoothness(moving(minimumJerk, { samples: 2001 }))).toBeCloseTo(-Math.log(204.8), 2);
  });

  it("is lower for a shaken reach and for one that halts midway", () => {
    const shaken = (tau: number) => minimumJerk(tau) + 0.01 * Math.sin(6 * Math.PI * tau) ** 3;
    const halting = (tau: number) =>
      (minimumJerk(Math.min(1, 2 * tau)) + minimumJerk(Math.max(0, 2 * tau - 1))) / 2;
    expect(smoothness(moving(shaken))).toBeLessThan(smoothness(moving(minimumJerk)));
    expect(smoothness(moving(halting))).toBeLessThan(smoothness(moving(minimumJerk)));
  });

  it("depends neither on the size of a movement nor on its speed", () => {
    const size = fc.double({ min: 0.01, max: 10, noNaN: true });
    fc.assert(
      fc.property(size, size, (sizeM, durationS) => {
        const value = smoothness(moving(minimumJerk, { sizeM, durationS }));
        expect(value).toBeCloseTo(smoothness(moving(minimumJerk)), 6);
      }),
    );
  });

  it("takes uneven steps of time for what they are", () => {
    const even = moving(minimumJerk, { samples: 2001 });
    const uneven = even.filter((_, i) => i % 3 !== 1);
    expect(smoothness(uneven)).toBeCloseTo(smoothness(even), 2);
  });

  it("passes over a record at which no time went by", () => {
    const steps = moving(minimumJerk);
    const last = steps.at(-1);
    expect(last).toBeDefined();
    const stopped = [...steps, { ...last, action: "stop", state: last?.state ?? {} }];
    expect(smoothness(stopped)).toBe(smoothness(steps));
  });

  it("has no value for what never moves, for fewer than 4 records, and without time", () => {
    expect(
      measure(
        new Smoothness(),
        moving(() => 0),
      ),
    ).toBeNull();
    expect(measure(new Smoothness(), moving(minimumJerk, { samples: 3 }))).toBeNull();
    expect(measure(new Smoothness(), moving(minimumJerk).slice(0, 1))).toBeNull();
    expect(measure(new Smoothness(), moving(minimumJerk, { durationS: 0 }))).toBeNull();
    expect(measure(new Smoothness(), [])).toBeNull();
  });

  it("has no value for a movement without any jerk", () => {
    // Powers of two, so that the differences come out exactly 0.
    expect(
      measure(
        new Smoothness(),
        [0, 1, 2, 3, 4].map((i) => ({
          timeS: i / 4,
          state: { ee_pose: [i / 8, 0, 0] },
        })),
      ),
    ).toBeNull();
  });
});
