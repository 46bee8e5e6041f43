import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { effectiveCount } from "./effective-count.js";
import { independentEstimate, sceneEstimate, studentInterval } from "./mean-estimate.js";
import { meanInterval } from "./mean-interval.js";
import { wilsonInterval, wilsonOfRate } from "./wilson.js";

const random = new Random(3);
const lengths = Array.from({ length: 60 }, () => random.uniform());
const scenes = (count: number, n = lengths.length) =>
  Array.from({ length: n }, (_, i) => `scene${i % count}`);

describe("meanInterval", () => {
  it("meanInterval gives no interval for an empty list", () => {
    const none = { interval: null, method: "none" };
    expect(meanInterval([], { kind: "rate" })).toEqual(none);
    expect(meanInterval([], { kind: "mean", clusters: [] })).toEqual(none);
  });

  it("meanInterval uses the Wilson interval for a rate, even with one episode", () => {
    expect(meanInterval([1, 0, 1], { kind: "rate" })).toEqual({
      interval: wilsonInterval(2, 3),
      method: "wilson",
    });
    expect(meanInterval([1], { kind: "rate" }).method).toBe("wilson");
  });

  it("meanInterval uses the Wilson interval on n for a rate in one scene, and in as many scenes as episodes", () => {
    const outcomes = [1, 0, 1, 1, 0];
    for (const count of [1, 5]) {
      const found = meanInterval(outcomes, { kind: "rate", clusters: scenes(count, 5) });
      expect(found).toEqual({ interval: wilsonInterval(3, 5), method: "wilson" });
    }
  });

  it("meanInterval uses the Wilson interval on the effective number of episodes for a rate over shared scenes", () => {
    // One scene succeeds and the other fails: the ten episodes are worth far less than ten.
    const outcomes = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0];
    const clusters = [..."aaaaabbbbb"];
    const { interval, method } = meanInterval(outcomes, { kind: "rate", clusters });
    expect(method).toBe("wilson_scenes");
    expect(interval).toEqual(wilsonOfRate(0.5, effectiveCount(outcomes, clusters)));
    expect(interval?.[0]).toBeLessThan(0.05);
    expect(wilsonInterval(5, 10)?.[0]).toBeGreaterThan(0.2);
  });

  it("meanInterval gives no interval for the mean of one value", () => {
    expect(meanInterval([0.4], { kind: "mean" })).toEqual({ interval: null, method: "none" });
  });

  it("meanInterval uses the Student t interval for a mean", () => {
    const estimate = independentEstimate(lengths);
    expect(meanInterval(lengths, { kind: "mean" })).toEqual({
      interval: estimate && studentInterval(estimate),
      method: "student_t",
    });
  });

  it("meanInterval treats a rate with values between 0 and 1 as a mean", () => {
    expect(meanInterval([0, 1, 0.5], { kind: "rate" }).method).toBe("student_t");
  });

  it("meanInterval uses the Student t interval on scene totals when episodes share scenes and the scenes differ", () => {
    const clusters = scenes(12);
    const values = lengths.map((value, i) => value + (i % 12));
    const estimate = sceneEstimate(values, clusters);
    expect(meanInterval(values, { kind: "mean", clusters })).toEqual({
      interval: estimate && studentInterval(estimate),
      method: "cluster_t",
    });
  });

  it("meanInterval is never narrower over shared scenes than over independent episodes", () => {
    // Two scenes with the same mean: the standard error over scenes is zero.
    const values = [38, 75, 43, 52, 38, 75, 43, 52];
    const found = meanInterval(values, { kind: "mean", clusters: [..."aaaabbbb"] });
    expect(found.method).toBe("cluster_t");
    expect(found.interval).toEqual(meanInterval(values, { kind: "mean" }).interval);
  });

  it("meanInterval treats episodes as independent when each has its own scene, or all have the same", () => {
    for (const count of [60, 1]) {
      const clusters = scenes(count);
      expect(meanInterval(lengths, { kind: "mean", clusters }).method).toBe("student_t");
    }
  });

  it("meanInterval clips the interval to the metric range", () => {
    const values = [0, 0, 0.1, 0.9, 1, 1];
    const options = { kind: "mean", clusters: ["a", "a", "a", "b", "b", "b"] } as const;
    expect(meanInterval(values, { ...options, range: [0, 1] }).interval).toEqual([0, 1]);
  });

  it("meanInterval ignores a range that a value exceeds", () => {
    const options = { kind: "mean", range: [0, 1] } as const;
    expect(meanInterval([2, 2], options)).toEqual({ interval: null, method: "none" });
    const { interval } = meanInterval([0.5, 3, 1], options);
    expect(interval?.[1]).toBeGreaterThan(1.5);
  });

  it("meanInterval gives equal values of a bounded metric the interval of values that may yet differ", () => {
    const { interval, method } = meanInterval([0, 0, 0, 0, 0, 0], { kind: "mean", range: [0, 1] });
    expect(method).toBe("equal_values");
    expect(interval?.[0]).toBe(0);
    expect(interval?.[1]).toBeCloseTo(wilsonInterval(0, 6)?.[1] ?? Number.NaN, 12);
  });

  it("meanInterval gives equal values of an unbounded metric no interval", () => {
    const range = [0, Number.POSITIVE_INFINITY] as const;
    const none = { interval: null, method: "none" };
    expect(meanInterval([500, 500, 500], { kind: "mean", range })).toEqual(none);
  });

  it("meanInterval always contains the mean, stays in the range and has a width", () => {
    const rows = fc.array(
      fc.tuple(fc.constantFrom(0, 0.25, 0.5, 1), fc.constantFrom("a", "b", "c")),
      { minLength: 2, maxLength: 30 },
    );
    fc.assert(
      fc.property(rows, fc.constantFrom("rate", "mean"), (pairs, kind) => {
        const values: readonly number[] = pairs.map(([value]) => value);
        const clusters = pairs.map(([, scene]) => scene);
        const [low, high] = meanInterval(values, { kind, clusters, range: [0, 1] }).interval ?? [];
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(mean + 1e-12);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-12);
        expect((high ?? 0) - (low ?? 0)).toBeGreaterThan(0.01);
      }),
    );
  });

  it("meanInterval rejects a list of scenes that is shorter than the values", () => {
    expect(() => meanInterval([1, 0], { kind: "rate", clusters: ["a"] })).toThrow(
      "2 values but 1 cluster names",
    );
  });
});
