import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NavigationSuccess } from "../../metrics/navigation/success.js";
import { aggregate } from "./base.js";

describe("aggregate", () => {
  it("aggregate gives the population standard deviation (ddof 0), like std of numpy", () => {
    expect(aggregate([1, 2, 3, 4])).toEqual({
      mean: 2.5,
      std: Math.sqrt(1.25),
      min: 1,
      max: 4,
      count: 4,
    });
  });

  it("aggregate gives a standard deviation of 0 for one value", () => {
    expect(aggregate([0.7])).toEqual({ mean: 0.7, std: 0, min: 0.7, max: 0.7, count: 1 });
  });

  it("aggregate gives null, not 0, as the mean of an empty list", () => {
    expect(aggregate([])).toEqual({ mean: null, std: null, min: null, max: null, count: 0 });
  });

  it("aggregate gives a mean between the least and the greatest value", () => {
    // `+ 0` turns -0 into 0, which `toBe` distinguishes.
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((x) => x + 0);
    const values = fc.array(value, { minLength: 1 });
    fc.assert(
      fc.property(values, (list) => {
        const { mean, std, min, max, count } = aggregate(list);
        expect(count).toBe(list.length);
        expect(min).toBe(Math.min(...list));
        expect(max).toBe(Math.max(...list));
        expect(mean).toBeGreaterThanOrEqual((min ?? 0) - 1e-6);
        expect(mean).toBeLessThanOrEqual((max ?? 0) + 1e-6);
        expect(std).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("aggregate is what computeAggregated of a metric returns", () => {
    expect(new NavigationSuccess().computeAggregated([1, 0])).toEqual(aggregate([1, 0]));
  });
});
