import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { missingScene } from "./missing-scene.js";

describe("missing_scene", () => {
  const hall = soundEpisode();
  const yard = soundEpisode({ sceneId: "yard" });

  it("missing_scene names each missing scene once, with the number of its episodes", () => {
    const problems = problemsOf(missingScene(), [hall, yard, hall], { sceneFound: false });
    expect(problems).toMatchObject([
      { value: "mp3d/hall/hall.glb", message: expect.stringContaining("(2 episodes)") },
      { value: "yard", message: expect.stringContaining("(1 episode)") },
    ]);
  });

  it("missing_scene reports nothing for existing or unchecked scenes", () => {
    expect(problemsOf(missingScene(), hall, { sceneFound: true })).toEqual([]);
    expect(problemsOf(missingScene(), hall)).toEqual([]);
  });
});
