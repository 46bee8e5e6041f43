import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../src/core/math/random.js";
import type { Interval } from "../../src/stats/interval.js";
import { meanInterval } from "../../src/stats/mean-interval.js";
import { comparePairs } from "../../src/stats/paired-comparison.js";
import { repeatsInterval } from "../../src/stats/repeats-interval.js";
import { wilsonInterval } from "../../src/stats/wilson.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";

/** Simulated experiments of each situation. */
const EXPERIMENTS = evidenceSize({ full: 10_000, soak: 300 });

const COUNTS = [5, 6, 10, 20, 50];
const SCENES = [1, 2, 3, 5, 10, 30];
const CORRELATIONS = [0, 0.1, 0.3];
const RATES = [0, 0.05, 0.5, 0.95, 1];
/** Success rates of the two runs of a comparison. */
const PAIRS = [
  [0, 0],
  [0.05, 0.05],
  [0.5, 0.5],
  [0.5, 0.7],
  [0.05, 0.95],
  [0, 1],
] as const;

interface Situation {
  readonly n: number;
  readonly scenes: number;
  /** The share of the variance that is due to the scene. */
  readonly correlation: number;
}

/** One scene and a scene per episode are the same situation; a correlation takes shared scenes. */
const SITUATIONS: readonly Situation[] = COUNTS.flatMap((n) =>
  SCENES.filter((scenes) => scenes < n).flatMap((scenes) =>
    CORRELATIONS.filter((correlation) => scenes > 1 || correlation === 0).map((correlation) => ({
      n,
      scenes,
      correlation,
    })),
  ),
);

/** Gamma(shape, 1): Marsaglia and Tsang, ACM TOMS 26 (2000). */
function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * (1 - random.uniform()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
      return d * v;
    }
  }
}

/** A scene's success rate: a beta distribution whose variance is the given share of rate (1 - rate). */
function rateOfScene(random: Random, rate: number, correlation: number): number {
  if (correlation === 0 || rate === 0 || rate === 1) return rate;
  const size = (1 - correlation) / correlation;
  const [x, y] = [gamma(random, rate * size), gamma(random, (1 - rate) * size)];
  return x / (x + y);
}

function scenesOf({ n, scenes }: Situation): string[] {
  return Array.from({ length: n }, (_, i) => `scene${i % scenes}`);
}

function outcomes(random: Random, situation: Situation, rate: number): number[] {
  const { n, scenes, correlation } = situation;
  const rates = Array.from({ length: scenes }, () => rateOfScene(random, rate, correlation));
  return Array.from({ length: n }, (_, i) => (random.uniform() < (rates[i % scenes] ?? 0) ? 1 : 0));
}

/** Values like SPL: 0 for a failure, and uniform in [0.5, 1] for a success. */
function weighted(random: Random, situation: Situation, rate: number): number[] {
  return outcomes(random, situation, rate).map((value) => value * (1 - random.uniform() / 2));
}

/** Values like path lengths: exponential with a mean of 1 (skewness 2), times a factor for each scene. */
function lengths(random: Random, { n, scenes, correlation }: Situation): number[] {
  // The variance of factor × exponential is 1 + 2v, of which v is due to a factor of variance v.
  const v = correlation / (1 - 2 * correlation);
  const factors = Array.from({ length: scenes }, () => (v === 0 ? 1 : gamma(random, 1 / v) * v));
  return Array.from(
    { length: n },
    (_, i) => -Math.log(1 - random.uniform()) * (factors[i % scenes] ?? 1),
  );
}

interface Found extends Situation {
  readonly values: string;
  readonly method: string;
  readonly coverage: number;
  readonly width: number;
}

const found: Found[] = [];

function simulate(
  values: string,
  situation: Situation,
  truth: number,
  experiment: (random: Random) => { readonly interval: Interval | null; readonly method: string },
): Found {
  const { n, scenes, correlation } = situation;
  const random = new Random(n * 10_000 + scenes * 100 + correlation * 10);
  let [covered, width] = [0, 0];
  const methods = new Set<string>();
  for (let i = 0; i < EXPERIMENTS; i++) {
    const { interval, method } = experiment(random);
    const [low, high] = interval ?? [Number.NaN, Number.NaN];
    if (low <= truth + 1e-9 && truth - 1e-9 <= high) covered++;
    width += high - low;
    methods.add(method);
  }
  const row = {
    ...{ values, method: [...methods].sort().join(", "), ...situation },
    coverage: covered / EXPERIMENTS,
    width: width / EXPERIMENTS,
  };
  found.push(row);
  return row;
}

/** Five standard errors of a simulated coverage of 93 %. */
const NOISE = 5 * Math.sqrt((0.93 * 0.07) / EXPERIMENTS);

afterAll(() => {
  writeEvidence(
    "coverage",
    `Coverage of 95 % intervals, ${EXPERIMENTS} experiments each`,
    found.map(({ coverage, width, ...row }) => ({
      ...row,
      coverage: `${(100 * coverage).toFixed(1)} %`,
      width: width.toFixed(3),
    })),
  );
});

const BOUNDED = { range: [0, 1] } as const;
const REPEATS = 3;

/**
 * The least coverage at full size, rounded down; docs/statistics.md says why it is below 93 % where it is. Soak allows
 * for the noise of its smaller number of experiments.
 */
function expectCovered({ coverage }: Found, least: number): void {
  expect(coverage).toBeGreaterThan(least - NOISE);
}

describe.each(SITUATIONS)("with $n episodes in $scenes scenes, correlation $correlation", (s) => {
  const scenes = scenesOf(s);
  const isSmall = s.n <= 6 && s.scenes > 1;

  it.each(RATES)(
    "the interval of a rate of %f covers the true value at least as often as documented",
    (rate) => {
      const found = simulate(`rate ${rate}`, s, rate, (random) =>
        meanInterval(outcomes(random, s, rate), { kind: "rate", clusters: scenes, ...BOUNDED }),
      );
      expectCovered(found, isSmall ? 0.84 : 0.91);
    },
  );

  it.each(RATES)(
    "the interval of a rate of %f covers the true value at least as often as documented over three repeats",
    (rate) => {
      const found = simulate(`rate ${rate}, ${REPEATS} repeats`, s, rate, (random) => {
        const { n, correlation } = s;
        const rates = Array.from({ length: s.scenes }, () =>
          rateOfScene(random, rate, correlation),
        );
        const groups = Array.from({ length: n }, (_, i) =>
          Array.from({ length: REPEATS }, () =>
            random.uniform() < (rates[i % s.scenes] ?? 0) ? 1 : 0,
          ),
        );
        return repeatsInterval(groups, { kind: "rate", clusters: scenes });
      });
      expectCovered(found, isSmall ? 0.84 : 0.88);
    },
  );

  it.each(RATES)(
    "the interval of a mean like SPL covers the true value at least as often as documented at a rate of %f",
    (rate) => {
      const found = simulate(`SPL at rate ${rate}`, s, 0.75 * rate, (random) =>
        meanInterval(weighted(random, s, rate), { kind: "mean", clusters: scenes, ...BOUNDED }),
      );
      expectCovered(found, 0.91);
    },
  );

  it("the interval of a mean length covers the true value at least as often as documented", () => {
    const found = simulate("length", s, 1, (random) =>
      meanInterval(lengths(random, s), { kind: "mean", clusters: scenes }),
    );
    expectCovered(found, 0.8);
  });

  it.each(PAIRS)(
    "the interval of the difference of rates %f and %f covers the true value at least as often as documented",
    (a, b) => {
      const found = simulate(`rates ${a} and ${b}`, s, b - a, (random) =>
        comparePairs(outcomes(random, s, a), outcomes(random, s, b), { scenes, ...BOUNDED }),
      );
      expectCovered(found, 0.92);
    },
  );

  it.each(PAIRS)(
    "the interval of the difference in SPL at rates %f and %f covers the true value at least as often as documented",
    (a, b) => {
      const found = simulate(`SPL at rates ${a} and ${b}`, s, 0.75 * (b - a), (random) =>
        comparePairs(weighted(random, s, a), weighted(random, s, b), { scenes, ...BOUNDED }),
      );
      expectCovered(found, 0.85);
    },
  );
});

it("the Wilson interval on all episodes covers a rate in two scenes that differ far too rarely", () => {
  const s = { n: 50, scenes: 2, correlation: 0.3 };
  const { coverage } = simulate("rate 0.5, scenes ignored", s, 0.5, (random) => {
    const successes = outcomes(random, s, 0.5).filter((value) => value === 1).length;
    return { interval: wilsonInterval(successes, s.n), method: "wilson" };
  });
  expect(coverage).toBeLessThan(0.6);
});
