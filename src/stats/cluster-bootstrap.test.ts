import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterBootstrapMean } from "./cluster-bootstrap.js";
import { clusterTotals } from "./clusters.js";

describe("clusterTotals", () => {
  it("sums and counts each cluster in any order of the values", () => {
    const totals = clusterTotals([1, 10, 2, 20, 3], ["a", "b", "a", "b", "c"]);
    expect([...totals.sums]).toEqual([3, 30, 3]);
    expect([...totals.counts]).toEqual([2, 2, 1]);
  });

  it("rejects lists of different lengths", () => {
    expect(() => clusterTotals([1, 2], ["a"])).toThrow("2 values but 1 cluster names");
  });
});

describe("clusterBootstrapMean", () => {
  it("returns null for an empty list and for a single scene", () => {
    expect(clusterBootstrapMean([], [], { seed: 1 })).toBeNull();
    expect(clusterBootstrapMean([1, 2, 3], ["a", "a", "a"], { seed: 1 })).toBeNull();
  });

  it("has zero width when all values are equal", () => {
    expect(clusterBootstrapMean([0.1, 0.1, 0.1], ["a", "a", "b"], { seed: 1 })).toEqual([0.1, 0.1]);
  });

  it("resamples whole scenes, so two scenes can give three different means only", () => {
    const values = [0, 0, 0, 1];
    const interval = clusterBootstrapMean(values, ["a", "a", "a", "b"], { seed: 5, level: 0.5 });
    // a+a, a+b, b+b in proportions 1:2:1 have the means 0, 1/4 and 1.
    expect(interval?.[0]).toBeLessThanOrEqual(0.25);
    expect([0, 0.25, 1]).toContain(interval?.[1]);
  });

  it("is wider than the plain bootstrap when scenes differ and their episodes do not", () => {
    const clusters = Array.from({ length: 200 }, (_, i) => `scene${i % 10}`);
    const values = clusters.map((name) => Number(name.slice(5)));
    const [low, high] = clusterBootstrapMean(values, clusters, { seed: 2 }) ?? [0, 0];
    // Ten scenes with the values 0..9: the standard error is 2.87/√10 = 0.91, not 2.87/√200 = 0.2.
    expect(high - low).toBeGreaterThan(2.8);
    expect(high - low).toBeLessThan(4.2);
  });

  it("gives the same interval for the same seed, and the interval contains the mean", () => {
    const data = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 9 })),
      { minLength: 12, maxLength: 60 },
    );
    fc.assert(
      fc.property(data, fc.integer(), (rows, seed) => {
        const values = rows.map(([value]) => value);
        // At least four scenes: with two very unequal ones the interval may exclude the mean.
        const clusters = rows.map(([, scene], i) => `s${i < 4 ? i : scene}`);
        const interval = clusterBootstrapMean(values, clusters, { seed, resamples: 300 });
        expect(clusterBootstrapMean(values, clusters, { seed, resamples: 300 })).toEqual(interval);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(interval?.[0]).toBeLessThanOrEqual(mean + 1e-9);
        expect(interval?.[1]).toBeGreaterThanOrEqual(mean - 1e-9);
      }),
    );
  });
});
