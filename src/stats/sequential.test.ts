import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import type { Interval } from "./interval.js";
import { ConfidenceSequence } from "./sequential.js";
import { wilsonInterval } from "./wilson.js";

function rateOf(successes: number, n: number): Interval {
  const sequence = new ConfidenceSequence("rate");
  for (let i = 0; i < n; i++) sequence.add(i < successes ? 1 : 0);
  return sequence.interval();
}

function boundedOf(values: readonly number[]): Interval {
  const sequence = new ConfidenceSequence("bounded");
  for (const value of values) sequence.add(value);
  return sequence.interval();
}

const holds = ([low, high]: Interval, truth: number) => low <= truth && truth <= high;

/** Values of a fixed, uneven spread: squares of the golden ratio's multiples, modulo 1. */
const uneven = (n: number) =>
  Array.from({ length: n }, (_, i) => (((i + 1) * 0.6180339887498949) % 1) ** 2);

describe("a confidence sequence", () => {
  it("a confidence sequence has the interval [0, 1] and no mean before the first value", () => {
    for (const kind of ["rate", "bounded"] as const) {
      const sequence = new ConfidenceSequence(kind);
      expect(sequence.count).toBe(0);
      expect(sequence.mean).toBeNull();
      expect(sequence.interval()).toEqual([0, 1]);
    }
  });

  it("a confidence sequence gives the count and the mean of its values", () => {
    const sequence = new ConfidenceSequence("bounded");
    for (const value of [0.5, 1, 0]) sequence.add(value);
    expect(sequence.count).toBe(3);
    expect(sequence.mean).toBe(0.5);
  });

  it("a confidence sequence has an interval within [0, 1] that contains the mean", () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(values, fc.constantFrom("rate" as const, "bounded" as const), (list, kind) => {
        const sequence = new ConfidenceSequence(kind);
        for (const value of list) sequence.add(kind === "rate" ? Math.round(value) : value);
        const [low, high] = sequence.interval();
        const mean = sequence.mean ?? Number.NaN;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(mean);
        expect(high).toBeGreaterThanOrEqual(mean);
        expect(high).toBeLessThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });

  it("a confidence sequence gives the mirrored interval when successes and failures are swapped", () => {
    const [low, high] = rateOf(13, 40);
    const [mirroredLow, mirroredHigh] = rateOf(27, 40);
    expect(mirroredLow).toBeCloseTo(1 - high, 11);
    expect(mirroredHigh).toBeCloseTo(1 - low, 11);
    const [from, to] = boundedOf(uneven(80));
    const [mirroredFrom, mirroredTo] = boundedOf(uneven(80).map((value) => 1 - value));
    expect(mirroredFrom).toBeCloseTo(1 - to, 12);
    expect(mirroredTo).toBeCloseTo(1 - from, 12);
  });

  it("a confidence sequence contains the mean of values that drift", () => {
    const drifting = [...new Array(300).fill(0.1), ...new Array(300).fill(0.9)];
    expect(holds(boundedOf(drifting), 0.5)).toBe(true);
  });

  it("a confidence sequence rejects values outside [0, 1], and a fraction as a value of a rate", () => {
    for (const kind of ["rate", "bounded"] as const) {
      const sequence = new ConfidenceSequence(kind);
      expect(() => sequence.add(1.01)).toThrow("value 0 is 1.01");
      expect(() => sequence.add(-1)).toThrow("value 0 is -1");
      expect(() => sequence.add(Number.NaN)).toThrow("value 0 is NaN");
      expect(sequence.count).toBe(0);
    }
    expect(() => new ConfidenceSequence("rate").add(0.5)).toThrow("value 0 of a rate is 0.5");
  });
});

describe("the confidence sequence of a rate", () => {
  it("the confidence sequence of a rate agrees with betaln and brentq of scipy", () => {
    for (const [successes, n, low, high] of [
      [1, 1, 0, 1],
      [0, 10, 0, 0.5640441409775342],
      [7, 10, 0.17807390550970917, 0.9852840190343549],
      [1, 40, 0, 0.1775413446170348],
      [60, 60, 0.9287025185158273, 1],
      [90, 100, 0.7879964237764215, 0.9699977220756847],
      [1289, 1335, 0.9465192112001426, 0.9802102597570854],
    ] as const) {
      const [from, to] = rateOf(successes, n);
      expect(from).toBeCloseTo(low, 11);
      expect(to).toBeCloseTo(high, 11);
    }
  });

  it("the confidence sequence of a rate contains exactly the rates whose likelihood ratio is below 20", () => {
    // The mixture as a product of predictive probabilities (a Pólya urn of ten balls), without beta functions.
    const logRatio = (p: number, successes: number, n: number) => {
      let log = 0;
      for (let j = 0; j < successes; j++) log += Math.log((10 * p + j) / p);
      for (let j = 0; j < n - successes; j++) log += Math.log((10 * (1 - p) + j) / (1 - p));
      for (let i = 0; i < n; i++) log -= Math.log(10 + i);
      return log;
    };
    const random = new Random(8);
    for (let round = 0; round < 40; round++) {
      const n = 1 + random.below(150);
      const successes = random.below(n + 1);
      const interval = rateOf(successes, n);
      for (let cell = 1; cell < 40; cell++) {
        const p = cell / 40;
        expect(holds(interval, p)).toBe(logRatio(p, successes, n) < Math.log(20));
      }
    }
  });
});

describe("the confidence sequence of bounded values", () => {
  it("the confidence sequence of bounded values agrees with the published code, rounded outwards to thousandths", () => {
    // betting_mart of the Python package confseq with its defaults; interval ends found by scipy's brentq.
    for (const [n, low, high] of [
      [1, 0, 1],
      [5, 0, 0.7876612465253828],
      [20, 0.1593016725867683, 0.5404914477358649],
      [100, 0.2485350222026256, 0.42214349013461044],
      [1000, 0.29841737256916945, 0.3657356661014623],
    ] as const) {
      const [from, to] = boundedOf(uneven(n));
      expect(from).toBeCloseTo(Math.floor(low * 1000) / 1000, 12);
      expect(to).toBeCloseTo(Math.ceil(high * 1000) / 1000, 12);
    }
  });

  it("the confidence sequence of bounded values is narrower when the values vary less", () => {
    const random = new Random(4);
    const width = ([low, high]: Interval) => high - low;
    const draws = Array.from({ length: 200 }, () => random.uniform());
    const calm = draws.map((u) => 0.4 + 0.2 * u);
    const outcomes = draws.map((u) => Math.round(u));
    expect(width(boundedOf(calm))).toBeLessThan(0.5 * width(boundedOf(draws)));
    expect(width(boundedOf(draws))).toBeLessThan(width(boundedOf(outcomes)));
  });
});

describe("a confidence sequence checked after every value", () => {
  /** The share of experiments in which some interval, from the first value to the last, excludes the truth. */
  function everExcludes(experiments: number, run: (random: Random) => boolean) {
    let excluded = 0;
    for (let seed = 0; seed < experiments; seed++) if (run(new Random(seed))) excluded++;
    return excluded / experiments;
  }

  for (const p of [0.5, 0.9]) {
    it(`a confidence sequence checked after every value excludes at any time a true rate of ${p} in fewer than 5 % of runs of 2,000 values`, () => {
      // The likelihood ratio of the test above, updated at the true rate, is far cheaper than the interval
      // and shows when the interval excludes that rate. The interval is computed only then, or at the end.
      const found = everExcludes(1500, (random) => {
        const sequence = new ConfidenceSequence("rate");
        let ratio = 1;
        let successes = 0;
        for (let n = 0; n < 2000 && ratio < 20; n++) {
          const success = random.uniform() < p;
          const hits = success ? successes : n - successes;
          const share = success ? p : 1 - p;
          ratio *= (10 * share + hits) / ((10 + n) * share);
          if (success) successes++;
          sequence.add(success ? 1 : 0);
        }
        expect(holds(sequence.interval(), p)).toBe(ratio < 20);
        return ratio >= 20;
      });
      expect(found).toBeLessThan(0.05);
      expect(found).toBeGreaterThan(0.02);
    });

    it(`a confidence sequence checked after every value is needed: the Wilson interval excludes a true rate of ${p} at some value in 45 % of runs`, () => {
      const found = everExcludes(200, (random) => {
        let successes = 0;
        for (let n = 1; n <= 2000; n++) {
          if (random.uniform() < p) successes++;
          if (!holds(wilsonInterval(successes, n) ?? [0, 1], p)) return true;
        }
        return false;
      });
      expect(found).toBeGreaterThan(0.45);
    });
  }

  it("a confidence sequence checked after every value excludes at any time the true mean of SPL-like values in fewer than 5 % of runs of 500 values", () => {
    // 60 % of episodes succeed, with a value from 0.6 to 1: mean 0.48.
    const found = everExcludes(120, (random) => {
      const sequence = new ConfidenceSequence("bounded");
      for (let n = 0; n < 500; n++) {
        sequence.add(random.uniform() < 0.6 ? 0.6 + 0.4 * random.uniform() : 0);
        if (!holds(sequence.interval(), 0.48)) return true;
      }
      return false;
    });
    expect(found).toBeLessThan(0.05);
  });
});
