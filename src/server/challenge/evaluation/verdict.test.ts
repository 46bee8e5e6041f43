import { describe, expect, it } from "vitest";
import { ConfigError, DataError, StopRunError } from "../../../core/errors.js";
import type { RunSummary } from "../../../core/interfaces/result.js";
import { type Attempt, hostFault, incomplete, isComplete, whyNotRun } from "./verdict.js";

const episodes = { total: 10, success: 4, failure: 6, invalid: 0 };

describe("a result", () => {
  it("a result is ranked when every episode was judged", () => {
    expect(isComplete({ status: "done", episodes })).toBe(true);
    expect(isComplete({ status: "done", episodes: { ...episodes, failure: 5, invalid: 1 } })).toBe(
      false,
    );
    expect(isComplete({ status: "cancelled", episodes })).toBe(false);
    const none = { total: 0, success: 0, failure: 0, invalid: 0 };
    expect(isComplete({ status: "done", episodes: none })).toBe(false);
  });

  it("a result states why it is not ranked", () => {
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

  it("a result says that the cause is unknown where no fault is recorded", () => {
    const invalid = { ...episodes, invalid: 1 };
    expect(incomplete({ status: "done", episodes: invalid, faults: {} }, undefined)).toContain(
      "1 episodes are invalid (of unknown cause)",
    );
  });

  it("the result of a failed evaluation reveals nothing about the server", () => {
    const secret = new ConfigError("no_scene", "house_03 is not there", { where: "/srv/hidden" });
    expect(whyNotRun(secret)).not.toMatch(/house|srv/);
    const misfit = new ConfigError("missing_sensor", "the policy requests lidar", {
      where: "ws://x",
    });
    expect(whyNotRun(misfit)).toBe("the policy requests lidar");
  });
});

type Part = Partial<Pick<RunSummary, "status" | "episodes" | "faults">>;

function ended(part: Part): Attempt {
  const episodes = { total: 6, success: 1, failure: 4, invalid: 1 };
  const summary = { status: "done", episodes, faults: {}, ...part } as RunSummary;
  return { outcome: { summary, runDir: null } };
}

describe("an attempt to evaluate a submission", () => {
  it.each<[string, Attempt]>([
    ["a full disk", { error: new DataError("cannot_write", "ENOSPC") }],
    ["a thread that died", { error: new Error("the evaluation's thread exited with code 1") }],
    ["a simulator that does not start", { error: new StopRunError("no_simulator", "gone") }],
    ["something that is no error", { error: "what" }],
    ["nothing that says why", { error: undefined }],
    ["a busy resource of the system", { error: Object.assign(new Error("no"), { code: "busy" }) }],
    ["a simulator that failed in an episode", ended({ faults: { agent: 2, platform: 1 } })],
    ["an episode with damaged data", ended({ faults: { data: 1 } })],
    ["workers that could not prepare the run", ended({ status: "failed" })],
  ])("an attempt to evaluate a submission is retried and not counted after %s", (_, attempt) => {
    expect(hostFault(attempt, false)).toEqual({ isRetried: true });
  });

  it("an attempt to evaluate a submission is neither counted nor retried if its run was cancelled on the cluster", () => {
    expect(hostFault(ended({ status: "cancelled" }), false)).toEqual({ isRetried: false });
  });

  it.each<[string, Attempt]>([
    [
      "completes",
      ended({ episodes: { total: 6, success: 2, failure: 4, invalid: 0 }, faults: { agent: 1 } }),
    ],
    [
      "completes without any fault",
      ended({ episodes: { total: 6, success: 2, failure: 4, invalid: 0 } }),
    ],
    ["has only faults of its agent", ended({ faults: { agent: 1, platform: 0 } })],
    ["is given up because of its agent", ended({ status: "failed", faults: { agent: 3 } })],
    ["has episodes that its agent never began", ended({ faults: { agent: 1 } })],
    ["has a policy of other conventions", { error: new ConfigError("convention_mismatch", "no") }],
    ["has a policy with too few sessions", { error: new StopRunError("busy", "no") }],
    ["has a policy that wants another sensor", { error: new StopRunError("missing_sensor", "no") }],
  ])("an attempt to evaluate a submission counts when it %s", (_, attempt) => {
    expect(hostFault(attempt, false)).toBeUndefined();
  });

  it("an attempt to evaluate a submission counts if the evaluator rejected the policy, whatever the workers report", () => {
    expect(hostFault(ended({ status: "failed" }), true)).toBeUndefined();
    expect(hostFault({ error: new Error("refused") }, true)).toBeUndefined();
  });
});
