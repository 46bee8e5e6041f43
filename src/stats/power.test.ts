import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateMean, independentEstimate, type MeanEstimate } from "./mean-estimate.js";
import { type PowerOptions, tellMeansApart, tellRatesApart } from "./power.js";
import { logGamma } from "./special-functions.js";
import { mcnemarScore } from "./tango.js";

const differences = [0.12, -0.05, 0.3, 0.08, -0.11, 0.02, 0.19, -0.2, 0.07, 0.15];

function some(estimate: MeanEstimate | null): MeanEstimate {
  if (!estimate) throw new Error("no estimate");
  return estimate;
}

const means = (values: readonly number[], options?: PowerOptions) =>
  tellMeansApart(some(independentEstimate(values)), values.length, undefined, options);
const rates = (onlyFirst: number, onlySecond: number, n: number, options?: PowerOptions) =>
  tellRatesApart({ onlyFirst, onlySecond, n }, n, options);

describe("tellMeansApart", () => {
  it("tellMeansApart agrees with TTestPower.solve_power of statsmodels, rounded up, within one pair", () => {
    // effect_size = mean / std(ddof=1) of the differences above, 0.38545.
    for (const [alpha, power, exact] of [
      [0.05, 0.8, 54.77945562136621],
      [0.05, 0.9, 72.6694095298638],
      [0.005, 0.8, 93.55516863657488],
      [0.005, 0.9, 116.46970050653766],
    ] as const) {
      const needed = means(differences, { alpha, power }).needed ?? 0;
      expect(Math.abs(needed - Math.ceil(exact))).toBeLessThanOrEqual(1);
    }
    expect(means([0.4, 0.6, 0.5, 0.9, 0.1]).needed).toBe(5); // 4.8986
    const small = [1, 1, -1, 0.5, -0.5, 0, 0, 0, -0.9, 0.1, 0, 0.2];
    expect(means(small).needed).toBe(2794); // 2793.26
  });

  it("tellMeansApart gives the difference detectable with the given pairs, as solve_power does for nobs", () => {
    expect(means(differences).detectable).toBeCloseTo(0.14728634924548403, 2);
  });

  it("tellMeansApart gives the number of missing pairs, or 0 when there are enough", () => {
    expect(means(differences)).toMatchObject({ needed: 55, more: 45 });
    const many = Array.from({ length: 10 }, () => differences).flat();
    expect(means(many).more).toBe(0);
  });

  it("tellMeansApart gives no number of pairs for a mean difference of zero, but a detectable difference", () => {
    const found = means([0.5, -0.5, 0.25, -0.25]);
    expect(found).toMatchObject({ needed: null, more: null });
    expect(found.detectable).toBeGreaterThan(0);
    // Rounding leaves a mean of about 1e-17 here, which counts as zero.
    expect(means([0.1, 0.2, -0.3, 0.1, 0.2, -0.3]).needed).toBeNull();
  });

  it("tellMeansApart gives no detectable difference beyond the metric range", () => {
    const estimate = some(independentEstimate([0.9, -0.8, 0.5]));
    expect(tellMeansApart(estimate, 3).detectable).toBeGreaterThan(1);
    expect(tellMeansApart(estimate, 3, 1).detectable).toBeNull();
  });

  it("tellMeansApart needs more pairs where episodes share scenes", () => {
    const scenes = [..."aaaaaaaaaabbbbbbbbbbcccccccccc"];
    const values = scenes.map((scene, i) => (differences[i % 10] ?? 0) + (scene === "a" ? 0.4 : 0));
    const shared = tellMeansApart(some(estimateMean(values, scenes)), 30);
    const independent = means(values);
    expect(shared.needed ?? 0).toBeGreaterThan(2 * (independent.needed ?? 0));
    expect(shared.detectable ?? 0).toBeGreaterThan(2 * (independent.detectable ?? 0));
  });

  it("tellMeansApart rejects an alpha of 0 and a power of one half", () => {
    expect(() => means([1, 2], { alpha: 0 })).toThrow("alpha is 0");
    expect(() => means([1, 2], { power: 0.5 })).toThrow("power is 0.5");
  });
});

/** ln of the binomial coefficient n over k. */
function logBinomial(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

/** The power of McNemar's score test at 0.05, summed over all numbers of discordant pairs. */
function exactPower(first: number, second: number, n: number): number {
  const term = (total: number, k: number, share: number) =>
    Math.exp(logBinomial(total, k) + k * Math.log(share) + (total - k) * Math.log1p(-share));
  let power = 0;
  for (let discordant = 1; discordant <= n; discordant++) {
    const share = term(n, discordant, first + second);
    if (share < 1e-12) continue;
    for (let onlySecond = 0; onlySecond <= discordant; onlySecond++) {
      const onlyFirst = discordant - onlySecond;
      if (mcnemarScore({ onlyFirst, onlySecond, n }) >= 0.05) continue;
      power += share * term(discordant, onlySecond, second / (first + second));
    }
  }
  return power;
}

describe("tellRatesApart", () => {
  it("tellRatesApart gives a number of pairs at which the score test has a power of 0.80 to 0.88", () => {
    for (const first of [0.02, 0.05, 0.1, 0.2]) {
      for (const gain of [0.1, 0.15, 0.2, 0.3]) {
        const needed = rates(1000 * first, 1000 * (first + gain), 1000).needed ?? 0;
        const power = exactPower(first, first + gain, needed);
        expect(power, `${first} and ${first + gain}: ${needed}`).toBeGreaterThan(0.8);
        expect(power, `${first} and ${first + gain}: ${needed}`).toBeLessThan(0.88);
      }
    }
  });

  it("tellRatesApart needs a fourth pair at alpha 0.05 if all three given point the same way", () => {
    expect(rates(0, 3, 3)).toEqual({ needed: 4, more: 1, detectable: null });
  });

  it("tellRatesApart needs more pairs where only a part of them is effective", () => {
    const all = tellRatesApart({ onlyFirst: 5, onlySecond: 15, n: 100 }, 100);
    const half = tellRatesApart({ onlyFirst: 5, onlySecond: 15, n: 100 }, 50);
    expect(all.needed).toBe(155);
    expect(half.needed).toBe(310);
    expect(half.detectable ?? 0).toBeGreaterThan(1.3 * (all.detectable ?? 1));
  });
});

describe("McNemar's score test of equal rates", () => {
  /** The greatest error over shares of discordant pairs up to `most`. */
  const error = (n: number, most: number) => {
    const shares = Array.from({ length: 19 }, (_, i) => (i + 1) / 20).filter((s) => s <= most);
    return Math.max(...shares.map((share) => exactPower(share / 2, share / 2, n)));
  };

  it("the McNemar score test of equal rates errs in at most 5.4 % where up to half of the pairs are discordant", () => {
    for (const n of [4, 5, 6, 8, 10, 20, 50]) expect(error(n, 0.5), `${n}`).toBeLessThan(0.054);
  });

  it("the McNemar score test of equal rates errs more often in four or five pairs that are nearly all discordant", () => {
    expect(error(4, 0.95)).toBeCloseTo(0.95 ** 4 / 8, 12);
    expect(error(5, 0.95)).toBeGreaterThan(0.07);
    expect(error(5, 0.95)).toBeLessThan(0.079);
    expect(error(10, 0.95)).toBeLessThan(0.054);
  });
});

describe("the number of pairs needed", () => {
  const lists = fc
    .array(fc.integer({ min: -20, max: 20 }), { minLength: 3, maxLength: 30 })
    .filter((list) => new Set(list).size > 1 && list.reduce((a, b) => a + b) !== 0);
  const neededFor = (list: readonly number[], alpha = 0.05, power = 0.8) =>
    means(list, { alpha, power }).needed ?? Number.NaN;

  it("the number of pairs needed grows with the power and as alpha shrinks", () => {
    fc.assert(
      fc.property(lists, (list) => {
        expect(neededFor(list, 0.01)).toBeGreaterThanOrEqual(neededFor(list));
        expect(neededFor(list, 0.05, 0.95)).toBeGreaterThanOrEqual(neededFor(list));
      }),
    );
  });

  it("the number of pairs needed shrinks as the difference grows with its spread unchanged", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const up = Math.sign(list.reduce((a, b) => a + b));
        const far = list.map((d) => d + up * 3);
        expect(neededFor(far)).toBeLessThanOrEqual(neededFor(list));
      }),
    );
  });

  it("the number of pairs needed does not depend on the order of the runs or on the unit", () => {
    fc.assert(
      fc.property(lists, (list) => {
        expect(neededFor(list.map((d) => -d))).toBe(neededFor(list));
        expect(neededFor(list.map((d) => 4 * d))).toEqual(neededFor(list));
      }),
    );
  });

  it("the number of pairs needed is reached exactly when the mean difference is detectable", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const found = means(list);
        if (found.needed === null) return;
        const mean = list.reduce((a, b) => a + b, 0) / list.length;
        expect(found.more === 0).toBe((found.detectable ?? 0) <= Math.abs(mean));
      }),
    );
  });
});
