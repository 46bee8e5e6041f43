import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { TemporaryFiles } from "../../../test/support/dataset-files.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { Registry } from "../../core/registry.js";
import { registerFormats } from "../../registry/formats.js";
import { convertDataset } from "../convert/convert.js";
import type { DatasetFormat } from "../format.js";
import { loadEpisodes } from "../loader.js";

const files = new TemporaryFiles();
const formats = new Registry<DatasetFormat>("format");
registerFormats(formats);

async function load(path: string, format?: string): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of loadEpisodes({ path, formats, format })) episodes.push(one);
  return episodes;
}

/** 1 m to the right and 2 m ahead in Habitat's axes, 0.8 m up, turned by 90 degrees to the left. */
const TURNED = [
  [0, 0, 1, 1],
  [0, 1, 0, 0.8],
  [-1, 0, 0, -2],
  [0, 0, 0, 1],
];
const view = {
  agent_state: { position: [1, 0, -1], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] },
  iou: 0.4,
};
const candidate = (object_name: string, object_category: string) => ({
  position: [1, 0.8, -2],
  radius: null,
  object_id: "7",
  object_name,
  object_name_id: null,
  object_category,
  room_id: null,
  room_name: null,
  view_points: [view],
});

/** With the fields of habitat-lab's RearrangeEpisode and home-robot's OVMMEpisode. */
const entry = {
  episode_id: "21",
  scene_id: "102344049.scene_instance.json",
  scene_dataset_config: "data/hssd-hab/hssd-hab-uncluttered.scene_dataset_config.json",
  additional_obj_config_paths: ["data/objects/train_val/google_scanned/configs/"],
  start_position: [3, 0.1, -4],
  start_rotation: [0, 0, 0, 1],
  info: { object_labels: {} },
  ao_states: {},
  rigid_objs: [
    ["Sushi_Mat.object_config.json", TURNED],
    ["Ecoforms_Cup.object_config.json", TURNED],
    ["Ecoforms_Cup.object_config.json", TURNED],
  ],
  targets: { "Ecoforms_Cup_:0001": TURNED },
  markers: [],
  target_receptacles: [["table_3_:0000", null]],
  goal_receptacles: [["bed_1_:0000", null]],
  name_to_receptacle: { "Ecoforms_Cup_:0001": "table_3_:0000|receptacle_mesh_1" },
  object_category: "cup",
  start_recep_category: "table",
  goal_recep_category: "chest_of_drawers",
  candidate_objects: [candidate("Ecoforms_Cup_:0001", "cup")],
  candidate_objects_hard: [candidate("Ecoforms_Cup_:0001", "cup")],
  candidate_start_receps: [candidate("table_3_:0000", "table")],
  candidate_goal_receps: [candidate("bed_1_:0000", "chest_of_drawers")],
};
const file = (...episodes: readonly unknown[]) =>
  files.write("val.json", {
    episodes,
    obj_category_to_obj_category_id: { cup: 0 },
    recep_category_to_recep_category_id: { table: 0, chest_of_drawers: 1 },
  });

describe("the OVMM format", () => {
  it("the OVMM format is recognised, and read as rearrange episodes in the axes of MuJoCo", async () => {
    const [episode] = await load(file(entry));
    expect(episode?.taskType).toBe("rearrange");
    expect(episode?.startState.base_pose).toEqual([3, 4, 0]);
    expect(episode?.instruction.text).toBe("Move cup from the table to the chest of drawers");
    expect(episode?.goals).toMatchObject({
      target_object: { name: "Ecoforms_Cup_2", category: "cup" },
      start_receptacle: { name: "table_3_:0000", category: "table" },
      target_location: { receptacle: "bed_1_:0000", category: "chest_of_drawers" },
      candidates: {
        objects: [
          {
            name: "Ecoforms_Cup_:0001",
            category: "cup",
            position: [1, 2, 0.8],
            view_points: [[1, 1, expect.closeTo(Math.PI / 2, 9)]],
          },
        ],
        goal_receptacles: [{ name: "bed_1_:0000" }],
      },
    });
    const objects = episode?.taskConfig.scene_objects as readonly Record<string, unknown>[];
    expect(objects.map(({ name }) => name)).toEqual([
      "Sushi_Mat_1",
      "Ecoforms_Cup_1",
      "Ecoforms_Cup_2",
    ]);
    expect(objects[0]).toMatchObject({
      position: [1, 2, 0.8],
      // 90 degrees about the vertical.
      rotation_wxyz: [Math.SQRT1_2, 0, 0, Math.SQRT1_2].map((x) => expect.closeTo(x, 9)),
    });
  });

  it("the OVMM format reads an episode without candidates or receptacle names", async () => {
    const { candidate_objects: _, target_receptacles: __, goal_receptacles: ___, ...rest } = entry;
    const [episode] = await load(file(rest));
    expect(episode?.goals).toMatchObject({
      start_receptacle: { name: "table", category: "table" },
      candidates: { objects: [] },
    });
  });

  it.each([
    ["a pose in another file", { rigid_objs: [["Mat.json", 12]] }, "separate_poses"],
    ["a target that is no object", { targets: { "Spoon_:0000": TURNED } }, "missing_target"],
    ["a matrix of three columns", { rigid_objs: [["Mat.json", [[1, 0, 0]]]] }, "bad_episode"],
    ["no goal category", { goal_recep_category: null }, "bad_episode"],
  ])("the OVMM format refuses %s and names the episode", async (_, change, code) => {
    await expect(load(file({ ...entry, ...change }), "ovmm")).rejects.toMatchObject({ code });
  });

  it("the OVMM format keeps categories, places and view points when converted to native and back", async () => {
    const folder = temporaryFolder();
    const [native, back] = [join(folder, "a.json"), join(folder, "b.json")];
    await convertDataset({ path: file(entry), formats, to: "native", out: native });
    const report = await convertDataset({ path: native, formats, to: "ovmm", out: back });
    expect(report.written).toBe(1);
    const written = JSON.parse(readFileSync(back, "utf8"));
    expect(written).toMatchObject({
      obj_category_to_obj_category_id: { cup: 0 },
      recep_category_to_recep_category_id: { chest_of_drawers: 0, table: 1 },
    });
    const [one] = written.episodes;
    expect(one).toMatchObject({
      scene_id: entry.scene_id,
      scene_dataset_config: entry.scene_dataset_config,
      start_position: [3, 0, -4],
      object_category: "cup",
      start_recep_category: "table",
      goal_recep_category: "chest_of_drawers",
      target_receptacles: [["table_3_:0000", null]],
    });
    one.rigid_objs[0][1].flat().forEach((x: number, k: number) => {
      expect(x).toBeCloseTo(TURNED.flat()[k] ?? 0, 9);
    });
    expect(one.candidate_objects[0].position).toEqual([1, 0.8, -2]);
    one.candidate_objects[0].view_points[0].agent_state.rotation.forEach((x: number, k: number) => {
      expect(x).toBeCloseTo(view.agent_state.rotation[k] ?? 0, 9);
    });
    expect(Object.keys(one)).toEqual(expect.arrayContaining(Object.keys(entry)));
  });

  it("the OVMM format writes models of the catalogue so that they are found again", async () => {
    const folder = temporaryFolder();
    const episode = new BaseEpisode({
      episodeId: "1",
      taskType: "rearrange",
      sceneId: "apartment/100",
      startState: { base_pose: [1, 2, 0.5] },
      goals: {
        target_object: { name: "mug_blue_1", category: "mug" },
        start_receptacle: { name: "table_1", category: "table" },
        target_location: { receptacle: "desk_1", category: "desk" },
      },
      instruction: { text: "Take the mug to the desk." },
      taskConfig: {
        scene_objects: [{ name: "mug_blue_1", model: "mug/1", position: [1, 2, 0.8], yaw: 0.7 }],
      },
    });
    const path = files.write("native.json", [episode.toDict()]);
    const out = join(folder, "ovmm.json.gz");
    await convertDataset({ path, formats, to: "ovmm", out });
    const [read] = await load(out);
    expect(read?.instruction.text).toBe("Take the mug to the desk.");
    expect(read?.startState.base_pose).toEqual([1, 2, expect.closeTo(0.5, 9)]);
    expect(read?.taskConfig.scene_objects).toEqual([
      {
        name: "mug_1_1",
        model: "mug/1",
        position: [1, 2, 0.8],
        rotation_wxyz: [Math.cos(0.35), 0, 0, Math.sin(0.35)].map((x) => expect.closeTo(x, 9)),
      },
    ]);
  });

  it("the OVMM format cannot store episodes of other tasks", async () => {
    const path = files.write("vln.json", [
      { episode_id: "1", task_type: "vln", scene_id: "hall", start_state: {} },
    ]);
    const out = join(temporaryFolder(), "ovmm.json");
    await expect(convertDataset({ path, formats, to: "ovmm", out })).rejects.toMatchObject({
      code: "not_convertible",
      message: expect.stringContaining("base_pose"),
    });
  });
});
