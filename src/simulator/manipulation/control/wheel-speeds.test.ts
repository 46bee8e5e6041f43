import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BaseVelocity, brakingSpeed, ramped, withinWheelSpeed } from "./wheel-speeds.js";

const LIMITS = { trackM: 0.3153, wheelMps: 0.3, wheelMps2: 0.3 };
const HALF = LIMITS.trackM / 2;
const speed = fc.double({ min: -3, max: 3, noNaN: true });
const velocity = fc.record({ forwardMps: speed, turnRadps: speed });

const wheels = ({ forwardMps, turnRadps }: BaseVelocity) =>
  [forwardMps + turnRadps * HALF, forwardMps - turnRadps * HALF] as const;

describe("the wheels' limits", () => {
  it("the wheel limits keep each wheel at its highest speed or below, on the same arc", () => {
    fc.assert(
      fc.property(velocity, (wanted) => {
        const got = withinWheelSpeed(wanted, LIMITS);
        for (const wheel of wheels(got)) expect(Math.abs(wheel)).toBeLessThanOrEqual(0.3 + 1e-12);
        expect(got.forwardMps * wanted.turnRadps).toBeCloseTo(got.turnRadps * wanted.forwardMps, 9);
      }),
    );
  });

  it("the wheel limits change the speed of each wheel by no more than the acceleration allows, and arrive", () => {
    fc.assert(
      fc.property(velocity, velocity, (from, to) => {
        const [start, goal] = [withinWheelSpeed(from, LIMITS), withinWheelSpeed(to, LIMITS)];
        const [a, b] = [wheels(start), wheels(ramped(start, goal, LIMITS, 0.05))];
        for (const i of [0, 1] as const)
          expect(Math.abs(b[i] - a[i])).toBeLessThanOrEqual(0.015 + 1e-12);
        let now = start;
        for (let i = 0; i < 50; i++) now = ramped(now, goal, LIMITS, 0.05);
        expect(now.forwardMps).toBeCloseTo(goal.forwardMps, 9);
        expect(now.turnRadps).toBeCloseTo(goal.turnRadps, 9);
      }),
    );
  });

  it("the wheel limits let a wheel come to rest before its goal", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5, noNaN: true }), (remainingM) => {
        const v = brakingSpeed(remainingM, LIMITS, 0.05);
        expect(v * 0.05 + v ** 2 / 0.6).toBeLessThanOrEqual(remainingM + 1e-9);
      }),
    );
    expect(brakingSpeed(-1, LIMITS, 0.05)).toBe(0);
  });
});
