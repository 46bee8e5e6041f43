import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { pathJump } from "./path-jump.js";

const along = (...z: number[]) => z.map((metres) => [0, 0, metres] as const);

describe("path_jump", () => {
  it("path_jump finds the first leg that is too long", () => {
    const episode = soundEpisode({ referenceData: { path: along(0, -4, -15, -40) } });
    expect(problemsOf(pathJump, episode)).toMatchObject([
      {
        field: "reference_data.path[2]",
        message: "11.00 m from the previous point (more than 10 m)",
      },
    ]);
  });

  it("path_jump requires closely spaced points in a dense path", () => {
    const episode = soundEpisode({ referenceData: { dense_path: along(0, -0.25, -2) } });
    expect(problemsOf(pathJump, episode)).toMatchObject([
      { field: "reference_data.dense_path[2]" },
    ]);
  });

  it("path_jump accepts the legs of Matterport graphs and any edge of a graph", () => {
    const far = { path: along(0, -40), nodes: ["a", "b"] };
    expect(
      problemsOf(pathJump, [
        soundEpisode({ referenceData: { path: along(0, -8.5) } }),
        soundEpisode({ referenceData: far }),
      ]),
    ).toEqual([]);
  });
});
