import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Interval } from "./interval.js";
import { wilsonInterval } from "./wilson.js";

const counts = fc
  .integer({ min: 1, max: 5000 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

const of = (successes: number, n: number, level?: number): Interval =>
  wilsonInterval(successes, n, level) ?? [Number.NaN, Number.NaN];

describe("wilsonInterval", () => {
  it("wilsonInterval returns null for no episodes", () => {
    expect(wilsonInterval(0, 0)).toBeNull();
  });

  it("wilsonInterval starts at exactly 0 for all failures and ends at exactly 1 for all successes", () => {
    const [low, high] = of(0, 10);
    expect(low).toBe(0);
    expect(high).toBeCloseTo(0.27753, 5);
    expect(of(10, 10)[1]).toBe(1);
    expect(of(10, 10)[0]).toBeCloseTo(1 - high, 12);
  });

  it("wilsonInterval lies within [0, 1] and contains the rate", () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const [low, high] = of(k, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
      }),
    );
  });

  it("wilsonInterval gives the mirrored interval when successes and failures are swapped", () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        expect(of(n - k, n)[0]).toBeCloseTo(1 - of(k, n)[1], 12);
      }),
    );
  });

  it("wilsonInterval is wider at a higher confidence level and narrower at a larger n", () => {
    const width = ([low, high]: Interval) => high - low;
    expect(width(of(7, 20, 0.99))).toBeGreaterThan(width(of(7, 20, 0.95)));
    expect(width(of(70, 200))).toBeLessThan(width(of(7, 20)));
  });

  it("wilsonInterval rejects impossible counts and a confidence level above 1", () => {
    expect(() => wilsonInterval(3, 2)).toThrow("3 successes out of 2");
    expect(() => wilsonInterval(0.5, 2)).toThrow("successes is 0.5");
    expect(() => wilsonInterval(-1, 2)).toThrow("successes is -1");
    expect(() => wilsonInterval(1, 2, 95)).toThrow("confidence level is 95");
  });
});
