import { describe, expect, it } from "vitest";
import { BareTask } from "../../../test/support/nav-task.js";
import { RobotEvalError } from "../errors.js";
import { EpisodeSummaryBuilder } from "./episode-summary.js";

class TenSteps extends BareTask {
  override checkEpisodeComplete({ num_steps = 0 }: { num_steps?: number } = {}): boolean {
    return num_steps >= 10;
  }
}

describe("a task that implements only checkEpisodeComplete", () => {
  it("a task that implements only checkEpisodeComplete has the end reason complete, and none before", () => {
    expect(new TenSteps().endReason({ num_steps: 9 })).toBeNull();
    expect(new TenSteps().endReason({ num_steps: 10 })).toBe("complete");
  });

  it("a task that implements only checkEpisodeComplete explains an episode by its outcome, steps and end reason", () => {
    const end = { endReason: "complete", ...new EpisodeSummaryBuilder().summary, steps: 10 };
    const task = new TenSteps();
    expect(task.explain({ ...end, succeeded: true })).toBe("succeeded after 10 steps (complete)");
    expect(task.explain({ ...end, succeeded: false })).toBe("failed after 10 steps (complete)");
  });

  it("a task that implements only checkEpisodeComplete has the family custom", () => {
    expect(new TenSteps().family).toBe("custom");
  });
});

describe("a task's metrics", () => {
  it("the metrics of a task are those of its config, or else its defaults", () => {
    expect(new BareTask({ metrics: ["spl", "cls"] }).metricNames).toEqual(["spl", "cls"]);
    expect(new BareTask().metricNames).toEqual(["success"]);
  });

  it("the metrics of a task cannot be looked up if it was created without a registry", () => {
    const look = () => new BareTask().getMetrics();
    expect(look).toThrow(RobotEvalError);
    expect(look).toThrow("without a metric registry");
  });
});
