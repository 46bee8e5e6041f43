import { describe, expect, it } from "vitest";
import { ActionSpace } from "../../core/task/types.js";
import { pace } from "./findings.js";
import type { Watched } from "./watch.js";

/** A policy whose answers took so long, the first of them with the loading of its model. */
function tookMs(...times: readonly number[]): Watched {
  const space = new ActionSpace({ name: "continuous", shape: [7] });
  const answers = times.map((ms) => ({ raw: [], qpos: undefined, ms }));
  return { space, readyMs: 0, answers };
}

const allowance = { actions: 500, timeoutMs: 300_000 };

describe("the pace of a policy", () => {
  it("the pace of a policy gives a warning if a whole episode would exceed the time limit", () => {
    const finding = pace(tookMs(9_000, 2_000, 2_000), allowance);
    expect(finding?.status).toBe("warning");
    expect(finding?.text).toContain("an episode of 500 actions takes 1000 s");
    expect(finding?.text).toContain("ends it after 300 s");
  });

  it("the pace of a policy ignores the first action, for which a model may be loaded", () => {
    expect(pace(tookMs(60_000, 100, 100), allowance)).toBeUndefined();
    expect(pace(tookMs(60_000), allowance)).toBeUndefined();
  });

  it("the pace of a policy averages over the actions of a chunk", () => {
    expect(pace(tookMs(2_000, 0, 0, 0, 2_000, 0, 0, 0, 2_000), allowance)).toBeUndefined();
  });

  it("the pace of a policy gives no warning without a time limit", () => {
    const endless = { actions: 500, timeoutMs: Number.POSITIVE_INFINITY };
    expect(pace(tookMs(0, 9_000), endless)).toBeUndefined();
  });
});
