import { describe, expect, it } from "vitest";
import { PARTED, problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { offGraph } from "./off-graph.js";

const format = { name: "native", profile: "design" };

describe("off_graph", () => {
  it("off_graph finds a viewpoint that does not exist in the graph", () => {
    const episode = soundEpisode({ goals: { position: [0, 0, -4], node: "q" } });
    expect(problemsOf(offGraph, episode, { graph: PARTED, format })).toMatchObject([
      { field: "goals.node", value: "q" },
    ]);
  });

  it("off_graph finds a start away from every viewpoint and names the nearest", () => {
    const episode = soundEpisode({ startState: { position: [0.5, 0, 0] } });
    expect(problemsOf(offGraph, episode, { graph: PARTED, format })).toMatchObject([
      {
        field: "start_state.position",
        severity: "error",
        message: "the nearest viewpoint of hall is 0.50 m away horizontally: a",
      },
    ]);
  });

  it("off_graph accepts positions near viewpoints in continuous scenes", () => {
    const near = soundEpisode({ startState: { position: [0.5, 0, 0] } });
    const far = soundEpisode({ startState: { position: [2, 0, 0] } });
    expect(problemsOf(offGraph, near, { graph: PARTED })).toEqual([]);
    expect(problemsOf(offGraph, far, { graph: PARTED })).toMatchObject([{ severity: "warning" }]);
  });

  it("off_graph accepts the exact position of a viewpoint, and reports nothing without a graph", () => {
    expect(problemsOf(offGraph, soundEpisode(), { graph: PARTED, format })).toEqual([]);
    expect(problemsOf(offGraph, soundEpisode(), { format })).toEqual([]);
  });

  it("off_graph ignores viewpoints of another storey", () => {
    const episode = soundEpisode({ startState: { position: [0, 30, 0] } });
    const [problem] = problemsOf(offGraph, episode, { graph: PARTED });
    expect(problem?.message).toContain("no viewpoint on this storey");
  });
});
