import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { duplicateId } from "./duplicate-id.js";

describe("duplicate_id", () => {
  const one = soundEpisode();

  it("duplicate_id finds a second episode with the same scene and id, and names both", () => {
    const other = soundEpisode({ episodeId: "2" });
    const problems = problemsOf(duplicateId(), [one, other, one]);
    expect(problems).toMatchObject([
      {
        field: "episode_id",
        value: "1",
        message: "episode number 3 has the same scene and id as number 1",
      },
    ]);
  });

  it("duplicate_id accepts the same id in another scene or task", () => {
    const others = [soundEpisode({ sceneId: "yard" }), soundEpisode({ taskType: "objectnav" })];
    expect(problemsOf(duplicateId(), [one, ...others])).toEqual([]);
  });

  it("duplicate_id keeps no state between runs", () => {
    expect(problemsOf(duplicateId(), one)).toEqual([]);
    expect(problemsOf(duplicateId(), one)).toEqual([]);
  });
});
