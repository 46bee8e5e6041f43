import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { rotationOrder } from "./rotation-order.js";
import { tiltedStart } from "./tilted-start.js";

const starting = (rotation: readonly [number, number, number, number]) =>
  soundEpisode({ startState: { position: [0, 0, 0], rotation } });

describe("rotation_order", () => {
  it.each([
    ["a quarter turn", [Math.SQRT1_2, 0, Math.SQRT1_2, 0] as const],
    ["no turn at all", [1, 0, 0, 0] as const],
  ])("rotation_order finds a rotation with w first: %s", (_, rotation) => {
    expect(problemsOf(rotationOrder, starting(rotation))).toMatchObject([
      { field: "start_state.rotation", hint: expect.stringContaining("[x, y, z, w]") },
    ]);
    expect(problemsOf(tiltedStart, starting(rotation))).toEqual([]);
  });

  it.each([
    ["upright, any heading", [0, 0.6, 0, -0.8] as const],
    ["half a turn", [0, 1, 0, 0] as const],
    ["negative zeros", [-0, 0.5, -0, Math.sqrt(0.75)] as const],
    ["tilted either way", [0.5, 0.5, 0.5, 0.5] as const],
  ])("rotation_order reports nothing for an ambiguous rotation: %s", (_, rotation) => {
    expect(problemsOf(rotationOrder, starting(rotation))).toEqual([]);
  });
});
