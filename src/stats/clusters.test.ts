import { describe, expect, it } from "vitest";
import { clusterTotals } from "./clusters.js";

describe("clusterTotals", () => {
  it("clusterTotals sums and counts each cluster in any order of the values", () => {
    const totals = clusterTotals([1, 10, 2, 20, 3], ["a", "b", "a", "b", "c"]);
    expect([...totals.sums]).toEqual([3, 30, 3]);
    expect([...totals.counts]).toEqual([2, 2, 1]);
  });

  it("clusterTotals rejects lists of different lengths", () => {
    expect(() => clusterTotals([1, 2], ["a"])).toThrow("2 values but 1 cluster names");
  });
});
