import { describe, expect, it } from "vitest";
import { PARTED, problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { unreachableGoal } from "./unreachable-goal.js";

const startState = { position: [0, 0, 0] as const, node: "a" };

describe("unreachable_goal", () => {
  it("unreachable_goal finds a goal in a disconnected part of the graph", () => {
    const episode = soundEpisode({ startState, goals: { position: [9, 0, 0], node: "x" } });
    const [problem, ...others] = problemsOf(unreachableGoal, episode, { graph: PARTED });
    expect(problem).toMatchObject({ field: "goals", value: "x", severity: "error" });
    expect(others).toEqual([]);
  });

  it("unreachable_goal only warns if the viewpoints are merely the nearest ones", () => {
    const episode = soundEpisode({ goals: { position: [9.4, 0, 0.3] } });
    expect(problemsOf(unreachableGoal, episode, { graph: PARTED })).toMatchObject([
      { severity: "warning" },
    ]);
  });

  it("unreachable_goal prefers the scene reachability check over the graph", () => {
    const episode = soundEpisode({ startState, goals: { position: [9, 0, 0], node: "x" } });
    const context = { graph: PARTED, reachable: true };
    expect(problemsOf(unreachableGoal, episode, context)).toEqual([]);
    expect(problemsOf(unreachableGoal, soundEpisode(), { reachable: false })).toHaveLength(1);
  });

  it("unreachable_goal accepts an episode with one reachable goal of several", () => {
    const goals = {
      positions: [[9, 0, 0] as const, [0, 0, -4] as const],
      nodes: ["x", "b"],
    };
    const episode = soundEpisode({ startState, goals });
    expect(problemsOf(unreachableGoal, episode, { graph: PARTED })).toEqual([]);
  });

  it("unreachable_goal reports nothing without a scene or for positions off the graph", () => {
    expect(problemsOf(unreachableGoal, soundEpisode())).toEqual([]);
    const away = soundEpisode({ goals: { position: [50, 0, 0] } });
    expect(problemsOf(unreachableGoal, away, { graph: PARTED })).toEqual([]);
  });
});
