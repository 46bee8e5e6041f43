import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holmAdjust } from "./holm.js";

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });

describe("holmAdjust", () => {
  it("holmAdjust multiplies the least p by m and the next by m - 1, and never decreases", () => {
    const adjusted = holmAdjust([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((expected, i) => {
      expect(adjusted[i]).toBeCloseTo(expected, 14);
    });
  });

  it("holmAdjust leaves a single p-value and an empty list unchanged, and caps the result at 1", () => {
    expect(holmAdjust([0.04])).toEqual([0.04]);
    expect(holmAdjust([])).toEqual([]);
    expect(holmAdjust([0.6, 0.9])).toEqual([1, 1]);
  });

  it("holmAdjust never lowers a p-value, keeps their order and never exceeds 1", () => {
    fc.assert(
      fc.property(pValues, (raw) => {
        const adjusted = holmAdjust(raw);
        expect(adjusted).toHaveLength(raw.length);
        raw.forEach((p, i) => {
          const mine = adjusted[i] ?? Number.NaN;
          expect(mine).toBeGreaterThanOrEqual(p);
          expect(mine).toBeLessThanOrEqual(1);
          raw.forEach((q, j) => {
            if (p <= q) expect(mine).toBeLessThanOrEqual(adjusted[j] ?? Number.NaN);
          });
        });
      }),
    );
  });

  it("holmAdjust gives the same results in any order of the p-values", () => {
    fc.assert(
      fc.property(pValues, (raw) => {
        expect(holmAdjust(raw.toReversed())).toEqual(holmAdjust(raw).toReversed());
      }),
    );
  });

  it("holmAdjust rejects a p-value outside [0, 1]", () => {
    expect(() => holmAdjust([0.2, 1.2])).toThrow("p-value 1 is 1.2");
    expect(() => holmAdjust([Number.NaN])).toThrow("p-value 0 is NaN");
  });
});
