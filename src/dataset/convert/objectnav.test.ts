import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { temporaryFolder } from "../../../test/support/cli.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { createRegistries } from "../../registry/registries.js";
import { writeNative } from "../formats/native.js";
import { loadEpisodes } from "../loader.js";
import { convertDataset, writeDataset } from "./convert.js";

const { formats } = createRegistries();

async function load(path: string): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of loadEpisodes({ path, formats })) episodes.push(one);
  return episodes;
}

const GOALS = {
  object_category: "chair",
  positions: [
    [1, 0.5, 1],
    [5, 0.5, 5],
  ],
  view_points: [
    [1, 0, 2],
    [2, 0, 1],
    [5, 0, 4],
  ],
} as const;

function find(id: string, more: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: id,
    taskType: "objectnav",
    sceneId: "apartment/7",
    startState: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
    goals: GOALS,
    taskConfig: { geodesic_distance: 5, euclidean_distance: 4, closest_goal_object_id: 3 },
    ...more,
  });
}

async function convert(...episodes: readonly BaseEpisode[]) {
  const folder = temporaryFolder();
  const [path, out] = [join(folder, "in.json"), join(folder, "val.json")];
  await writeNative(path, episodes);
  const report = await convertDataset({ path, formats, to: "objectnav", out });
  const file = () => JSON.parse(readFileSync(out, "utf8"));
  return { report, out, file };
}

describe("conversion to objectnav", () => {
  it("conversion to objectnav keeps all fields of the layout and shares goals by scene and category", async () => {
    const bed = { ...GOALS, object_category: "bed" };
    const episodes = [find("1"), find("2"), find("3", { goals: bed })];
    const { report, out, file } = await convert(...episodes);
    expect(report).toMatchObject({ written: 3, dropped: [] });
    expect(report.notes).toEqual([expect.stringContaining("renumbered")]);
    expect(await load(out)).toEqual(episodes);
    expect(Object.keys(file().goals_by_category)).toEqual(["7_chair", "7_bed"]);
    expect(file().category_to_task_category_id).toEqual({ bed: 0, chair: 1 });
    expect(file().category_to_scene_annotation_category_id).toEqual({ bed: 0, chair: 1 });
  });

  it("conversion to objectnav assigns each view point to the nearest object, facing it", async () => {
    const { file } = await convert(find("1"));
    const [first, second] = file().goals_by_category["7_chair"];
    expect(first.view_points).toHaveLength(2);
    expect(second.view_points).toEqual([
      { agent_state: { position: [5, 0, 4], rotation: [0, 1, 0, 0] }, iou: null },
    ]);
    expect(first.view_points[0].agent_state.rotation).toEqual([0, 0, 0, 1]);
  });

  it("conversion to objectnav keeps object names if episodes have them", async () => {
    const objects = [
      { object_id: 12, object_name: "chair_4", view_points: 1 },
      { object_id: 15, object_name: "chair_9", view_points: 2 },
    ];
    const { file, report } = await convert(find("1", { goals: { ...GOALS, objects } }));
    expect(report).toMatchObject({ dropped: [], notes: [] });
    const [first, second] = file().goals_by_category["7_chair"];
    expect(first).toMatchObject({ object_id: 12, object_name: "chair_4" });
    expect(second.view_points.map((v: { agent_state: unknown }) => v.agent_state)).toMatchObject([
      { position: [2, 0, 1] },
      { position: [5, 0, 4] },
    ]);
  });

  it("conversion to objectnav reports the dropped fields", async () => {
    const odd = find("2", {
      taskType: "vln",
      instruction: { text: "Find it." },
      referenceData: { path: [[0, 0, 0]] },
      taskConfig: { geodesic_distance: Number.POSITIVE_INFINITY, colour: "red" },
      simParams: { max_steps: 4 },
    });
    const { report } = await convert(find("1"), odd);
    expect(report.dropped.map(({ field }) => field)).toEqual([
      "task_type",
      "instruction.text",
      "reference_data.path",
      "task_config.colour",
      "sim_params.max_steps",
    ]);
  });

  it.each<[string, Partial<EpisodeInit>, string]>([
    ["joint positions", { startState: { joint_positions: [0] } }, "is manipulation"],
    ["no start", { startState: { rotation: [0, 0, 0, 1] } }, "has no start_state.position"],
    ["no category", { goals: { positions: [[0, 0, 0]] } }, "has no goals.object_category"],
    ["no goal", { goals: { object_category: "bed" } }, "has no goals.positions"],
    ["other goals", { goals: { ...GOALS, positions: [[0, 0, 0]] } }, "other goals than episode 1"],
    ["another scene of the same name", { sceneId: "house/7" }, "in apartment/7"],
  ])("conversion to objectnav rejects an episode with %s", async (_, change, message) => {
    await expect(convert(find("1"), find("2", change))).rejects.toMatchObject({
      code: "not_convertible",
      message: expect.stringContaining(message),
    });
  });
});

describe("writeDataset", () => {
  it("writeDataset requests the episodes only after the output path has been checked", async () => {
    const never = () => Promise.reject(new Error("asked"));
    await expect(
      writeDataset({ to: "objectnav", out: "val.txt", content: never }),
    ).rejects.toMatchObject({ code: "bad_out" });
    const out = join(temporaryFolder(), "val.json.gz");
    const content = async () => ({ episodes: [find("1")] });
    expect(await writeDataset({ to: "objectnav", out, content })).toMatchObject({ dropped: [] });
    await expect(writeDataset({ to: "objectnav", out, content: never })).rejects.toMatchObject({
      code: "out_exists",
    });
    expect(await load(out)).toEqual([find("1")]);
  });
});

describeWithSharedData("HM3D's val_mini", () => {
  it("conversion round-trips starts, goals and view points of HM3D val_mini", async () => {
    const path = sharedData("objectnav_hm3d_v2/val_mini");
    const out = join(temporaryFolder(), "val.json.gz");
    const report = await convertDataset({ path, formats, to: "objectnav", out });
    expect(report.dropped).toEqual([]);
    const [before, after] = [await load(path), await load(out)];
    expect(after).toHaveLength(before.length);
    const sorted = (points: readonly (readonly number[])[] = []) => points.map(String).sort();
    before.forEach((episode, i) => {
      const again = after[i];
      expect(again?.startState).toEqual(episode.startState);
      expect(again?.goals.positions).toEqual(episode.goals.positions);
      expect(sorted(again?.goals.view_points)).toEqual(sorted(episode.goals.view_points));
    });
  });
});
