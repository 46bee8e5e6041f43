import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodesToTellApart } from "./power.js";

const differences = [0.12, -0.05, 0.3, 0.08, -0.11, 0.02, 0.19, -0.2, 0.07, 0.15];

/** `b` pairs that only the first run solved, `c` that only the second did, out of n. */
const outcomes = (b: number, c: number, n: number) => [
  ...new Array(b).fill(-1),
  ...new Array(c).fill(1),
  ...new Array(n - b - c).fill(0),
];

describe("episodesToTellApart", () => {
  it("agrees with statsmodels' TTestPower.solve_power, rounded up, within one pair", () => {
    // effect_size = mean / std(ddof=1) of the differences above, 0.38545.
    for (const [alpha, power, exact] of [
      [0.05, 0.8, 54.77945562136621],
      [0.05, 0.9, 72.6694095298638],
      [0.005, 0.8, 93.55516863657488],
      [0.005, 0.9, 116.46970050653766],
    ] as const) {
      const needed = episodesToTellApart(differences, { alpha, power })?.needed ?? 0;
      expect(Math.abs(needed - Math.ceil(exact))).toBeLessThanOrEqual(1);
    }
    expect(episodesToTellApart([0.4, 0.6, 0.5, 0.9, 0.1])?.needed).toBe(5); // 4.8986
    const small = [1, 1, -1, 0.5, -0.5, 0, 0, 0, -0.9, 0.1, 0, 0.2];
    expect(episodesToTellApart(small)?.needed).toBe(2794); // 2793.26
  });

  it("gives the difference detectable with the given pairs, as solve_power does for nobs", () => {
    expect(episodesToTellApart(differences)?.detectable).toBeCloseTo(0.14728634924548403, 2);
  });

  it("gives the number of missing pairs, or 0 when there are enough", () => {
    expect(episodesToTellApart(differences)).toMatchObject({ needed: 55, more: 45 });
    const many = Array.from({ length: 10 }, () => differences).flat();
    expect(episodesToTellApart(many)?.more).toBe(0);
  });

  it("gives no number of pairs for a mean difference of zero, but a detectable difference", () => {
    const found = episodesToTellApart([0.5, -0.5, 0.25, -0.25]);
    expect(found).toMatchObject({ needed: null, more: null });
    expect(found?.detectable).toBeGreaterThan(0);
    // Rounding leaves a mean of about 1e-17 here, which counts as zero.
    expect(episodesToTellApart([0.1, 0.2, -0.3, 0.1, 0.2, -0.3])?.needed).toBeNull();
  });

  it("returns null below two pairs or when all differences are zero", () => {
    expect(episodesToTellApart([])).toBeNull();
    expect(episodesToTellApart([0.3])).toBeNull();
    expect(episodesToTellApart([0, 0, 0])).toBeNull();
  });

  it("needs two pairs when all differences are equal", () => {
    expect(episodesToTellApart([0.3, 0.3, 0.3])).toEqual({ needed: 2, more: 0, detectable: 0 });
  });

  it("rejects NaN values, an alpha of 0 and a power of one half", () => {
    expect(() => episodesToTellApart([1, Number.NaN])).toThrow("differences[1] is NaN");
    expect(() => episodesToTellApart([1, 2], { alpha: 0 })).toThrow("alpha is 0");
    expect(() => episodesToTellApart([1, 2], { power: 0.5 })).toThrow("power is 0.5");
  });
});

describe("episodesToTellApart for rates", () => {
  it("needs six discordant pairs at alpha 0.05, even if all five given point the same way", () => {
    expect(episodesToTellApart(outcomes(0, 5, 5))).toMatchObject({ needed: 6, more: 1 });
    expect(episodesToTellApart(outcomes(5, 0, 5), { alpha: 0.01 })?.needed).toBe(8);
  });

  it("needs more pairs than the t test, because McNemar's test is discrete", () => {
    const rates = outcomes(5, 15, 100);
    const blurred = rates.map((d) => d * (1 + 1e-9));
    const [exact, t] = [rates, blurred].map((d) => episodesToTellApart(d)?.needed ?? 0);
    // By scipy's binom: the exact test has a power of 0.81 at 171 pairs, 0.75 at 152.
    expect(t).toBe(153);
    expect(exact).toBe(172);
  });
});

describe("the number of pairs needed", () => {
  const lists = fc
    .array(fc.integer({ min: -20, max: 20 }), { minLength: 3, maxLength: 30 })
    .filter((list) => list.some((d) => d !== 0) && list.reduce((a, b) => a + b) !== 0);
  const neededFor = (list: readonly number[], alpha = 0.05, power = 0.8) =>
    episodesToTellApart(list, { alpha, power })?.needed ?? Number.NaN;

  it("grows with the power and as alpha shrinks", () => {
    fc.assert(
      fc.property(lists, (list) => {
        expect(neededFor(list, 0.01)).toBeGreaterThanOrEqual(neededFor(list));
        expect(neededFor(list, 0.05, 0.95)).toBeGreaterThanOrEqual(neededFor(list));
      }),
    );
  });

  it("shrinks as the difference grows with its spread unchanged", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const up = Math.sign(list.reduce((a, b) => a + b));
        // Halves, so that the values are not taken for outcomes of -1, 0 and 1.
        const near = list.map((d) => d + up / 2);
        const far = list.map((d) => d + up * 3.5);
        expect(neededFor(far)).toBeLessThanOrEqual(neededFor(near));
      }),
    );
  });

  it("does not depend on the order of the runs or on the unit", () => {
    fc.assert(
      fc.property(lists, (list) => {
        expect(neededFor(list.map((d) => -d))).toBe(neededFor(list));
        const halves = list.map((d) => d + 0.5);
        expect(neededFor(halves.map((d) => 4 * d))).toEqual(neededFor(halves));
      }),
    );
  });

  it("is reached exactly when the mean difference is detectable", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const found = episodesToTellApart(list.map((d) => d + 0.5));
        if (found?.needed == null) return;
        const mean = list.reduce((a, b) => a + b + 0.5, 0) / list.length;
        expect(found.more === 0).toBe(found.detectable <= Math.abs(mean));
      }),
    );
  });
});
