import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakPoint, type StrengthSample } from "./break-point.js";

/** 100 episodes that succeed unperturbed, of which a share succeeds at this strength. */
function sample(value: number, share: number, n = 100): StrengthSample {
  return {
    value,
    baseline: Array.from({ length: n }, () => 1),
    perturbed: Array.from({ length: n }, (_, i) => (i < share * n ? 1 : 0)),
    scenes: Array.from({ length: n }, (_, i) => String(i)),
  };
}

describe("breakPoint", () => {
  it("breakPoint interpolates between the strengths around half of the unperturbed success", () => {
    const found = breakPoint(0, [sample(10, 0.8), sample(20, 0.4), sample(30, 0)]);
    expect(found?.value).toBeCloseTo(17.5);
    expect(found?.level).toBeCloseTo(1.75);
    expect(found?.near).toBeLessThan(17.5);
    expect(found?.near).toBeGreaterThan(10);
    expect(found?.far).toBeGreaterThan(17.5);
    expect(found?.far).toBeLessThan(30);
  });

  it("breakPoint follows strengths that fall from level to level", () => {
    const found = breakPoint(100, [sample(30, 0.9), sample(10, 0.1)]);
    expect(found?.value).toBeCloseTo(20);
    expect(found?.near).toBeGreaterThan(20);
    expect(found?.far).toBeLessThan(20);
  });

  it("breakPoint is half of the baseline success, not of all episodes", () => {
    const baseline = Array.from({ length: 100 }, (_, i) => (i < 40 ? 1 : 0));
    const perturbed = baseline.map((_, i) => (i < 20 ? 1 : 0));
    const scenes = baseline.map((_, i) => String(i));
    const found = breakPoint(0, [{ value: 1, baseline, perturbed, scenes }]);
    expect(found?.value).toBeCloseTo(1);
  });

  it("breakPoint has no value where success stays above half, and an open interval if it may not", () => {
    expect(breakPoint(0, [sample(1, 0.9)])).toEqual({
      ...{ value: undefined, level: undefined, near: undefined, far: undefined },
    });
    const close = breakPoint(0, [sample(1, 0.55)]);
    expect(close?.value).toBeUndefined();
    expect(close?.near).toBeGreaterThan(0);
    expect(close?.far).toBeUndefined();
  });

  it("breakPoint is unknown without episodes and for a baseline that never succeeds", () => {
    expect(breakPoint(0, [])).toBeUndefined();
    const { scenes, perturbed, value } = sample(1, 0.5);
    const baseline = perturbed.map(() => 0);
    expect(breakPoint(0, [{ value, baseline, perturbed, scenes }])).toBeUndefined();
  });

  it("breakPoint contains the break point in its interval, which narrows with more episodes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 0, max: 4 }), (high, low) => {
        const at = (n: number) => breakPoint(0, [sample(1, high / 10, n), sample(2, low / 10, n)]);
        const [few, many] = [at(40), at(400)];
        if (few?.value === undefined || many?.value === undefined) return;
        for (const { value = 0, near = 0, far = 2 } of [few, many]) {
          expect(near).toBeLessThanOrEqual(value);
          expect(far).toBeGreaterThanOrEqual(value);
        }
        expect(many.near).toBeGreaterThanOrEqual((few.near ?? 0) - 1e-9);
      }),
    );
  });
});
