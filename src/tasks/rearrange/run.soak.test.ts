import { describe, expect, it } from "vitest";
import { doing, evaluate, onlyLine, tempDir, tinyWorld } from "../../../test/support/tiny-world.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { replayRun } from "../../evaluator/check/replay/replay-run.js";
import { createRegistries } from "../../registry/registries.js";
import { scoreRun } from "../../runs/score/score-run.js";

/** Beside a coffee table with a mug, which the head looks at. */
const EPISODE = new BaseEpisode({
  episodeId: "mug",
  taskType: "rearrange",
  sceneId: "apartment/103",
  startState: {
    base_pose: [10.76, -2.26, 2.19],
    joint_positions: [0.6, 0, 3, 0, 0.04, 0, -1.05],
  },
  goals: {
    target_object: { name: "mug_1", category: "mug" },
    start_receptacle: { name: "table_1", category: "table" },
    target_location: { receptacle: "table_2", category: "table" },
  },
  instruction: { text: "Take the mug to the other table." },
  taskConfig: { scene_objects: [{ name: "mug_1", model: "mug/3", position: [10.43, -1.79] }] },
});

describe("a run of rearrange in an apartment", () => {
  it("a run of rearrange in an apartment measures stages, replays to the bit, and is scored again by other tolerances", async () => {
    const world = tinyWorld({
      episodes: [EPISODE],
      type: "rearrange",
      tasks: ["tidy"],
      config: { profile: undefined, metrics: undefined },
      evaluation: { max_steps: 60, timeout: 120 },
      sections: { simulator: { backend: "mujoco", sensors: { gps: {}, compass: {} } } },
    });
    const run = await evaluate(
      world,
      doing(() => "turn_left"),
      { outDir: tempDir() },
    );
    const line = onlyLine(run);
    expect(line).toMatchObject({
      outcome: "failure",
      end_reason: "max_steps",
      explanation:
        "found the mug in step 0 but never held it clear of its support (max_steps after 60 steps)",
      metrics: {
        manip_success: 0,
        partial_success: 0.25,
        completion_rate: 0.25,
        stage_find_object: 1,
        stage_pick: 0,
        rearrange_spl: 0,
        robot_collisions: 0,
      },
    });
    const path = run.results.run_dir ?? "";
    expect(await replayRun(path)).toMatchObject({ replayed: 1, equal: 1, different: [] });

    const registries = createRegistries();
    const scored = async (...set: readonly string[]) => {
      const again = await scoreRun({ path, outDir: tempDir(), registries, set });
      return again.per_task.tidy;
    };
    expect((await scored())?.partial_success?.mean).toBe(0.25);
    expect((await scored("tidy_task.config.profile=ovmm"))?.stage_find_object?.mean).toBe(1);
    const nearer = await scored("tidy_task.config.success_criteria.find_distance=0.3");
    expect(nearer?.stage_find_object?.mean).toBe(0);
  });
});
