import { describe, expect, it } from "vitest";
import type { StepState } from "../../core/interfaces/step.js";
import { EpisodeSummaryBuilder } from "../../core/task/episode-summary.js";
import { externalConfig } from "./config.js";
import { ExternalTask } from "./task.js";

function explained(states: readonly StepState[], endReason = "max_steps", subtasks?: string[]) {
  const builder = new EpisodeSummaryBuilder();
  for (const [step, state] of states.entries()) {
    builder.add({ step, action: step === 0 ? null : [], state });
  }
  const task = new ExternalTask(subtasks ? { subtasks } : {});
  return task.explain({ succeeded: false, endReason, ...builder.summary });
}

const stages = (lifted: boolean, stacked: boolean): StepState => ({ stages: { lifted, stacked } });

describe("a task of a simulator elsewhere", () => {
  it("ends with its success, its simulator or its steps", () => {
    const task = new ExternalTask({ max_steps: 5 });
    expect(task.endReason({ success: true, done: true })).toBe("success");
    expect(task.endReason({ success: false, done: true })).toBe("done");
    expect(task.endReason({ success: false, num_steps: 5 })).toBe("max_steps");
    const patient = new ExternalTask({ terminate_on_success: false });
    expect(patient.endReason({ success: true })).toBeNull();
  });

  it("asks for the share of its sub-conditions only where it names them", () => {
    expect(new ExternalTask().defaultMetrics).toEqual(["manip_success", "success_once"]);
    expect(new ExternalTask({ subtasks: ["a"] }).defaultMetrics).toContain("completion_rate");
  });

  it("says nothing of numbers that it does not know", () => {
    expect(new ExternalTask().conventions).not.toHaveProperty("action_dim");
    expect(new ExternalTask({ dof: 7 }).conventions).toMatchObject({ action_dim: 7 });
    const told = new ExternalTask({ conventions: { gripper_open: -1 } }).conventions;
    expect(told).toMatchObject({ gripper_open: -1, image_origin: "top_left" });
  });

  it("refuses settings that it does not know", () => {
    expect(externalConfig.safeParse({ robot_type: "panda" }).success).toBe(false);
    expect(externalConfig.safeParse({ env: { name: "Lift" }, dof: 7 }).success).toBe(true);
  });
});

describe("the explanation of a failure there", () => {
  it("names what was reached, and the first that was not", () => {
    expect(explained([stages(false, false), stages(true, false)])).toBe(
      "reached lifted (step 1) but never stacked (max_steps after 1 steps)",
    );
    expect(explained([stages(false, false)], "done")).toBe(
      "never reached lifted (the simulator ended it after 0 steps)",
    );
  });

  it("follows the order of the benchmark, and tells what was lost", () => {
    const first = [stages(false, false), stages(false, true)];
    expect(explained(first, "max_steps", ["stacked", "lifted"])).toContain("reached stacked");
    const lost = [stages(true, false), stages(true, true), stages(true, false)];
    expect(explained(lost)).toContain("stacked was lost after step 1");
  });

  it("does without sub-conditions", () => {
    expect(explained([{ success: false, reward: 0.12345 }])).toBe(
      "the simulator's success check did not hold at the end (max_steps after 0 steps); last reward 0.123",
    );
  });
});
