import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binsOf } from "./bins.js";

describe("bins of a histogram", () => {
  it("bins of a histogram are empty without finite numbers", () => {
    expect(binsOf([])).toEqual([]);
    expect(binsOf([Number.NaN])).toEqual([]);
  });

  it("bins of a histogram have round ends", () => {
    const bins = binsOf([0, 0.31, 1]);
    expect(bins[0]).toMatchObject({ from: 0, to: 0.05 });
    expect(bins.at(-1)).toMatchObject({ to: 1 });
  });

  it("bins of a histogram are a single bin if all values are equal", () => {
    expect(binsOf([3, 3, 3]).map(({ count }) => count)).toEqual([3]);
  });

  it("bins of a histogram count every number once, and are at most 26", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }),
        (values) => {
          const bins = binsOf(values);
          expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
          expect(bins.length).toBeLessThanOrEqual(26);
        },
      ),
    );
  });
});
