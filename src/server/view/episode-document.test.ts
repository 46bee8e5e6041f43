import { describe, expect, it } from "vitest";
import { episodeLine, runInfo } from "../../../test/support/cli.js";
import { BaseEpisode } from "../../core/episode/base.js";
import type { StepState } from "../../core/interfaces/step.js";
import { episodeDocument } from "./episode-document.js";

function hasMap(state: StepState): boolean {
  const episode = new BaseEpisode({
    ...{ episodeId: "1", taskType: "rearrange", sceneId: "apartment/103", goals: {} },
    startState: { base_pose: [1, 2, 0] },
  });
  const trajectory = { version: 2 as const, episode, records: [{ step: 0, action: null, state }] };
  const line = episodeLine({ task_type: "rearrange" });
  return episodeDocument("runs/a", runInfo(), line, trajectory, { note: "" }).has_map;
}

describe("the document of an episode page", () => {
  it.each([
    ["a robot that drives in an apartment", { base_pose: [1, 2, 0] as const }, true],
    ["an agent on a navmesh", { position: [1, 0, 2] as const }, true],
    ["a robot that stays in its place", { qpos: [0] }, false],
  ])(
    "the document of an episode page has a map only of robots that move: %s",
    (_, state, expected) => {
      expect(hasMap(state)).toBe(expected);
    },
  );
});
