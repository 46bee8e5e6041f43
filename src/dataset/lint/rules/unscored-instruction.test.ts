import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { unscoredInstruction } from "./unscored-instruction.js";

const fourth = soundEpisode({ episodeId: "757_3", taskConfig: { path_id: "757" } });
const r2r = { format: { name: "r2r", profile: "r2r" } };

describe("unscored_instruction", () => {
  it("unscored_instruction reports the fourth instruction of an R2R path", () => {
    expect(problemsOf(unscoredInstruction, fourth, r2r)).toMatchObject([
      {
        field: "instruction",
        message: "instruction 4 of path 757; profile r2r scores the first 3",
      },
    ]);
  });

  it("unscored_instruction reports nothing for the first three instructions", () => {
    const first = [0, 1, 2].map((i) =>
      soundEpisode({ episodeId: `757_${i}`, taskConfig: { path_id: "757" } }),
    );
    expect(problemsOf(unscoredInstruction, first, r2r)).toEqual([]);
  });

  it("unscored_instruction reports nothing in formats whose profile scores every instruction", () => {
    expect(problemsOf(unscoredInstruction, fourth)).toEqual([]);
  });
});
