import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { pathLength } from "./path-length.js";

describe("path_length", () => {
  it.each(["distance", "shortest_path_length"])("path_length compares %s with the path", (key) => {
    const right = soundEpisode({ taskConfig: { [key]: 4.01 } });
    const wrong = soundEpisode({ taskConfig: { [key]: 4.5 } });
    expect(problemsOf(pathLength, right)).toEqual([]);
    expect(problemsOf(pathLength, wrong)).toMatchObject([
      {
        field: `task_config.${key}`,
        message: "the file states 4.5 m, but its path is 4.00 m long",
      },
    ]);
  });

  it("path_length reports nothing without a stated length or a path", () => {
    expect(problemsOf(pathLength, soundEpisode({ referenceData: null }))).toEqual([]);
    expect(problemsOf(pathLength, soundEpisode())).toEqual([]);
  });
});
