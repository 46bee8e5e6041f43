import { describe, expect, it } from "vitest";
import { tellingStep } from "./telling-step.js";

type Known = Parameters<typeof tellingStep>[0];
type State = Known["records"][number]["state"];

const episode = (
  outcome: Known["line"]["outcome"],
  states: readonly Partial<State>[],
  events: Known["events"] = [],
): Known =>
  // Only the fields that the function reads.
  ({
    line: { outcome },
    records: states.map((state, step) => ({ step, action: null, state })),
    events,
  }) as unknown as Known;

const distances = (...values: number[]) => values.map((distance_to_goal) => ({ distance_to_goal }));

describe("tellingStep", () => {
  it("tellingStep is the start of a success", () => {
    expect(tellingStep(episode("success", distances(3, 1, 0)))).toEqual({
      index: 0,
      reason: "start",
    });
  });

  it("tellingStep is the first closest approach of a failed navigation", () => {
    expect(tellingStep(episode("failure", distances(3, 1, 2, 1, 4)))).toEqual({
      index: 1,
      reason: "closest",
    });
  });

  it("tellingStep is the first drop of a failed manipulation", () => {
    const events: Known["events"] = [
      { step: 1, kind: "grasp", detail: "mug" },
      { step: 2, kind: "drop", detail: "mug" },
      { step: 3, kind: "drop", detail: "mug" },
    ];
    expect(tellingStep(episode("failure", [{}, {}, {}, {}], events))).toEqual({
      index: 2,
      reason: "drop",
    });
  });

  it("tellingStep is the last progress of a failure without a drop or a distance", () => {
    const events: Known["events"] = [
      { step: 1, kind: "stage", detail: "reached" },
      { step: 2, kind: "stage", detail: "lifted" },
      { step: 4, kind: "end", detail: "max_steps" },
    ];
    expect(tellingStep(episode("failure", [{}, {}, {}, {}, {}], events))).toEqual({
      index: 2,
      reason: "stalled",
    });
  });

  it("tellingStep is the end of an invalid episode, and of a failure without any event", () => {
    expect(tellingStep(episode("invalid", distances(3, 1, 2))).index).toBe(2);
    expect(tellingStep(episode("failure", [{}, {}]))).toEqual({ index: 1, reason: "end" });
  });

  it("tellingStep is the start of an episode with one record or none", () => {
    expect(tellingStep(episode("failure", [])).index).toBe(0);
    expect(tellingStep(episode("invalid", distances(3))).index).toBe(0);
  });
});
