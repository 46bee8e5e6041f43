import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dampedStep } from "./damped-step.js";

const number = fc.double({ min: -2, max: 2, noNaN: true });
const ANYWHERE = [-Infinity, Infinity] as const;

describe("dampedStep", () => {
  it("dampedStep solves the task and follows the preferred step in its null space", () => {
    // Two degrees of freedom with the same effect, and one without effect.
    const step = dampedStep({
      jacobian: Float64Array.of(1, 1, 0),
      error: [1],
      damping: 1e-12,
      preferred: [0.2, 0, 0.7],
      bounds: [ANYWHERE, ANYWHERE, ANYWHERE],
    });
    expect(step[0]).toBeCloseTo(0.6, 9);
    expect(step[1]).toBeCloseTo(0.4, 9);
    expect(step[2]).toBe(0.7);
  });

  it("dampedStep compensates with the other degrees of freedom for one at its bound", () => {
    const step = dampedStep({
      jacobian: Float64Array.of(1, 1),
      error: [1],
      damping: 1e-12,
      preferred: [0, 0],
      bounds: [[-1, 0.1], ANYWHERE],
    });
    expect(step[0]).toBe(0.1);
    expect(step[1]).toBeCloseTo(0.9, 9);
  });

  it("dampedStep stays finite and within its bounds for any Jacobian, also singular ones", () => {
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 12, maxLength: 12 }),
        fc.array(number, { minLength: 3, maxLength: 3 }),
        fc.array(number, { minLength: 4, maxLength: 4 }),
        (jacobian, error, preferred) => {
          const bounds = preferred.map(() => [-0.5, 0.25] as const);
          const step = dampedStep({
            jacobian: Float64Array.from(jacobian),
            error,
            damping: 1e-9,
            preferred,
            bounds,
          });
          for (const value of step) {
            expect(value).toBeGreaterThanOrEqual(-0.5);
            expect(value).toBeLessThanOrEqual(0.25);
          }
        },
      ),
    );
  });
});
