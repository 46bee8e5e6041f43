import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { pathStart } from "./path-start.js";

const from = (x: number, y = 0) => soundEpisode({ referenceData: { path: [[x, y, 0]] } });

describe("path_start", () => {
  it("path_start warns about a path that begins near the start, and reports an error if it is far away", () => {
    expect(problemsOf(pathStart, [from(0.6), from(3.5)])).toMatchObject([
      {
        field: "reference_data.path[0]",
        severity: "warning",
        message: "0.60 m from the start position, measured horizontally",
      },
      { severity: "error" },
    ]);
  });

  it("path_start ignores heights and small offsets from snapping to the floor", () => {
    expect(problemsOf(pathStart, [soundEpisode(), from(0.4), from(0, 1.5)])).toEqual([]);
  });
});
