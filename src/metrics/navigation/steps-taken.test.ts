import { describe, expect, it } from "vitest";
import {
  atDistances,
  measure,
  type Step,
  taskUnder,
  thenStop,
} from "../../../test/support/nav-task.js";
import { Collisions } from "./collisions.js";
import { StepsTaken } from "./steps-taken.js";

describe("steps_taken", () => {
  const steps = thenStop(atDistances(5, 4, 3));

  it("steps_taken counts actions, and stop if the profile counts it", () => {
    expect(measure(new StepsTaken(), steps, { task: taskUnder("vlnce") })).toBe(3);
    expect(measure(new StepsTaken(), steps, { task: taskUnder("r2r") })).toBe(2);
  });

  it("steps_taken is 0 when only the record of the reset exists", () => {
    expect(measure(new StepsTaken(), atDistances(5))).toBe(0);
  });
});

describe("collisions", () => {
  it("collisions counts the blocked steps", () => {
    const steps: Step[] = [
      { state: {} },
      { state: { collided: true } },
      { state: { collided: false } },
      { state: { collided: true } },
    ];
    expect(measure(new Collisions(), steps)).toBe(2);
  });

  it("collisions is 0 when no record has a collided field", () => {
    expect(measure(new Collisions(), atDistances(5, 4))).toBe(0);
  });
});
