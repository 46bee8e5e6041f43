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

describe("a task of a remote simulator", () => {
  it("a task of a remote simulator ends with success, the end that the simulator reports, or the step limit", () => {
    const task = new ExternalTask({ max_steps: 5 });
    expect(task.endReason({ success: true, done: true })).toBe("success");
    expect(task.endReason({ success: false, done: true })).toBe("done");
    expect(task.endReason({ success: false, num_steps: 5 })).toBe("max_steps");
    const patient = new ExternalTask({ terminate_on_success: false });
    expect(patient.endReason({ success: true })).toBeNull();
  });

  it("a task of a remote simulator has completion_rate as a default metric only if it lists sub-conditions", () => {
    expect(new ExternalTask().defaultMetrics).toEqual(["manip_success", "success_once"]);
    expect(new ExternalTask({ subtasks: ["a"] }).defaultMetrics).toContain("completion_rate");
  });

  it("a task of a remote simulator omits conventions that are unknown before the simulator is connected", () => {
    expect(new ExternalTask().conventions).not.toHaveProperty("action_dim");
    expect(new ExternalTask({ dof: 7 }).conventions).toMatchObject({ action_dim: 7 });
    const declared = new ExternalTask({ conventions: { gripper_open: -1 } }).conventions;
    expect(declared).toMatchObject({ gripper_open: -1, image_origin: "top_left" });
  });

  it("a task of a remote simulator rejects unknown settings", () => {
    expect(externalConfig.safeParse({ robot_type: "panda" }).success).toBe(false);
    expect(externalConfig.safeParse({ env: { name: "Lift" }, dof: 7 }).success).toBe(true);
  });
});

describe("the explanation of a failure in a remote simulator", () => {
  it("the explanation of a failure in a remote simulator names the sub-conditions that were reached, and the first that was not", () => {
    expect(explained([stages(false, false), stages(true, false)])).toBe(
      "reached lifted (step 1) but never stacked (max_steps after 1 steps)",
    );
    expect(explained([stages(false, false)], "done")).toBe(
      "never reached lifted (the simulator ended it after 0 steps)",
    );
  });

  it("the explanation of a failure in a remote simulator uses the order of the benchmark, and names sub-conditions that were lost", () => {
    const first = [stages(false, false), stages(false, true)];
    expect(explained(first, "max_steps", ["stacked", "lifted"])).toContain("reached stacked");
    const lost = [stages(true, false), stages(true, true), stages(true, false)];
    expect(explained(lost)).toContain("stacked was lost after step 1");
  });

  it("the explanation of a failure in a remote simulator is also given without sub-conditions", () => {
    expect(explained([{ success: false, reward: 0.12345 }])).toBe(
      "the simulator's success check did not hold at the end (max_steps after 0 steps); last reward 0.123",
    );
  });
});
