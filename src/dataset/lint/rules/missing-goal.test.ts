import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { missingGoal } from "./missing-goal.js";

const without = soundEpisode({ episodeId: "2", goals: {} });

describe("missing_goal", () => {
  it("missing_goal warns if some episodes have no goal, and names the first", () => {
    expect(problemsOf(missingGoal(), [soundEpisode(), without])).toMatchObject([
      {
        episode: "vln/mp3d/hall/hall.glb/2",
        severity: "warning",
        message: expect.stringContaining("1 of 2 episodes"),
      },
    ]);
  });

  it("missing_goal reports a test split if no episode has a goal", () => {
    expect(problemsOf(missingGoal(), [without, without])).toMatchObject([{ severity: "info" }]);
  });

  it("missing_goal reports nothing if all episodes have goals, or for manipulation", () => {
    const arm = soundEpisode({ taskType: "stacking", goals: {} });
    expect(problemsOf(missingGoal(), [soundEpisode(), arm])).toEqual([]);
  });
});
