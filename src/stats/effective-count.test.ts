import { describe, expect, it } from "vitest";
import { effectiveCount } from "./effective-count.js";

describe("effectiveCount", () => {
  it("effectiveCount is the number of episodes in one scene, and in as many scenes as episodes", () => {
    expect(effectiveCount([1, 0, 1])).toBe(3);
    expect(effectiveCount([1, 0, 1], ["a", "a", "a"])).toBe(3);
    expect(effectiveCount([1, 0, 1], ["a", "b", "c"])).toBe(3);
  });

  it("effectiveCount is the number of episodes where all are equal, and where all scenes have the same mean", () => {
    expect(effectiveCount([0, 0, 0, 0], [..."aabb"])).toBe(4);
    expect(effectiveCount([1, 0, 1, 0], [..."aabb"])).toBe(4);
    expect(effectiveCount([1, 0, 0, 1, 0, 0, 1, 0, 0], [..."aaabbbccc"])).toBe(9);
  });

  it("effectiveCount agrees with the formula of Korn and Graubard computed by hand for three scenes", () => {
    // Scenes of 2 with 2, 1 and 0 successes: p(1-p) = 1/4, v = (3/2)(1 + 0 + 1)/36 = 1/12, so 3 before the factor
    // of the t quantiles, 2.5705818 with 5 and 4.3026527 with 2 degrees of freedom.
    const found = effectiveCount([1, 1, 1, 0, 0, 0], [..."aabbcc"]);
    expect(found).toBeCloseTo(3 * (2.570581835636314 / 4.302652729696142) ** 2, 10);
  });

  it("effectiveCount does not depend on which outcome is called a success", () => {
    const values = [1, 1, 0, 0, 0, 1, 0];
    const scenes = [..."aabbccc"];
    const turned = values.map((value) => 1 - value);
    expect(effectiveCount(turned, scenes)).toBeCloseTo(effectiveCount(values, scenes), 12);
  });
});
