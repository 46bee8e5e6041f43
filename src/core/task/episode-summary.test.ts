import { describe, expect, it } from "vitest";
import type { StepState } from "../interfaces/step.js";
import { EpisodeSummaryBuilder } from "./episode-summary.js";

function summaryOf(states: readonly StepState[]) {
  const builder = new EpisodeSummaryBuilder();
  for (const [step, state] of states.entries()) {
    builder.add({ step, action: step === 0 ? null : "move_forward", state });
  }
  return builder.summary;
}

describe("the summary of an episode", () => {
  it("the summary of an episode has the least distance to the goal, and the first step with it", () => {
    const summary = summaryOf([5, 2, 3, 2].map((distance_to_goal) => ({ distance_to_goal })));
    expect(summary).toMatchObject({ closestM: 2, closestStep: 1, steps: 3 });
    expect(summary.lastState.distance_to_goal).toBe(2);
  });

  it("the summary of an episode counts as stuck all steps without movement since a collision, including turns", () => {
    const at = (x: number, collided = false): StepState => ({ position: [x, 0, 0], collided });
    const summary = summaryOf([at(0), at(1), at(1), at(1, true), at(1), at(1, true)]);
    expect(summary).toMatchObject({ stuckSteps: 3, collisions: 2 });
  });

  it("the summary of an episode counts no stuck steps once the robot moves again", () => {
    const at = (x: number, collided = false): StepState => ({ position: [x, 0, 0], collided });
    expect(summaryOf([at(0), at(0, true), at(0.25)]).stuckSteps).toBe(0);
  });

  it("the summary of an episode has no steps and an infinite distance without records", () => {
    expect(new EpisodeSummaryBuilder().summary).toMatchObject({
      steps: 0,
      closestM: Number.POSITIVE_INFINITY,
    });
  });
});
