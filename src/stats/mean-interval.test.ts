import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { bootstrapMean } from "./bootstrap.js";
import { clusterBootstrapMean } from "./cluster-bootstrap.js";
import { meanInterval } from "./mean-interval.js";
import { clusterNormalInterval, normalInterval } from "./normal-interval.js";
import { wilsonInterval } from "./wilson.js";

const random = new Random(3);
const lengths = Array.from({ length: 60 }, () => random.uniform());
const scenes = (count: number, n = lengths.length) =>
  Array.from({ length: n }, (_, i) => `scene${i % count}`);

describe("meanInterval", () => {
  it("gives no interval for an empty list", () => {
    const none = { interval: null, method: "none" };
    expect(meanInterval([], { kind: "rate", seed: 1 })).toEqual(none);
    expect(meanInterval([], { kind: "mean", seed: 1, clusters: [] })).toEqual(none);
  });

  it("uses Wilson's interval for a rate, even with one episode", () => {
    expect(meanInterval([1, 0, 1], { kind: "rate", seed: 1 })).toEqual({
      interval: wilsonInterval(2, 3),
      method: "wilson",
    });
    expect(meanInterval([1], { kind: "rate", seed: 1 }).method).toBe("wilson");
  });

  it("gives no interval for the mean of one value", () => {
    expect(meanInterval([0.4], { kind: "mean", seed: 1 })).toEqual({
      interval: null,
      method: "none",
    });
  });

  it("uses the bootstrap for a mean", () => {
    expect(meanInterval(lengths, { kind: "mean", seed: 4 })).toEqual({
      interval: bootstrapMean(lengths, { seed: 4 }),
      method: "bootstrap",
    });
  });

  it("treats a rate with values between 0 and 1 as a mean", () => {
    expect(meanInterval([0, 1, 0.5], { kind: "rate", seed: 1 }).method).toBe("bootstrap");
  });

  it("resamples scenes when episodes share them", () => {
    const clusters = scenes(10);
    expect(meanInterval(lengths, { kind: "mean", seed: 4, clusters })).toEqual({
      interval: clusterBootstrapMean(lengths, clusters, { seed: 4 }),
      method: "cluster_bootstrap",
    });
  });

  it("resamples episodes when each has its own scene, or all have the same", () => {
    for (const count of [60, 1]) {
      const clusters = scenes(count);
      expect(meanInterval(lengths, { kind: "mean", seed: 4, clusters }).method).toBe("bootstrap");
    }
  });

  it("uses Student's t on scene totals when there are fewer than ten scenes", () => {
    for (const count of [9, 2]) {
      const clusters = scenes(count);
      expect(meanInterval(lengths, { kind: "mean", seed: 4, clusters })).toEqual({
        interval: clusterNormalInterval(lengths, clusters),
        method: "cluster_t",
      });
    }
  });

  it("clips the interval to the metric's range", () => {
    const values = [0, 0, 0.1, 0.9, 1, 1];
    const options = { kind: "mean", seed: 4, clusters: ["a", "a", "a", "b", "b", "b"] } as const;
    expect(meanInterval(values, { ...options, range: [0, 1] }).interval).toEqual([0, 1]);
  });

  it("uses Student's t above 20,000 values", () => {
    const many = Array.from({ length: 20_001 }, () => random.uniform());
    expect(meanInterval(many, { kind: "mean", seed: 4 })).toEqual({
      interval: normalInterval(many),
      method: "normal",
    });
  });

  it("resamples scenes above 20,000 values too, as long as the scenes are fewer", () => {
    const many = Array.from({ length: 20_001 }, () => random.uniform());
    const clusters = scenes(30, many.length);
    expect(meanInterval(many, { kind: "mean", seed: 4, clusters }).method).toBe(
      "cluster_bootstrap",
    );
  });

  it("uses Student's t on scene totals above 20,000 scenes", () => {
    const many = Array.from({ length: 20_101 }, () => random.uniform());
    const clusters = scenes(20_001, many.length);
    expect(meanInterval(many, { kind: "mean", seed: 4, clusters })).toEqual({
      interval: clusterNormalInterval(many, clusters),
      method: "normal",
    });
  });

  it("rejects a list of scenes that is shorter than the values", () => {
    expect(() => meanInterval([1, 0], { kind: "rate", seed: 1, clusters: ["a"] })).toThrow(
      "2 values but 1 cluster names",
    );
  });
});
