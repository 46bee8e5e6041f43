import { describe, expect, it } from "vitest";
import {
  areEqual,
  equalValuesInterval,
  equalValuesTest,
  equalValuesThreshold,
} from "./equal-values.js";
import { tangoInterval } from "./tango.js";
import { wilsonInterval } from "./wilson.js";

describe("areEqual", () => {
  it("areEqual ignores the rounding of subtractions", () => {
    expect(areEqual([0.3 - 0.1, 0.5 - 0.3, 0.2])).toBe(true);
    expect(areEqual([0, 0, 0])).toBe(true);
    expect(areEqual([0, 1e-9])).toBe(false);
  });
});

describe("equalValuesInterval", () => {
  it("equalValuesInterval is the Wilson interval for values at an end of the range", () => {
    for (const [value, successes] of [
      [0, 0],
      [1, 6],
    ] as const) {
      const [low, high] = equalValuesInterval(value, 6, [0, 1]) ?? [];
      const [lowWilson = 0, highWilson = 0] = wilsonInterval(successes, 6) ?? [];
      expect(low).toBeCloseTo(lowWilson, 12);
      expect(high).toBeCloseTo(highWilson, 12);
    }
  });

  it("equalValuesInterval is the Tango interval for differences of zero", () => {
    const [low, high] = equalValuesInterval(0, 6, [-1, 1]) ?? [];
    const [lowTango, highTango] = tangoInterval({ onlyFirst: 0, onlySecond: 0, n: 6 });
    expect(low).toBeCloseTo(lowTango, 10);
    expect(high).toBeCloseTo(highTango, 10);
  });

  it("equalValuesInterval is null for an infinite range", () => {
    expect(equalValuesInterval(5, 6, [0, Number.POSITIVE_INFINITY])).toBeNull();
  });
});

describe("equalValuesTest", () => {
  it("equalValuesTest gives p below 0.05 exactly where the interval excludes zero, beyond the threshold", () => {
    for (const value of [-1, -0.3, 0.05, 0.4, 1]) {
      const threshold = equalValuesThreshold(value, 0.05, [-1, 1]);
      for (let n = 2; n < 200; n++) {
        const [low = 0, high = 0] = equalValuesInterval(value, n, [-1, 1]) ?? [];
        const excludesZero = low > 0 || high < 0;
        expect(equalValuesTest(value, n, [-1, 1]) < 0.05).toBe(excludesZero);
        expect(n * Math.abs(value) > threshold).toBe(excludesZero);
      }
    }
  });
});
