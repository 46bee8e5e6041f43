import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { missingGraph } from "./missing-graph.js";

describe("missing_graph", () => {
  const graphProblem = "no navigation graph";
  const onGraph = { name: "native", profile: "design" };

  it("missing_graph reports an error for formats that need graphs", () => {
    const problems = problemsOf(missingGraph(), [soundEpisode(), soundEpisode()], {
      graphProblem,
      format: onGraph,
    });
    expect(problems).toMatchObject([
      { severity: "error", message: "no navigation graph (2 episodes)" },
    ]);
  });

  it("missing_graph reports information for continuous scenes", () => {
    expect(problemsOf(missingGraph(), soundEpisode(), { graphProblem })).toMatchObject([
      { severity: "info" },
    ]);
  });

  it("missing_graph reports nothing if the graph exists, or for manipulation", () => {
    expect(problemsOf(missingGraph(), soundEpisode())).toEqual([]);
    const arm = soundEpisode({ startState: { base_pose: [0, 0, 0] } });
    expect(problemsOf(missingGraph(), arm, { graphProblem, format: onGraph })).toEqual([]);
  });
});
