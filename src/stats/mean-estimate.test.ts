import { describe, expect, it } from "vitest";
import {
  estimateMean,
  independentEstimate,
  sceneEstimate,
  studentInterval,
  studentTest,
} from "./mean-estimate.js";

describe("independentEstimate", () => {
  it("independentEstimate returns null below two values", () => {
    expect(independentEstimate([])).toBeNull();
    expect(independentEstimate([3])).toBeNull();
  });

  it("independentEstimate rejects a NaN and names its index", () => {
    expect(() => independentEstimate([1, Number.NaN])).toThrow("values[1] is NaN");
  });
});

describe("sceneEstimate", () => {
  it("sceneEstimate returns null below two scenes", () => {
    expect(sceneEstimate([], [])).toBeNull();
    expect(sceneEstimate([1, 2], ["a", "a"])).toBeNull();
  });

  it("sceneEstimate equals the independent estimate when every value has its own scene", () => {
    const values = [3, 5, 8, 1, 9, 2];
    const found = sceneEstimate(values, [..."abcdef"]);
    const independent = independentEstimate(values);
    expect(found?.standardError).toBeCloseTo(independent?.standardError ?? Number.NaN, 12);
    expect(found?.df).toBe(independent?.df);
  });

  it("sceneEstimate equals the estimate of the scene means when all scenes have the same size", () => {
    const found = sceneEstimate([1, 3, 4, 8, 2, 2], [..."aabbcc"]);
    const means = independentEstimate([2, 6, 2]);
    expect(found?.standardError).toBeCloseTo(means?.standardError ?? Number.NaN, 12);
    expect(found?.df).toBe(2);
  });

  it("sceneEstimate rejects a list of scenes of another length", () => {
    expect(() => sceneEstimate([1, 2], ["a"])).toThrow("2 values but 1 cluster names");
  });
});

describe("estimateMean", () => {
  const values = [0, 0.1, 0, 0.1, 1, 0.9, 1, 0.9];
  const scenes = [..."aaaabbbb"];

  it("estimateMean is the estimate over scenes where they differ", () => {
    expect(estimateMean(values, scenes)).toEqual(sceneEstimate(values, scenes));
  });

  it("estimateMean is the independent estimate where scenes have equal means", () => {
    const mixed = [..."abababab"];
    expect(sceneEstimate([1, 1, 2, 2, 3, 3], [..."ababab"])?.standardError).toBe(0);
    expect(estimateMean(values, mixed)).toEqual(independentEstimate(values));
  });

  it("estimateMean has an interval that excludes zero exactly where p is below 0.05", () => {
    for (let shift = -2; shift <= 2; shift += 0.05) {
      const estimate = estimateMean(values.map((value) => value + shift));
      if (!estimate) throw new Error("no estimate");
      const [low, high] = studentInterval(estimate);
      expect(low > 0 || high < 0).toBe(studentTest(estimate) < 0.05);
    }
  });
});
