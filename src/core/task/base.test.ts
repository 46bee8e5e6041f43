import { describe, expect, it } from "vitest";
import { BareTask } from "../../../test/support/nav-task.js";
import { RobotEvalError } from "../errors.js";
import { Retrospect } from "./retrospect.js";

class TenSteps extends BareTask {
  override checkEpisodeComplete({ num_steps = 0 }: { num_steps?: number } = {}): boolean {
    return num_steps >= 10;
  }
}

describe("a task that says only when it is complete", () => {
  it("ends as complete, and goes on until then", () => {
    expect(new TenSteps().endReason({ num_steps: 9 })).toBeNull();
    expect(new TenSteps().endReason({ num_steps: 10 })).toBe("complete");
  });

  it("is explained by its outcome, steps and reason", () => {
    const end = { endReason: "complete", ...new Retrospect().course, steps: 10 };
    const task = new TenSteps();
    expect(task.explain({ ...end, succeeded: true })).toBe("succeeded after 10 steps (complete)");
    expect(task.explain({ ...end, succeeded: false })).toBe("failed after 10 steps (complete)");
  });

  it("belongs to no simulator's family by itself", () => {
    expect(new TenSteps().family).toBe("custom");
  });
});

describe("a task's metrics", () => {
  it("are those its config names, else its own", () => {
    expect(new BareTask({ metrics: ["spl", "cls"] }).metricNames).toEqual(["spl", "cls"]);
    expect(new BareTask().metricNames).toEqual(["success"]);
  });

  it("cannot be looked up by a task that was made without a registry, and it says how to", () => {
    const look = () => new BareTask().getMetrics();
    expect(look).toThrow(RobotEvalError);
    expect(look).toThrow("without a metric registry");
  });
});
