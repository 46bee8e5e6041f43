import { describe, expect, it } from "vitest";
import { BareTask, measure, type Step } from "../../../test/support/nav-task.js";
import { CompletionRate } from "./completion-rate.js";

class StagedTask extends BareTask {
  readonly stages = ["reached", "grasped", "lifted", "placed"];
}

const holding = (...steps: readonly (readonly string[])[]): Step[] =>
  steps.map((names) => ({
    state: {
      // Reversed: the order of the keys must not matter if the task lists its stages.
      stages: Object.fromEntries(
        ["placed", "lifted", "grasped", "reached"].map((name) => [name, names.includes(name)]),
      ),
    },
  }));
const rate = (steps: readonly Step[]) =>
  measure(new CompletionRate(), steps, { task: new StagedTask() });

describe("completion_rate", () => {
  it("completion_rate is the share of stages reached", () => {
    expect(rate(holding([]))).toBe(0);
    expect(rate(holding([], ["reached"]))).toBe(0.25);
    expect(rate(holding([], ["reached", "grasped", "lifted", "placed"]))).toBe(1);
  });

  it("completion_rate counts a stage that was reached and no longer holds", () => {
    expect(rate(holding(["reached"], ["grasped"], []))).toBe(0.5);
  });

  it("completion_rate stops counting at the first stage that was not reached", () => {
    expect(rate(holding(["reached", "lifted", "placed"]))).toBe(0.25);
    expect(rate(holding(["grasped", "lifted", "placed"]))).toBe(0);
  });

  it("completion_rate uses the order of the first record when the task lists no stages", () => {
    const steps: Step[] = [
      { state: { stages: { near: true, open: false } } },
      { state: { stages: { near: false, open: false } } },
    ];
    expect(measure(new CompletionRate(), steps)).toBe(0.5);
  });

  it("completion_rate is null when there are no stages", () => {
    expect(measure(new CompletionRate(), [{ state: { stages: {} } }])).toBeNull();
    expect(measure(new CompletionRate(), [])).toBeNull();
  });

  it("completion_rate keeps no state from the previous episode", () => {
    const metric = new CompletionRate();
    measure(metric, [{ state: { stages: { near: true } } }]);
    expect(measure(metric, [{ state: { stages: { near: false, open: false } } }])).toBe(0);
  });
});
