import { describe, expect, it } from "vitest";
import type { StepState } from "../interfaces/step.js";
import { Retrospect } from "./retrospect.js";

function courseOf(states: readonly StepState[]) {
  const retrospect = new Retrospect();
  for (const [step, state] of states.entries()) {
    retrospect.add({ step, action: step === 0 ? null : "move_forward", state });
  }
  return retrospect.course;
}

describe("an episode in retrospect", () => {
  it("knows how near it came, and when first", () => {
    const course = courseOf([5, 2, 3, 2].map((distance_to_goal) => ({ distance_to_goal })));
    expect(course).toMatchObject({ closestM: 2, closestStep: 1, steps: 3 });
    expect(course.lastState.distance_to_goal).toBe(2);
  });

  it("was stuck from the collision on after which it got nowhere, turns included", () => {
    const at = (x: number, collided = false): StepState => ({ position: [x, 0, 0], collided });
    const course = courseOf([at(0), at(1), at(1), at(1, true), at(1), at(1, true)]);
    expect(course).toMatchObject({ stuckSteps: 3, collisions: 2 });
  });

  it("is free again as soon as it moves", () => {
    const at = (x: number, collided = false): StepState => ({ position: [x, 0, 0], collided });
    expect(courseOf([at(0), at(0, true), at(0.25)]).stuckSteps).toBe(0);
  });

  it("of nothing is empty", () => {
    expect(new Retrospect().course).toMatchObject({ steps: 0, closestM: Number.POSITIVE_INFINITY });
  });
});
