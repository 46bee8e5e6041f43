import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JointPath } from "./joint-path.js";

const points = fc.array(
  fc.tuple(
    fc.double({ min: -2, max: 2, noNaN: true }),
    fc.double({ min: -2, max: 2, noNaN: true }),
  ),
  { minLength: 2, maxLength: 6 },
);

describe("JointPath", () => {
  it("JointPath starts and ends at the right points and passes through the others", () => {
    const path = new JointPath([[0], [1], [0.5]], [0.5]);
    expect(path.at(0)).toEqual([0]);
    expect(path.at(path.durationS)).toEqual([0.5]);
    expect(path.at(1e9)).toEqual([0.5]);
    expect(path.durationS).toBeCloseTo(1.5 / 0.5 + 0.3, 9);
  });

  it("JointPath keeps every degree of freedom within its speed limit", () => {
    fc.assert(
      fc.property(points, fc.double({ min: 0.2, max: 1, noNaN: true }), (way, pace) => {
        const limits = [0.3, 1.5];
        const path = new JointPath(way, limits, pace);
        for (let t = 0; t < path.durationS + 0.1; t += 0.05) {
          const [a, b] = [path.at(t), path.at(t + 0.05)];
          for (const [i, limit] of limits.entries()) {
            const speed = Math.abs((b[i] as number) - (a[i] as number)) / 0.05;
            expect(speed).toBeLessThanOrEqual(limit * pace + 1e-9);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("JointPath takes no time for a path of length zero", () => {
    const path = new JointPath([[1, 2]], [1, 1]);
    expect(path.durationS).toBe(0);
    expect(path.at(0)).toEqual([1, 2]);
  });
});
