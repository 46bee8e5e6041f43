import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measure, type Step } from "../../../test/support/nav-task.js";
import { Smoothness } from "./smoothness.js";

interface Movement {
  readonly samples?: number;
  readonly durationS?: number;
  readonly sizeM?: number;
}

/** The end effector on a straight line, at the fraction `shape(tau)` of it for tau from 0 to 1. */
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
  it("smoothness approaches -ln(204.8) for a minimum-jerk reach", () => {
    // Closed form: the integral is 720 A^2 / D^5 and the peak speed 1.875 A / D.
    expect(smoothness(moving(minimumJerk, { samples: 2001 }))).toBeCloseTo(-Math.log(204.8), 2);
  });

  it("smoothness is lower for a reach with vibration and for one that stops midway", () => {
    const shaken = (tau: number) => minimumJerk(tau) + 0.01 * Math.sin(6 * Math.PI * tau) ** 3;
    const halting = (tau: number) =>
      (minimumJerk(Math.min(1, 2 * tau)) + minimumJerk(Math.max(0, 2 * tau - 1))) / 2;
    expect(smoothness(moving(shaken))).toBeLessThan(smoothness(moving(minimumJerk)));
    expect(smoothness(moving(halting))).toBeLessThan(smoothness(moving(minimumJerk)));
  });

  it("smoothness depends neither on the size of a movement nor on its speed", () => {
    const size = fc.double({ min: 0.01, max: 10, noNaN: true });
    fc.assert(
      fc.property(size, size, (sizeM, durationS) => {
        const value = smoothness(moving(minimumJerk, { sizeM, durationS }));
        expect(value).toBeCloseTo(smoothness(moving(minimumJerk)), 6);
      }),
    );
  });

  it("smoothness accounts for time steps of unequal length", () => {
    const even = moving(minimumJerk, { samples: 2001 });
    const uneven = even.filter((_, i) => i % 3 !== 1);
    expect(smoothness(uneven)).toBeCloseTo(smoothness(even), 2);
  });

  it("smoothness ignores a record at the same simulated time as the one before", () => {
    const steps = moving(minimumJerk);
    const last = steps.at(-1);
    expect(last).toBeDefined();
    const stopped = [...steps, { ...last, action: "stop", state: last?.state ?? {} }];
    expect(smoothness(stopped)).toBe(smoothness(steps));
  });

  it("smoothness is null without movement, with fewer than 4 records, and with zero duration", () => {
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

  it("smoothness is null for a movement without jerk", () => {
    // Multiples of powers of two, so that the differences are exactly 0.
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
