import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcnemarExact } from "./mcnemar.js";

const count = fc.integer({ min: 0, max: 2000 });

describe("mcnemarExact", () => {
  it("gives p = 1 when no episode flipped or equally many flipped each way", () => {
    expect(mcnemarExact(0, 0)).toBe(1);
    expect(mcnemarExact(17, 17)).toBe(1);
    expect(mcnemarExact(1, 0)).toBe(1);
  });

  it("is twice the binomial tail probability of min(b, c) in b + c fair tosses", () => {
    // 2 (1 + 7)/2^7 and 2 (1 + 10 + 45)/2^10, counted by hand.
    expect(mcnemarExact(6, 1)).toBeCloseTo(0.125, 14);
    expect(mcnemarExact(2, 8)).toBeCloseTo(0.109375, 14);
    expect(mcnemarExact(0, 5)).toBeCloseTo(0.0625, 14);
  });

  it("stays accurate for tiny p, and is zero where p is below the smallest double", () => {
    expect(mcnemarExact(901, 0) / 2 ** -900).toBeCloseTo(1, 11);
    expect(mcnemarExact(5000, 0)).toBe(0);
  });

  it("is symmetric, lies in [0, 1] and falls as the counts differ more", () => {
    fc.assert(
      fc.property(count, count, (b, c) => {
        const p = mcnemarExact(b, c);
        expect(mcnemarExact(c, b)).toBe(p);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(mcnemarExact(Math.max(b, c) + 1, Math.min(b, c))).toBeLessThanOrEqual(p);
      }),
    );
  });

  it("rejects counts that are fractional or negative", () => {
    expect(() => mcnemarExact(1.5, 2)).toThrow("b is 1.5");
    expect(() => mcnemarExact(1, -2)).toThrow("c is -2");
  });
});
