import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logBeta, logGamma, regularizedBeta } from "./special-functions.js";

describe("logGamma", () => {
  it("logGamma equals the logarithm of the factorial at whole numbers", () => {
    let factorial = 1;
    for (let n = 2; n <= 20; n++) {
      expect(Math.exp(logGamma(n) - Math.log(factorial))).toBeCloseTo(1, 12);
      factorial *= n;
    }
  });

  it("logGamma gives Γ(1/2) = √π", () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13);
  });

  it("logGamma is exactly zero at 1 and 2", () => {
    expect(logGamma(1)).toBe(0);
    expect(logGamma(2)).toBe(0);
  });

  it("logGamma satisfies Γ(x + 1) = x Γ(x) where its two formulas meet", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 50, noNaN: true }), (x) => {
        expect(logGamma(x + 1) - logGamma(x) - Math.log(x)).toBeCloseTo(0, 11);
      }),
    );
  });
});

describe("logBeta", () => {
  it("logBeta agrees with the difference of log-gammas for small arguments", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 40, noNaN: true }),
        fc.double({ min: 0.1, max: 40, noNaN: true }),
        (a, b) => {
          expect(logBeta(a, b)).toBeCloseTo(logGamma(a) + logGamma(b) - logGamma(a + b), 11);
          expect(logBeta(a, b)).toBe(logBeta(b, a));
        },
      ),
    );
  });
});

describe("regularizedBeta", () => {
  const shape = fc.double({ min: 0.2, max: 200, noNaN: true });
  const unit = fc.double({ min: 0, max: 1, noNaN: true });

  it("regularizedBeta is 0 at 0 and 1 at 1", () => {
    expect(regularizedBeta(2, 3, 0)).toBe(0);
    expect(regularizedBeta(2, 3, 1)).toBe(1);
  });

  it("regularizedBeta is x for a = b = 1 and a power for b = 1", () => {
    expect(regularizedBeta(1, 1, 0.37)).toBeCloseTo(0.37, 14);
    expect(regularizedBeta(4, 1, 0.3)).toBeCloseTo(0.3 ** 4, 14);
  });

  it("regularizedBeta satisfies I_x(a, b) + I_(1-x)(b, a) = 1", () => {
    fc.assert(
      fc.property(shape, shape, unit, (a, b, x) => {
        expect(regularizedBeta(a, b, x) + regularizedBeta(b, a, 1 - x, x)).toBeCloseTo(1, 11);
      }),
    );
  });

  it("regularizedBeta never decreases in x and stays a probability", () => {
    fc.assert(
      fc.property(shape, shape, unit, unit, (a, b, x, y) => {
        const low = regularizedBeta(a, b, Math.min(x, y));
        const high = regularizedBeta(a, b, Math.max(x, y));
        expect(low).toBeGreaterThanOrEqual(-1e-12);
        expect(high).toBeLessThanOrEqual(1 + 1e-12);
        expect(high - low).toBeGreaterThanOrEqual(-1e-12);
      }),
    );
  });
});
