import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { duplicateId } from "./duplicate-id.js";

describe("duplicate_id", () => {
  const one = soundEpisode();

  it("finds a second episode with the scene and id of another, and names both", () => {
    const other = soundEpisode({ episodeId: "2" });
    const problems = problemsOf(duplicateId(), [one, other, one]);
    expect(problems).toMatchObject([
      {
        field: "episode_id",
        value: "1",
        message: "episode number 3 has the scene and id of number 1",
      },
    ]);
  });

  it("lets an id repeat in another scene or for another task", () => {
    const others = [soundEpisode({ sceneId: "yard" }), soundEpisode({ taskType: "objectnav" })];
    expect(problemsOf(duplicateId(), [one, ...others])).toEqual([]);
  });

  it("starts anew with each run", () => {
    expect(problemsOf(duplicateId(), one)).toEqual([]);
    expect(problemsOf(duplicateId(), one)).toEqual([]);
  });
});
