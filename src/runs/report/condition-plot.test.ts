import { describe, expect, it } from "vitest";
import type { Condition, StepRecord } from "../../core/interfaces/step.js";
import { conditionPlot } from "./condition-plot.js";

function recordsOf(...steps: readonly (readonly Condition[])[]): StepRecord[] {
  return steps.map((conditions, step) => ({ step, action: null, state: { conditions } }));
}

function lifted(value: number): Condition {
  return { name: "lifted", value, threshold: 0.1, holds: value >= 0.1 };
}

function atTarget(value: number): Condition {
  return { name: "at_target", value, threshold: 0.05, holds: value <= 0.05 };
}

describe("conditionPlot", () => {
  it("conditionPlot draws one row per part of the condition, with its last value and whether it holds", () => {
    const records = recordsOf([lifted(0), atTarget(0.2)], [lifted(0.12), atTarget(0.2)]);
    const { text } = conditionPlot(records) ?? {};
    expect(text?.match(/<tr>/g)).toHaveLength(3);
    expect(text).toContain("over 1 step:");
    expect(text).toMatch(/>lifted<.*>0\.120<.*≥ 0\.100.*>yes</);
    expect(text).toMatch(/>at target<.*>0\.200<.*≤ 0\.050.*>no</);
  });

  it("conditionPlot shades each interval in which a part holds", () => {
    const values = [0, 0.2, 0.2, 0, 0.2];
    const { text } = conditionPlot(recordsOf(...values.map((value) => [lifted(value)]))) ?? {};
    expect(text?.match(/class="held"/g)).toHaveLength(2);
  });

  it("conditionPlot stays small for a long episode and keeps a one-step spike", () => {
    const values = Array.from({ length: 20_000 }, (_, i) => (i === 7777 ? 5 : 0.01));
    const { text = "" } = conditionPlot(recordsOf(...values.map((value) => [lifted(value)]))) ?? {};
    expect(text.length).toBeLessThan(10_000);
    // The greatest value is drawn 3 units below the upper edge.
    expect(text).toMatch(/points="[^"]*,3 /);
  });

  it("conditionPlot returns null when the steps have no conditions", () => {
    expect(conditionPlot([{ step: 0, action: null, state: { position: [0, 0, 0] } }])).toBeNull();
  });

  it("conditionPlot escapes condition names, which plugins choose", () => {
    const { text } = conditionPlot(recordsOf([{ ...lifted(1), name: "<i>" }])) ?? {};
    expect(text).not.toContain("<i>");
  });
});
