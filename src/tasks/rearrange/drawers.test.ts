import { describe, expect, it } from "vitest";
import { doing, evaluate, tempDir, tinyWorld } from "../../../test/support/tiny-world.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { replayRun } from "../../evaluator/check/replay/replay-run.js";

const DRAWER = "chest_of_drawers_1_drawer_3";

/** A robot in front of a chest whose lowest drawer is open by 0.3 m; the mug is at a height, so far from the closed front. */
function episode(episodeId: string, outM: number, heightM: number): BaseEpisode {
  return new BaseEpisode({
    episodeId,
    taskType: "rearrange",
    sceneId: "apartment/117",
    startState: { base_pose: [5.353, -4.656, 0] },
    goals: {
      target_object: { name: "mug_1", category: "mug" },
      target_location: { receptacle: DRAWER, category: "drawer" },
      success_criteria: { rule: { supported: { object: "mug_1", base: DRAWER } } },
    },
    instruction: { text: "Put the mug into the open drawer." },
    taskConfig: {
      scene_objects: [{ name: "mug_1", model: "mug/3", position: [6.073 - outM, -4.756, heightM] }],
      drawers: [{ name: DRAWER, opened: 0.3 }],
    },
  });
}

describe("a goal in a drawer", () => {
  it("a goal in a drawer is reached by an object inside, also after the drawer was pushed shut, and not by one on its furniture or below it", async () => {
    const world = tinyWorld({
      episodes: [
        episode("inside", 0.15, 0.17),
        episode("on_top", -0.2, 0.905),
        episode("below", 0.5, 0.05),
      ],
      type: "rearrange",
      tasks: ["tidy"],
      config: { profile: undefined, metrics: ["manip_success"] },
      evaluation: { max_steps: 200, timeout: 120 },
      sections: { simulator: { backend: "mujoco", sensors: { gps: {} } } },
    });
    const run = await evaluate(
      world,
      doing((step) => (step < 4 ? "move_forward" : "stop")),
      { outDir: tempDir() },
    );
    const success = run.lines.map(({ episode_key, metrics }) => [
      episode_key.split("/").at(-1),
      metrics?.manip_success,
    ]);
    expect(Object.fromEntries(success)).toEqual({ inside: 1, on_top: 0, below: 0 });
    expect(await replayRun(run.results.run_dir ?? "")).toMatchObject({ replayed: 3, equal: 3 });
  });
});
