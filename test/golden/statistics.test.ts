import { describe, expect, it } from "vitest";
import {
  normalCdf,
  normalQuantile,
  studentTQuantile,
  studentTTwoSided,
} from "../../src/stats/distributions.js";
import {
  independentEstimate,
  type MeanEstimate,
  sceneEstimate,
  studentInterval,
  studentTest,
} from "../../src/stats/mean-estimate.js";
import { quantileSorted } from "../../src/stats/quantile.js";
import { logGamma, regularizedBeta } from "../../src/stats/special-functions.js";
import { mcnemarScore, tangoInterval } from "../../src/stats/tango.js";
import { wilsonInterval } from "../../src/stats/wilson.js";

/** Agreement in `digits` significant digits, however small the number. */
function agrees(found: number | undefined, expected: number, digits: number): void {
  expect((found ?? Number.NaN) / expected).toBeCloseTo(1, digits);
}

function some(estimate: MeanEstimate | null): MeanEstimate {
  if (!estimate) throw new Error("no estimate");
  return estimate;
}

describe("Wilson intervals", () => {
  // Two policies on the same 1,335 episodes; scipy 1.17 binomtest(...).proportion_ci gives the same.
  it.each([
    [1289, 1335, 0.954346, 0.974068],
    [1103, 1335, 0.804963, 0.8456],
  ])("the Wilson interval matches scipy for %i of %i", (successes, n, low, high) => {
    const interval = wilsonInterval(successes, n);
    expect(interval?.[0]).toBeCloseTo(low, 6);
    expect(interval?.[1]).toBeCloseTo(high, 6);
  });

  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3: four published examples.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])(
    "the Wilson interval matches the table of Newcombe for %i of %i",
    (successes, n, low, high) => {
      const interval = wilsonInterval(successes, n);
      expect(interval?.[0]).toBeCloseTo(low, 4);
      expect(interval?.[1]).toBeCloseTo(high, 4);
    },
  );

  it("the Wilson interval matches scipy 1.17 for 7 of 20 at 99 %", () => {
    const interval = wilsonInterval(7, 20, 0.99);
    agrees(interval?.[0], 0.14639344137693885, 12);
    agrees(interval?.[1], 0.6283381789526872, 12);
  });
});

describe("paired rates", () => {
  const of = (onlyFirst: number, onlySecond: number, n: number) => ({ onlyFirst, onlySecond, n });

  // statsmodels 0.15 contingency_tables.mcnemar(exact=False, correction=False).
  it.each([
    [213, 27, 3.294546985658735e-33],
    [259, 318, 0.014041415108119503],
    [16, 6, 0.0330062576612325],
    [0, 5, 0.025347318677468325],
  ])("the McNemar score test matches statsmodels for %i and %i discordant pairs", (b, c, p) => {
    agrees(mcnemarScore(of(b, c, 2000)), p, 10);
  });

  // Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014), tables II and III, and CRAN contingencytables
  // 3.1: Bentur et al. (airway hyper-responsiveness) and Cavo et al. (response to therapy).
  it.each([
    [1, 7, 21, 0.026, 0.517, 3],
    [16, 6, 161, -0.124, -0.0054, 4],
  ])(
    "the Tango interval matches published values for %i and %i discordant pairs of %i",
    (b, c, n, low, high, digits) => {
      const interval = tangoInterval(of(b, c, n));
      expect(interval[0]).toBeCloseTo(low, digits);
      expect(interval[1]).toBeCloseTo(high, digits);
    },
  );
});

// scipy 1.17: norm.ppf, norm.cdf
describe("normal distribution", () => {
  it.each([
    [0.9, 1.2815515655446004],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [1e-10, -6.361340902404056],
  ])("the normal quantile of %f matches scipy", (p, x) => agrees(normalQuantile(p), x, 12));

  it.each([
    [-10, 7.61985302416047e-24],
    [-3, 0.0013498980316300933],
    [-1.96, 0.024997895148220435],
    [-1, 0.15865525393145707],
    [0.5, 0.6914624612740131],
    [2.5, 0.9937903346742238],
  ])("the normal cumulative probability at %f matches scipy", (x, p) =>
    agrees(normalCdf(x), p, 12),
  );
});

// scipy 1.17: t.ppf, 2 * t.sf
describe("Student's t", () => {
  it.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 4, 2.7764451051977934],
    [0.975, 9, 2.262157162798205],
    [0.975, 29, 2.045229642132703],
    [0.995, 3, 5.840909309733355],
    [0.95, 10, 1.8124611228116756],
    [0.9, 2.5, 1.7302509288071766],
  ])("the t quantile of %f with %f degrees of freedom matches scipy", (p, df, t) =>
    agrees(studentTQuantile(p, df), t, 12),
  );

  it.each([
    [2, 5, 0.10193947882985835],
    [-3, 2, 0.09546596626670913],
    [0.25, 7, 0.8097655858478519],
    [1.96, 1000, 0.050273184955748736],
    [20, 30, 6.7490836657712895e-19],
    [10, 1000, 1.6670702958600137e-22],
  ])("the p of t = %f with %f degrees of freedom matches scipy", (t, df, p) =>
    agrees(studentTTwoSided(t, df), p, 11),
  );
});

// scipy 1.17: special.betainc, special.gammaln
describe("special functions", () => {
  it.each([
    [2, 3, 0.4, 0.5248],
    [0.5, 0.5, 0.3, 0.36901011956554536],
    [30, 50, 0.2, 0.00017229452721796037],
    [5, 0.5, 0.99, 0.7571581091015623],
    [1000, 0.5, 0.999, 0.15724727426672383],
  ])("the incomplete beta (%f, %f) at %f matches scipy", (a, b, x, value) =>
    agrees(regularizedBeta(a, b, x), value, 12),
  );

  it.each([
    [0.5, 0.5723649429247],
    [3.5, 1.2009736023470743],
    [10, 12.801827480081469],
    [100.25, 360.28455963776423],
    [1e6, 12815504.569147611],
  ])("log-gamma of %f matches scipy", (x, value) => agrees(logGamma(x), value, 12));
});

describe("Student's own example", () => {
  // Hours of sleep gained by ten patients under two drugs, Student, Biometrika 6 (1908), from Cushny
  // and Peebles. t, p and the interval: scipy 1.17 ttest_rel and t.interval.
  const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
  const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
  const gained = some(independentEstimate(second.map((hours, i) => hours - (first[i] ?? 0))));

  it("the example of Student has t = 4.06 and p = 0.0028 in the paired test", () => {
    expect(gained.df).toBe(9);
    agrees(gained.mean, 1.58, 12);
    agrees(gained.mean / gained.standardError, 4.062127683382037, 11);
    agrees(studentTest(gained), 0.002832890197384273, 11);
  });

  it("the example of Student has an interval of 0.70 to 2.46 hours", () => {
    const interval = studentInterval(gained);
    agrees(interval[0], 0.7001142367230176, 11);
    agrees(interval[1], 2.4598857632769824, 11);
  });
});

it("the cluster-robust t interval matches its formula in numpy and scipy 1.17", () => {
  const interval = studentInterval(some(sceneEstimate([3, 5, 8, 1, 9, 2, 7, 7], [..."aabbbccd"])));
  agrees(interval[0], 3.377071090622245, 11);
  agrees(interval[1], 7.122928909377755, 11);
});

it("quantiles match numpy 2.4", () => {
  const ascending = Float64Array.of(1, 2, 3, 7, 12.5);
  const found = [0, 0.1, 0.5, 0.95, 0.99, 1].map((q) => quantileSorted(ascending, q));
  [1.0, 1.4, 3.0, 11.4, 12.28, 12.5].forEach((value, i) => {
    agrees(found[i], value, 13);
  });
});
