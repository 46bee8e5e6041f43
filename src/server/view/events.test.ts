import { describe, expect, it } from "vitest";
import { episodeLine } from "../../../test/support/cli.js";
import type { Action } from "../../core/interfaces/action.js";
import type { StepRecord, StepState } from "../../core/interfaces/step.js";
import { eventsOf } from "./events.js";

function course(states: readonly StepState[], last: Action = "move_forward"): StepRecord[] {
  return states.map((state, step) => {
    const action = step === 0 ? null : step === states.length - 1 ? last : "move_forward";
    return { step, action, state };
  });
}

const told = (records: readonly StepRecord[], line = episodeLine()) =>
  eventsOf(records, line).map(({ step, kind, detail }) => `${step} ${kind} ${detail}`.trim());

describe("the events of an episode", () => {
  it("the events of an episode contain one collision, however long the contact lasts", () => {
    const states = [false, true, true, false, true].map((collided) => ({ collided }));
    expect(told(course(states))).toEqual(["1 collision", "4 collision", "4 end stop"]);
  });

  it("the events of an episode contain the stop of the policy and its success", () => {
    const line = episodeLine({ metrics: { success: 1 } });
    expect(told(course([{}, {}], "stop"), line)).toEqual(["1 stop", "1 success", "1 end stop"]);
  });

  it("the events of an episode distinguish a drop from a placement", () => {
    const stage = (grasped: boolean, released: boolean) => ({
      target: "cup",
      stages: { reached: true, grasped, released },
    });
    const states = [
      { ...stage(false, false), stages: { reached: false, grasped: false, released: false } },
      ...[stage(true, false), stage(false, false), stage(true, false), stage(false, true)],
    ];
    expect(told(course(states))).toEqual([
      ...["1 grasp cup", "1 stage reached", "2 drop cup", "3 grasp cup"],
      ...["4 stage released", "4 end stop"],
    ]);
  });

  it("the events of an episode use the condition if there are no stages", () => {
    const grasped = (holds: boolean) => ({
      conditions: [{ name: "grasped", value: Number(holds), threshold: 0.5, holds }],
    });
    expect(told(course([grasped(false), grasped(true), grasped(false)]))).toEqual([
      ...["1 grasp", "2 drop", "2 end stop"],
    ]);
  });

  it("the events of an episode are empty if no steps were saved", () => {
    expect(told([])).toEqual([]);
  });
});
