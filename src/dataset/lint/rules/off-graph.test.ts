import { describe, expect, it } from "vitest";
import { PARTED, problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { offGraph } from "./off-graph.js";

const format = { name: "native", profile: "design" };

describe("off_graph", () => {
  it("finds a viewpoint that the graph does not have", () => {
    const episode = soundEpisode({ goals: { position: [0, 0, -4], node: "q" } });
    expect(problemsOf(offGraph, episode, { graph: PARTED, format })).toMatchObject([
      { field: "goals.node", value: "q" },
    ]);
  });

  it("finds a start beside every viewpoint, and names the nearest", () => {
    const episode = soundEpisode({ startState: { position: [0.5, 0, 0] } });
    expect(problemsOf(offGraph, episode, { graph: PARTED, format })).toMatchObject([
      {
        field: "start_state.position",
        severity: "error",
        message: "the nearest viewpoint of hall is 0.50 m away on the floor: a",
      },
    ]);
  });

  it("expects places of continuous scenes near viewpoints, not on them", () => {
    const near = soundEpisode({ startState: { position: [0.5, 0, 0] } });
    const far = soundEpisode({ startState: { position: [2, 0, 0] } });
    expect(problemsOf(offGraph, near, { graph: PARTED })).toEqual([]);
    expect(problemsOf(offGraph, far, { graph: PARTED })).toMatchObject([{ severity: "warning" }]);
  });

  it("takes a position that is exactly a viewpoint's, and says nothing without a graph", () => {
    expect(problemsOf(offGraph, soundEpisode(), { graph: PARTED, format })).toEqual([]);
    expect(problemsOf(offGraph, soundEpisode(), { format })).toEqual([]);
  });

  it("does not take a viewpoint of another storey", () => {
    const episode = soundEpisode({ startState: { position: [0, 30, 0] } });
    const [problem] = problemsOf(offGraph, episode, { graph: PARTED });
    expect(problem?.message).toContain("no viewpoint on this storey");
  });
});
