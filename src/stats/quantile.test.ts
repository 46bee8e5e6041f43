import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latencySummary, percentiles, quantile } from "./quantile.js";

describe("quantile", () => {
  it("interpolates between neighbours, whatever the order of the values", () => {
    expect(quantile([7, 1, 3, 2, 12.5], 0.5)).toBe(3);
    expect(quantile([7, 1, 3, 2, 12.5], 0.1)).toBeCloseTo(1.4, 14);
    expect(quantile([4, 1], 0.5)).toBe(2.5);
  });

  it("leaves its argument as it was", () => {
    const values = [3, 1, 2];
    quantile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  it("ends at the least and the greatest value", () => {
    expect(quantile([7, 1, 3], 0)).toBe(1);
    expect(quantile([7, 1, 3], 1)).toBe(7);
  });

  it("has none of no values, and every one of a single value", () => {
    expect(quantile([], 0.5)).toBeNull();
    expect(quantile([9], 0.99)).toBe(9);
  });

  it("never decreases in q", () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, unit, unit, (data, p, q) => {
        const low = quantile(data, Math.min(p, q)) ?? Number.NaN;
        expect(low).toBeLessThanOrEqual(quantile(data, Math.max(p, q)) ?? Number.NaN);
        expect(low).toBeGreaterThanOrEqual(Math.min(...data));
      }),
    );
  });

  it("refuses percents where a fraction is meant, and NaN among the values", () => {
    expect(() => quantile([1, 2], 95)).toThrow("quantile is 95");
    expect(() => quantile([1, Number.NaN], 0.5)).toThrow("values[1] is NaN");
  });
});

describe("percentiles", () => {
  it("reads several at once", () => {
    expect(percentiles([10, 20, 30, 40], [0, 50, 100])).toEqual([10, 25, 40]);
    expect(percentiles([], [50])).toBeNull();
  });
});

describe("latencySummary", () => {
  it("is the median, the 95th and the 99th percentile", () => {
    const ms = Array.from({ length: 101 }, (_, i) => 100 - i);
    expect(latencySummary(ms)).toMatchObject({ p50: 50, p95: 95, p99: 99, n: ms.length });
  });

  it("has none when nothing was timed", () => {
    expect(latencySummary([])).toBeNull();
  });
});
