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
  it("has none for no values", () => {
    const none = { interval: null, method: "none" };
    expect(meanInterval([], { kind: "rate", seed: 1 })).toEqual(none);
    expect(meanInterval([], { kind: "mean", seed: 1, clusters: [] })).toEqual(none);
  });

  it("gives a rate Wilson's interval, even from one episode", () => {
    expect(meanInterval([1, 0, 1], { kind: "rate", seed: 1 })).toEqual({
      interval: wilsonInterval(2, 3),
      method: "wilson",
    });
    expect(meanInterval([1], { kind: "rate", seed: 1 }).method).toBe("wilson");
  });

  it("has none for the mean of one value", () => {
    expect(meanInterval([0.4], { kind: "mean", seed: 1 })).toEqual({
      interval: null,
      method: "none",
    });
  });

  it("bootstraps a mean", () => {
    expect(meanInterval(lengths, { kind: "mean", seed: 4 })).toEqual({
      interval: bootstrapMean(lengths, { seed: 4 }),
      method: "bootstrap",
    });
  });

  it("takes a rate with values between 0 and 1 for the mean it is", () => {
    expect(meanInterval([0, 1, 0.5], { kind: "rate", seed: 1 }).method).toBe("bootstrap");
  });

  it("draws scenes where episodes share them", () => {
    const clusters = scenes(10);
    expect(meanInterval(lengths, { kind: "mean", seed: 4, clusters })).toEqual({
      interval: clusterBootstrapMean(lengths, clusters, { seed: 4 }),
      method: "cluster_bootstrap",
    });
  });

  it("draws episodes where each has a scene of its own, or all have the same", () => {
    for (const count of [60, 1]) {
      const clusters = scenes(count);
      expect(meanInterval(lengths, { kind: "mean", seed: 4, clusters }).method).toBe("bootstrap");
    }
  });

  it("takes Student's t on scenes where they are fewer than ten", () => {
    for (const count of [9, 2]) {
      const clusters = scenes(count);
      expect(meanInterval(lengths, { kind: "mean", seed: 4, clusters })).toEqual({
        interval: clusterNormalInterval(lengths, clusters),
        method: "cluster_t",
      });
    }
  });

  it("does not reach beyond what the metric can be", () => {
    const values = [0, 0, 0.1, 0.9, 1, 1];
    const options = { kind: "mean", seed: 4, clusters: ["a", "a", "a", "b", "b", "b"] } as const;
    expect(meanInterval(values, { ...options, range: [0, 1] }).interval).toEqual([0, 1]);
  });

  it("goes over to Student's t above 20,000 values", () => {
    const many = Array.from({ length: 20_001 }, () => random.uniform());
    expect(meanInterval(many, { kind: "mean", seed: 4 })).toEqual({
      interval: normalInterval(many),
      method: "normal",
    });
  });

  it("still draws scenes above 20,000 values, for many episodes do not make scenes alike", () => {
    const many = Array.from({ length: 20_001 }, () => random.uniform());
    const clusters = scenes(30, many.length);
    expect(meanInterval(many, { kind: "mean", seed: 4, clusters }).method).toBe(
      "cluster_bootstrap",
    );
  });

  it("keeps to scenes when it goes over to Student's t above 20,000 of them", () => {
    const many = Array.from({ length: 20_101 }, () => random.uniform());
    const clusters = scenes(20_001, many.length);
    expect(meanInterval(many, { kind: "mean", seed: 4, clusters })).toEqual({
      interval: clusterNormalInterval(many, clusters),
      method: "normal",
    });
  });

  it("refuses scenes that do not pair up with the values", () => {
    expect(() => meanInterval([1, 0], { kind: "rate", seed: 1, clusters: ["a"] })).toThrow(
      "2 values but 1 cluster names",
    );
  });
});
