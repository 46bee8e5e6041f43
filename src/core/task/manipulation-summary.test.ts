import { describe, expect, it } from "vitest";
import type { StepState } from "../interfaces/step.js";
import { EpisodeSummaryBuilder } from "./episode-summary.js";

function handlingOf(states: readonly StepState[]) {
  const builder = new EpisodeSummaryBuilder();
  for (const [step, state] of states.entries()) {
    builder.add({ step, action: step === 0 ? null : [step], state });
  }
  return builder.summary.handling;
}

const holding = (...names: readonly string[]): StepState => ({
  stages: Object.fromEntries(["near", "held"].map((name) => [name, names.includes(name)])),
});

describe("the summary of a manipulation episode", () => {
  it("the summary of a manipulation episode is absent if no record has stages or joints", () => {
    expect(handlingOf([])).toBeUndefined();
    expect(handlingOf([{ position: [0, 0, 0], distance_to_goal: 1 }])).toBeUndefined();
  });

  it("the summary of a manipulation episode has the least reach distance", () => {
    const reach = [0.5, 0.2, 0.3].map((reach_m) => ({ ...holding(), reach_m }));
    expect(handlingOf(reach)?.closestReachM).toBe(0.2);
    expect(handlingOf([holding()])?.closestReachM).toBe(Number.POSITIVE_INFINITY);
  });

  it("the summary of a manipulation episode has the first and last step of each stage, and the state after it", () => {
    const states = [
      holding(),
      holding("near"),
      holding("near", "held"),
      holding("held"),
      holding(),
    ];
    const stages = handlingOf(states)?.stages;
    expect(stages?.near).toEqual({ first: 1, last: 2, state: states[2], after: states[3] });
    expect(stages?.held).toEqual({ first: 2, last: 3, state: states[3], after: states[4] });
  });

  it("the summary of a manipulation episode has no state after a stage that holds at the end, even if it was lost in between", () => {
    const states = [holding("held"), holding(), holding("held")];
    expect(handlingOf(states)?.stages.held).toEqual({ first: 0, last: 2, state: states[2] });
    expect(handlingOf(states)?.stages).not.toHaveProperty("near");
  });

  it("the summary of a manipulation episode counts the steps at the end in which a joint did not move", () => {
    const qpos = [
      [0, 0],
      [0.1, 0],
      [0.2, 0.0005],
      [0.2, 0],
    ].map((now) => ({ qpos: now }));
    expect(handlingOf(qpos)).toMatchObject({ stillSteps: [1, 3], lastAction: [3] });
  });
});
