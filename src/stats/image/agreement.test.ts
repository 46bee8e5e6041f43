import { describe, expect, it } from "vitest";
import { depthError, labelAgreement } from "./agreement.js";

describe("agreement of segmentations and depth images", () => {
  it("label agreement is the share of pixels with the same label", () => {
    const labels = Int32Array.of(-1, 0, 3, 3);
    expect(labelAgreement(labels, labels)).toBe(1);
    expect(labelAgreement(labels, Int32Array.of(-1, 0, 3, 4))).toBe(0.75);
    expect(() => labelAgreement(labels, new Int32Array(3))).toThrow(/4 and 3 values/);
  });

  it("the depth error has the quantiles of numpy for the selected pixels only", () => {
    const near = Float32Array.from({ length: 101 }, () => 1);
    const far = near.map((value, i) => (i === 100 ? 90 : value + i / 64));
    const { medianM, p99M, pixels } = depthError(near, far, (i) => i < 100);
    // numpy.quantile(numpy.arange(100) / 64, [0.5, 0.99])
    expect([medianM, p99M, pixels]).toEqual([0.7734375, 1.53140625, 100]);
  });

  it("the depth error of no pixels is NaN", () => {
    const depth = Float32Array.of(1);
    const none = { medianM: Number.NaN, p99M: Number.NaN, pixels: 0 };
    expect(depthError(depth, depth, () => false)).toEqual(none);
  });
});
