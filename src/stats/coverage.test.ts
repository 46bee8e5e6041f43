import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { bootstrapMean } from "./bootstrap.js";
import { clusterBootstrapMean } from "./cluster-bootstrap.js";
import { studentTTwoSided } from "./distributions.js";
import type { Interval } from "./interval.js";
import { clusterNormalInterval, normalInterval } from "./normal-interval.js";
import { logBinomial } from "./special-functions.js";
import { wilsonInterval } from "./wilson.js";

/**
 * Does a 95 % interval hold the truth in 95 of 100 experiments? Simulated with fixed seeds; with 2,000
 * experiments the share found is off by 0.5 points (one standard error) from the one that is true.
 * Fewer resamples than the default cost half a point of coverage at most.
 */
const EXPERIMENTS = 2000;

function coverage(truth: number, experiments: number, run: (seed: number) => Interval | null) {
  let covered = 0;
  for (let seed = 0; seed < experiments; seed++) {
    const interval = run(seed);
    if (interval && interval[0] <= truth && truth <= interval[1]) covered++;
  }
  return covered / experiments;
}

/** The coverage of Wilson's interval needs no chance: the outcomes can be summed. */
function exactWilsonCoverage(p: number, n: number): number {
  let covered = 0;
  for (let k = 0; k <= n; k++) {
    const [low, high] = wilsonInterval(k, n) ?? [1, 0];
    if (low <= p && p <= high) {
      covered += Math.exp(logBinomial(n, k) + k * Math.log(p) + (n - k) * Math.log(1 - p));
    }
  }
  return covered;
}

describe("Wilson covers a rate", () => {
  for (const p of [0.05, 0.5, 0.9]) {
    for (const n of [20, 100]) {
      it(`of ${p} from ${n} episodes, by simulation as by summing`, () => {
        const random = new Random(n * 1000 + p * 100);
        const found = coverage(p, EXPERIMENTS, () => {
          let successes = 0;
          for (let i = 0; i < n; i++) if (random.uniform() < p) successes++;
          return wilsonInterval(successes, n);
        });
        const exact = exactWilsonCoverage(p, n);
        expect(Math.abs(found - exact)).toBeLessThan(0.02);
        // Counts are whole, so the coverage swings around 0.95; 0.9245 at (0.05, 20) is the low here.
        expect(exact).toBeGreaterThan(0.92);
        expect(exact).toBeLessThan(0.975);
      });
    }
  }
});

describe("the bootstrap covers a skewed mean", () => {
  // Exponential values have skewness 2, about that of path lengths and times.
  const skewed = (random: Random, n: number) =>
    Array.from({ length: n }, () => -Math.log(1 - random.uniform()));

  for (const [n, least] of [
    [50, 0.905],
    [100, 0.915],
  ] as const) {
    it(`a little below its level, at n = ${n}`, () => {
      const random = new Random(n);
      const found = coverage(1, EXPERIMENTS, (seed) =>
        bootstrapMean(skewed(random, n), { seed, resamples: 300 }),
      );
      expect(found).toBeGreaterThan(least);
      expect(found).toBeLessThan(0.96);
    });
  }

  it("and Student's t does as well at n = 1,000", () => {
    const random = new Random(1);
    const found = coverage(1, EXPERIMENTS, () => normalInterval(skewed(random, 1000)));
    expect(found).toBeGreaterThan(0.935);
    expect(found).toBeLessThan(0.965);
  });
});

/** Scenes that differ: the share `correlation` of the variance is theirs, the rest the episode's. */
function scenes(random: Random, k: number, m: number, correlation: number) {
  const values: number[] = [];
  const clusters: string[] = [];
  for (let scene = 0; scene < k; scene++) {
    const common = Math.sqrt(correlation) * random.normal();
    for (let i = 0; i < m; i++) {
      values.push(common + Math.sqrt(1 - correlation) * random.normal());
      clusters.push(String(scene));
    }
  }
  return { values, clusters };
}

describe("where episodes of a scene are alike (30 scenes of 10, correlation 0.3)", () => {
  it("the plain bootstrap is far too sure of itself", () => {
    const random = new Random(11);
    const found = coverage(0, 500, (seed) =>
      bootstrapMean(scenes(random, 30, 10, 0.3).values, { seed, resamples: 300 }),
    );
    // In theory P(|Z| < 1.96/√3.7) = 0.69: each scene of ten is worth 10/3.7 independent episodes.
    expect(found).toBeGreaterThan(0.6);
    expect(found).toBeLessThan(0.76);
  });

  it("the clustered bootstrap is not", () => {
    const random = new Random(12);
    const found = coverage(0, EXPERIMENTS, (seed) => {
      const { values, clusters } = scenes(random, 30, 10, 0.3);
      return clusterBootstrapMean(values, clusters, { seed, resamples: 500 });
    });
    expect(found).toBeGreaterThan(0.915);
    expect(found).toBeLessThan(0.96);
  });
});

describe("with few scenes", () => {
  for (const k of [5, 10, 20]) {
    it(`the clustered bootstrap covers what theory says it lacks, at ${k}`, () => {
      const random = new Random(k);
      const found = coverage(0, EXPERIMENTS, (seed) => {
        const { values, clusters } = scenes(random, k, 5, 0.2);
        return clusterBootstrapMean(values, clusters, { seed, resamples: 500 });
      });
      const theory = 1 - studentTTwoSided(1.96 * Math.sqrt((k - 1) / k), k - 1);
      expect(Math.abs(found - theory)).toBeLessThan(0.03);
    });
  }

  it("it falls below 90 % between nine and ten", () => {
    const theory = (k: number) => 1 - studentTTwoSided(1.96 * Math.sqrt((k - 1) / k), k - 1);
    expect(theory(9)).toBeLessThan(0.9);
    expect(theory(10)).toBeGreaterThan(0.9);
  });

  it("the plain bootstrap at five covers scenes that are alike and fails those that are not", () => {
    const random = new Random(21);
    const plain = (correlation: number) =>
      coverage(0, 500, (seed) =>
        bootstrapMean(scenes(random, 5, 20, correlation).values, { seed, resamples: 300 }),
      );
    expect(plain(0)).toBeGreaterThan(0.91);
    expect(plain(0.2)).toBeLessThan(0.7);
  });

  it("Student's t over scene totals covers both, at five", () => {
    const random = new Random(22);
    for (const correlation of [0, 0.2]) {
      const found = coverage(0, EXPERIMENTS, () => {
        const { values, clusters } = scenes(random, 5, 20, correlation);
        return clusterNormalInterval(values, clusters);
      });
      expect(found).toBeGreaterThan(0.93);
      expect(found).toBeLessThan(0.97);
    }
  });
});
