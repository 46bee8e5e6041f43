import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { pathEnd } from "./path-end.js";

const to = (z: number) =>
  soundEpisode({
    referenceData: {
      path: [
        [0, 0, 0],
        [0, 0, z],
      ],
    },
  });

describe("path_end", () => {
  it("path_end finds a path that ends outside the success distance", () => {
    expect(problemsOf(pathEnd, to(-0.5))).toMatchObject([
      {
        field: "reference_data.path[1]",
        message: "3.50 m from the nearest goal, measured horizontally; success requires 3 m",
      },
    ]);
  });

  it("path_end uses the profile success distance, but at least half a metre", () => {
    const format = { name: "pointnav", profile: "habitat" };
    expect(problemsOf(pathEnd, to(-3.3), { format })).toHaveLength(1);
    expect(problemsOf(pathEnd, to(-3.6), { format })).toEqual([]);
  });

  it("path_end accepts a path that ends at any of several goals, and episodes without goals", () => {
    const several = { positions: [[50, 0, 0] as const, [0, 0, -4] as const] };
    expect(
      problemsOf(pathEnd, [
        soundEpisode(),
        soundEpisode({ goals: several }),
        soundEpisode({ goals: {} }),
      ]),
    ).toEqual([]);
  });
});
