import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairedT } from "./paired-t.js";

describe("pairedT", () => {
  it("returns null below two pairs", () => {
    expect(pairedT([], [])).toBeNull();
    expect(pairedT([1], [2])).toBeNull();
  });

  it("finds no difference between a run and itself", () => {
    expect(pairedT([1, 2, 3], [1, 2, 3])).toEqual({ t: 0, df: 2, p: 1, meanDifference: 0 });
  });

  it("gives p = 0 and an infinite t when every pair differs by the same non-zero amount", () => {
    expect(pairedT([1, 2, 3], [2, 3, 4])).toEqual({
      t: Number.POSITIVE_INFINITY,
      df: 2,
      p: 0,
      meanDifference: 1,
    });
    expect(pairedT([2, 3], [1, 2])?.t).toBe(Number.NEGATIVE_INFINITY);
  });

  it("gives a positive t when the second run has the greater values", () => {
    const test = pairedT([1, 2, 3, 4], [2, 4, 3, 7]);
    expect(test?.meanDifference).toBe(1.5);
    expect(test?.t).toBeGreaterThan(0);
  });

  it("changes the sign of the difference but not p when the runs are swapped", () => {
    const pair = fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -99, max: 99 }));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 2, maxLength: 30 }), (pairs) => {
        const first = pairs.map(([a]) => a);
        const second = pairs.map(([, b]) => b);
        const there = pairedT(first, second);
        const back = pairedT(second, first);
        expect(back?.p).toBe(there?.p);
        expect((back?.meanDifference ?? 0) + (there?.meanDifference ?? 0)).toBe(0);
        expect(there?.p).toBeGreaterThanOrEqual(0);
        expect(there?.p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("rejects lists of different lengths and NaN values", () => {
    expect(() => pairedT([1, 2], [1])).toThrow("2 values of the first run but 1 of the second");
    expect(() => pairedT([1, 2], [1, Number.NaN])).toThrow("second[1] is NaN");
  });
});
