import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latencySummary, quantileSorted } from "./quantile.js";

const quantile = (values: readonly number[], q: number) =>
  quantileSorted(Float64Array.from(values).sort(), q);

describe("quantileSorted", () => {
  it("quantileSorted interpolates between neighbours", () => {
    expect(quantile([7, 1, 3, 2, 12.5], 0.5)).toBe(3);
    expect(quantile([7, 1, 3, 2, 12.5], 0.1)).toBeCloseTo(1.4, 14);
    expect(quantile([4, 1], 0.5)).toBe(2.5);
  });

  it("quantileSorted is the least value at q = 0 and the greatest at q = 1", () => {
    expect(quantile([7, 1, 3], 0)).toBe(1);
    expect(quantile([7, 1, 3], 1)).toBe(7);
  });

  it("quantileSorted is the value itself for a single value", () => {
    expect(quantile([9], 0.99)).toBe(9);
  });

  it("quantileSorted never decreases in q", () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, unit, unit, (data, p, q) => {
        const low = quantile(data, Math.min(p, q));
        expect(low).toBeLessThanOrEqual(quantile(data, Math.max(p, q)));
        expect(low).toBeGreaterThanOrEqual(Math.min(...data));
      }),
    );
  });

  it("quantileSorted rejects a percentage in place of a fraction", () => {
    expect(() => quantile([1, 2], 95)).toThrow("quantile is 95");
  });
});

describe("latencySummary", () => {
  it("latencySummary gives the median, the 95th and the 99th percentile", () => {
    const ms = Array.from({ length: 101 }, (_, i) => 100 - i);
    expect(latencySummary(ms)).toMatchObject({ p50: 50, p95: 95, p99: 99, n: ms.length });
  });

  it("latencySummary returns null when nothing was timed", () => {
    expect(latencySummary([])).toBeNull();
  });

  it("latencySummary does not change its argument and rejects NaN", () => {
    const ms = [3, 1, 2];
    latencySummary(ms);
    expect(ms).toEqual([3, 1, 2]);
    expect(() => latencySummary([1, Number.NaN])).toThrow("values[1] is NaN");
  });
});
