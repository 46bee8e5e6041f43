import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { pathStart } from "./path-start.js";

const from = (x: number, y = 0) => soundEpisode({ referenceData: { path: [[x, y, 0]] } });

describe("path_start", () => {
  it("warns of a path that begins beside the start, and calls it an error far away", () => {
    expect(problemsOf(pathStart, [from(0.6), from(3.5)])).toMatchObject([
      {
        field: "reference_data.path[0]",
        severity: "warning",
        message: "0.60 m from the start position on the floor",
      },
      { severity: "error" },
    ]);
  });

  it("does not mind heights, nor the distance that snapping to the floor makes", () => {
    expect(problemsOf(pathStart, [soundEpisode(), from(0.4), from(0, 1.5)])).toEqual([]);
  });
});
