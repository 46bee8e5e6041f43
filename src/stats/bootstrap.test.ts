import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../core/errors.js";
import { bootstrapMean } from "./bootstrap.js";

const values = fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), {
  minLength: 1,
  maxLength: 40,
});

describe("bootstrapMean", () => {
  it("returns null for an empty list", () => {
    expect(bootstrapMean([], { seed: 1 })).toBeNull();
  });

  it("has exactly zero width when all values are equal", () => {
    expect(bootstrapMean([0.1, 0.1, 0.1], { seed: 1 })).toEqual([0.1, 0.1]);
    expect(bootstrapMean([7], { seed: 1 })).toEqual([7, 7]);
  });

  it("gives the same interval for the same seed and a different one for another seed", () => {
    const data = [0.3, 1.9, 2.2, 8.1, 5.5, 7.6];
    const one = bootstrapMean(data, { seed: 42 });
    expect(bootstrapMean(data, { seed: 42 })).toEqual(one);
    expect(bootstrapMean(data, { seed: 43 })).not.toEqual(one);
  });

  it("contains the mean and stays within the values", () => {
    fc.assert(
      fc.property(values, fc.integer(), (data, seed) => {
        const interval = bootstrapMean(data, { seed, resamples: 300 });
        const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
        const [low, high] = interval ?? [Number.NaN, Number.NaN];
        const slack = 1e-9;
        expect(low).toBeLessThanOrEqual(mean + slack);
        expect(high).toBeGreaterThanOrEqual(mean - slack);
        expect(low).toBeGreaterThanOrEqual(Math.min(...data) - slack);
        expect(high).toBeLessThanOrEqual(Math.max(...data) + slack);
      }),
    );
  });

  it("gives a wider interval at a higher confidence level", () => {
    const data = Array.from({ length: 50 }, (_, i) => (i * 37) % 50);
    const [low80, high80] = bootstrapMean(data, { seed: 3, level: 0.8 }) ?? [0, 0];
    const [low99, high99] = bootstrapMean(data, { seed: 3, level: 0.99 }) ?? [0, 0];
    expect(low99).toBeLessThan(low80);
    expect(high99).toBeGreaterThan(high80);
  });

  it("rejects a NaN and names its index", () => {
    expect(() => bootstrapMean([1, Number.NaN], { seed: 1 })).toThrow(DataError);
    expect(() => bootstrapMean([1, Number.NaN], { seed: 1 })).toThrow("values[1] is NaN");
  });

  it("rejects zero resamples", () => {
    expect(() => bootstrapMean([1, 2], { seed: 1, resamples: 0 })).toThrow("resamples is 0");
  });
});
