import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { bootstrapMean } from "./bootstrap.js";
import { clusterNormalInterval, normalInterval } from "./normal-interval.js";

describe("normalInterval", () => {
  it("returns null below two values", () => {
    expect(normalInterval([])).toBeNull();
    expect(normalInterval([3])).toBeNull();
  });

  it("has zero width when all values are equal", () => {
    expect(normalInterval([0.1, 0.1, 0.1])).toEqual([0.1, 0.1]);
  });

  it("agrees with the bootstrap at 20,000 skewed values", () => {
    const random = new Random(9);
    const values = Array.from({ length: 20_000 }, () => -Math.log(1 - random.uniform()));
    const [low, high] = normalInterval(values) ?? [0, 0];
    const [lowB, highB] = bootstrapMean(values, { seed: 1, resamples: 500 }) ?? [0, 0];
    const half = (high - low) / 2;
    expect(Math.abs(lowB - low)).toBeLessThan(0.2 * half);
    expect(Math.abs(highB - high)).toBeLessThan(0.2 * half);
  });
});

describe("clusterNormalInterval", () => {
  it("returns null below two scenes", () => {
    expect(clusterNormalInterval([], [])).toBeNull();
    expect(clusterNormalInterval([1, 2], ["a", "a"])).toBeNull();
  });

  it("equals normalInterval when every value has its own scene", () => {
    const values = [3, 5, 8, 1, 9, 2];
    const [low, high] = clusterNormalInterval(values, [..."abcdef"]) ?? [0, 0];
    const [lowPlain, highPlain] = normalInterval(values) ?? [0, 0];
    expect(low).toBeCloseTo(lowPlain, 12);
    expect(high).toBeCloseTo(highPlain, 12);
  });

  it("equals the interval of the scene means when all scenes have the same size", () => {
    const [low, high] = clusterNormalInterval([1, 3, 4, 8, 2, 2], [..."aabbcc"]) ?? [0, 0];
    const [lowMeans, highMeans] = normalInterval([2, 6, 2]) ?? [0, 0];
    expect(low).toBeCloseTo(lowMeans, 12);
    expect(high).toBeCloseTo(highMeans, 12);
  });

  it("has zero width when all values are equal", () => {
    expect(clusterNormalInterval([0.1, 0.1, 0.1], [..."aab"])).toEqual([0.1, 0.1]);
  });
});
