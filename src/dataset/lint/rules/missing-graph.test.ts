import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { missingGraph } from "./missing-graph.js";

describe("missing_graph", () => {
  const graphProblem = "no navigation graph";
  const onGraph = { name: "native", profile: "design" };

  it("is an error where episodes live on graphs", () => {
    const problems = problemsOf(missingGraph(), [soundEpisode(), soundEpisode()], {
      graphProblem,
      format: onGraph,
    });
    expect(problems).toMatchObject([
      { severity: "error", message: "no navigation graph (2 episodes)" },
    ]);
  });

  it("is only told where they live in continuous scenes", () => {
    expect(problemsOf(missingGraph(), soundEpisode(), { graphProblem })).toMatchObject([
      { severity: "info" },
    ]);
  });

  it("says nothing where there is a graph, and of robot arms", () => {
    expect(problemsOf(missingGraph(), soundEpisode())).toEqual([]);
    const arm = soundEpisode({ startState: { base_pose: [0, 0, 0] } });
    expect(problemsOf(missingGraph(), arm, { graphProblem, format: onGraph })).toEqual([]);
  });
});
