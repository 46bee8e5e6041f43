import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { zeroDistance } from "./zero-distance.js";

describe("zero_distance", () => {
  it.each([
    ["by position, within a centimetre", { position: [0, 0, -0.009] as const }],
    ["of several goals", { positions: [[0, 0, -4] as const, [0, 0, 0] as const] }],
    ["of view points", { position: [0, 0, -4] as const, view_points: [[0, 0.005, 0] as const] }],
  ])("zero_distance finds a goal at the start: %s", (_, goals) => {
    expect(problemsOf(zeroDistance, soundEpisode({ goals }))).toHaveLength(1);
  });

  it("zero_distance finds a goal at the start viewpoint", () => {
    const startState = { position: [0, 0, 0] as const, node: "a" };
    const goals = { position: [0, 1.5, 0] as const, node: "a" };
    expect(problemsOf(zeroDistance, soundEpisode({ startState, goals }))).toMatchObject([
      { value: "a", message: "start and goal are the same viewpoint" },
    ]);
  });

  it("zero_distance reports nothing for goals elsewhere, above the start, or unknown", () => {
    const above = soundEpisode({ goals: { position: [0, 3, 0] } });
    expect(problemsOf(zeroDistance, [soundEpisode(), above, soundEpisode({ goals: {} })])).toEqual(
      [],
    );
  });
});
