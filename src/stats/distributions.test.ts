import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../core/errors.js";
import {
  normalCdf,
  normalQuantile,
  studentTCdf,
  studentTQuantile,
  studentTTwoSided,
} from "./distributions.js";

const probability = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });

describe("the normal distribution", () => {
  it("the normal distribution is one half at zero and symmetric", () => {
    expect(normalCdf(0)).toBe(0.5);
    fc.assert(
      fc.property(fc.double({ min: -8, max: 8, noNaN: true }), (x) => {
        expect(normalCdf(x) + normalCdf(-x)).toBeCloseTo(1, 14);
      }),
    );
  });

  it("the normal distribution is continuous where its two formulas meet", () => {
    const slope = Math.exp(-0.5 * 2.5 ** 2) / Math.sqrt(2 * Math.PI);
    const inner = normalCdf(-2.5 + 1e-9);
    const outer = normalCdf(-2.5 - 1e-9);
    expect((inner - outer) / (2e-9 * slope)).toBeCloseTo(1, 5);
  });

  it("the normal distribution reaches 0 and 1 at minus and plus infinity", () => {
    expect(normalCdf(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(normalCdf(Number.POSITIVE_INFINITY)).toBe(1);
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
    expect(normalQuantile(0.5)).toBe(0);
  });

  it("the normal distribution has a quantile that inverts it far into the tail", () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 5, noNaN: true }), (x) => {
        expect(normalQuantile(normalCdf(x))).toBeCloseTo(x, x > 3 ? 8 : 11);
      }),
    );
  });

  it("the normal distribution rejects a probability outside [0, 1]", () => {
    expect(() => normalQuantile(1.5)).toThrow(ConfigError);
    expect(() => normalQuantile(Number.NaN)).toThrow("probability is NaN");
  });
});

describe("Student's t", () => {
  it("the Student t distribution is the Cauchy distribution at one degree of freedom", () => {
    for (const t of [-30, -2, -0.1, 0, 0.7, 5]) {
      expect(studentTCdf(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 14);
    }
    expect(studentTQuantile(0.9, 1)).toBeCloseTo(Math.tan(0.4 * Math.PI), 12);
  });

  it("the Student t distribution agrees with the closed form at two degrees of freedom", () => {
    for (const t of [-12, -1, 0.3, 4]) {
      expect(studentTCdf(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 14);
    }
  });

  it("the Student t distribution approaches the normal as the degrees of freedom grow", () => {
    expect(studentTQuantile(0.975, 1e7)).toBeCloseTo(normalQuantile(0.975), 6);
    expect(studentTQuantile(0.975, 30)).toBeGreaterThan(normalQuantile(0.975));
  });

  it("the Student t distribution has a quantile that inverts it", () => {
    fc.assert(
      fc.property(probability, fc.double({ min: 0.5, max: 1000, noNaN: true }), (p, df) => {
        expect(studentTCdf(studentTQuantile(p, df), df) / p).toBeCloseTo(1, 10);
      }),
    );
  });

  it("the Student t distribution has a two-sided p of 1 at t = 0 and of 0 at infinity", () => {
    expect(studentTTwoSided(0, 5)).toBe(1);
    expect(studentTTwoSided(Number.POSITIVE_INFINITY, 5)).toBe(0);
    expect(studentTQuantile(0, 5)).toBe(Number.NEGATIVE_INFINITY);
    expect(studentTQuantile(0.5, 5)).toBe(0);
  });

  it("the Student t distribution rejects degrees of freedom that are not above zero", () => {
    expect(() => studentTCdf(1, 0)).toThrow("degrees of freedom are 0");
    expect(() => studentTQuantile(0.9, Number.NaN)).toThrow(ConfigError);
  });
});
