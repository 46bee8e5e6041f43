import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../core/errors.js";
import { incomplete, isComplete, whyNotRun } from "./verdict.js";

const episodes = { total: 10, success: 4, failure: 6, invalid: 0 };

describe("a result", () => {
  it("is ranked when every episode was judged", () => {
    expect(isComplete({ status: "done", episodes })).toBe(true);
    expect(isComplete({ status: "done", episodes: { ...episodes, failure: 5, invalid: 1 } })).toBe(
      false,
    );
    expect(isComplete({ status: "cancelled", episodes })).toBe(false);
    const none = { total: 0, success: 0, failure: 0, invalid: 0 };
    expect(isComplete({ status: "done", episodes: none })).toBe(false);
  });

  it("states why it is not ranked", () => {
    const faults = { agent: 2, platform: 1 };
    expect(
      incomplete({ status: "done", episodes: { ...episodes, invalid: 3 }, faults }, undefined),
    ).toBe(
      "not complete, 10 episodes were judged: 3 episodes are invalid (2 the agent's fault, 1 the server's fault)",
    );
    expect(incomplete({ status: "cancelled", episodes, faults }, "the agent disconnected")).toBe(
      "not complete, 10 episodes were judged: the agent disconnected",
    );
    expect(incomplete({ status: "failed", episodes, faults }, undefined)).toContain("given up");
  });

  it("says that the cause is unknown where no fault is recorded", () => {
    const invalid = { ...episodes, invalid: 1 };
    expect(incomplete({ status: "done", episodes: invalid, faults: {} }, undefined)).toContain(
      "1 episodes are invalid (of unknown cause)",
    );
  });

  it("of a failed evaluation reveals nothing about the server", () => {
    const secret = new ConfigError("no_scene", "house_03 is not there", { where: "/srv/hidden" });
    expect(whyNotRun(secret)).not.toMatch(/house|srv/);
    const misfit = new ConfigError("missing_sensor", "the policy wants lidar", { where: "ws://x" });
    expect(whyNotRun(misfit)).toBe("the policy wants lidar");
  });
});
