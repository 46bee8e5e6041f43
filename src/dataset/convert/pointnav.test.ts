import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { createRegistries } from "../../registry/registries.js";
import { writeNative } from "../formats/native.js";
import { loadEpisodes } from "../loader.js";
import { convertDataset } from "./convert.js";

const { formats } = createRegistries();

function reach(id: string, more: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: id,
    taskType: "image_nav",
    sceneId: "gibson/Pablo.glb",
    startState: { position: [0, 0.1, -2], rotation: [0, 0, 0, 1] },
    goals: { position: [1, 0, 1], radius: 0.2 },
    taskConfig: { geodesic_distance: 3.2, difficulty: "easy" },
    ...more,
  });
}

async function convert(name: string, ...episodes: readonly BaseEpisode[]) {
  const folder = temporaryFolder();
  const [path, out] = [join(folder, "in.json"), join(folder, name)];
  await writeNative(path, episodes);
  const report = await convertDataset({ path, formats, to: "pointnav", out });
  const again: BaseEpisode[] = [];
  for await (const one of loadEpisodes({ path: out, formats })) again.push(one);
  return { report, again };
}

describe("conversion to pointnav", () => {
  it.each(["val.json", "val.json.gz"])(
    "conversion to pointnav keeps all fields that %s can store",
    async (name) => {
      const alternatives = {
        position: [1, 0, 1],
        positions: [
          [1, 0, 1],
          [2, 0, 2],
        ],
        radius: 0.2,
      } as const;
      const elsewhere = reach("1", { sceneId: "gibson/Eudora.glb", goals: alternatives });
      const { report, again } = await convert(name, reach("1"), elsewhere);
      expect(report).toMatchObject({ written: 2, dropped: [], notes: [] });
      expect(again).toEqual([reach("1"), elsewhere]);
    },
  );

  it("conversion to pointnav reports the dropped fields", async () => {
    const walk = reach("2", {
      taskType: "vln",
      instruction: { text: "Walk on." },
      taskConfig: { trajectory_id: 4 },
    });
    const { report } = await convert("val.json", reach("1"), walk);
    expect(report.dropped.map(({ field }) => field)).toEqual([
      "task_type",
      "instruction.text",
      "task_config.trajectory_id",
    ]);
  });

  it.each<[string, Partial<EpisodeInit>, string]>([
    ["joint positions", { startState: { joint_positions: [0] } }, "is manipulation"],
    ["no rotation", { startState: { position: [0, 0, 0] } }, "has no start_state.rotation"],
    ["no goal", { goals: {} }, "has no goals.position"],
  ])("conversion to pointnav rejects an episode with %s", async (_, change, message) => {
    await expect(convert("val.json", reach("1", change))).rejects.toMatchObject({
      code: "not_convertible",
      message: expect.stringContaining(message),
    });
  });

  it("conversion to pointnav rejects an output name that does not fit the format", async () => {
    await expect(convert("val.jsonl", reach("1"))).rejects.toMatchObject({ code: "bad_out" });
  });
});
