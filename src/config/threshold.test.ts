import { describe, expect, it } from "vitest";
import { readThreshold } from "./threshold.js";

describe("readThreshold", () => {
  it.each([
    ["success=0.5", { metric: "success", statistic: "mean", comparison: "=", value: 0.5 }],
    ["navigation_error<=1e1", { metric: "navigation_error", comparison: "<=", value: 10 }],
    ["vln.success>=0.5", { task: "vln", metric: "success", statistic: "mean", comparison: ">=" }],
    ["success.ci_low >= 0.9", { metric: "success", statistic: "ci_low", value: 0.9 }],
    ["vln.success.ci_high<=1", { task: "vln", metric: "success", statistic: "ci_high" }],
    ["ci_low>=0", { metric: "ci_low", statistic: "mean" }],
  ])("readThreshold reads %s", (text, expected) => {
    expect(readThreshold(text)).toMatchObject({ text, ...expected });
  });

  it.each([
    ...["success", "success=", "success= ", "success=high", "success=1=2", "=", "", "success>0.5"],
    ...["success>==1", "success=>1", ".success=1", "success.=1", "success=Infinity", "a b=1"],
  ])("readThreshold does not read %j", (text) => {
    expect(readThreshold(text)).toBeUndefined();
  });
});
