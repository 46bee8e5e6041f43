import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { shortPath } from "./short-path.js";

describe("short_path", () => {
  it("short_path finds a path without points", () => {
    expect(problemsOf(shortPath, soundEpisode({ referenceData: { path: [] } }))).toMatchObject([
      { field: "reference_data.path", message: "the path has no points" },
    ]);
  });

  it("short_path finds a path that contains only the start", () => {
    const episode = soundEpisode({ referenceData: { dense_path: [[0, 0, 0]] } });
    expect(problemsOf(shortPath, episode)).toMatchObject([
      {
        field: "reference_data.dense_path",
        message: "the path has one point, but the goal is 4.00 m from the start",
      },
    ]);
  });

  it("short_path reports nothing without a path or goal, or if the goal is at the start", () => {
    const referenceData = { path: [[0, 0, 0] as const] };
    expect(
      problemsOf(shortPath, [
        soundEpisode(),
        soundEpisode({ referenceData: null }),
        soundEpisode({ referenceData, goals: {} }),
        soundEpisode({ referenceData, goals: { position: [0, 0, 0] } }),
      ]),
    ).toEqual([]);
  });
});
