import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { TemporaryFiles } from "../../../test/support/dataset-files.js";
import { Registry } from "../../core/registry.js";
import { registerFormats } from "../../registry/formats.js";
import type { DatasetFormat } from "../format.js";
import { detectFormat } from "../loader.js";
import { readSample } from "../source.js";

const files = new TemporaryFiles();
const formats = new Registry<DatasetFormat>("format");
registerFormats(formats);

const start = {
  episode_id: "1",
  scene_id: "hall.glb",
  start_position: [0, 0, 0],
  start_rotation: [0, 0, 0, 1],
};
const point = { ...start, goals: [{ position: [1, 0, 0], radius: 0.2 }] };
const view = { agent_state: { position: [0, 0, 0], rotation: [0, 0, 0, 1] }, iou: 0.5 };
const seen = { position: [1, 0, 0], object_category: "bed", view_points: [view] };
const bed = { ...start, object_category: "bed", goals: [] };
const photographed = { ...bed, goal_object_id: "1", goal_image_id: 0 };
const instruction = { instruction_text: "Go." };
const goals_by_category = { "hall.glb_bed": [seen] };
const goals = { hall_1: { ...seen, image_goals: [] } };

const contents: readonly (readonly [format: string, what: string, content: unknown])[] = [
  ["native", "a document", { format: "robot-eval-episodes/1", episodes: [] }],
  ["native", "a list", [{ episode_id: "1", task_type: "vln", scene_id: "hall" }]],
  ["native", "lines", '{"format": "robot-eval-episodes/1", "count": 0}\n'],
  ["native", "episodes of points", { episodes: [{ ...point, task_type: "image_nav" }] }],
  ["r2r-vlnce", "a file", { episodes: [{ ...point, instruction }] }],
  ["r2r-vlnce", "a test split", { episodes: [{ ...start, instruction }] }],
  [
    "rxr-vlnce",
    "a file",
    { episodes: [{ ...point, instruction: { ...instruction, instruction_id: "7" } }] },
  ],
  ["r2r", "a file", [{ path_id: 1, scan: "h", path: ["a"], heading: 0, instructions: ["Go."] }]],
  ["ndh", "a file", [{ inst_idx: 1, scan: "hall", dialog_history: [], start_pano: {} }]],
  ["objectnav", "goals first", { goals_by_category, episodes: [bed] }],
  ["objectnav", "episodes first", { episodes: [bed], goals_by_category }],
  ["objectnav", "goals in its episodes", { episodes: [{ ...bed, goals: [seen] }] }],
  ["objectnav", "an index", { episodes: [], category_to_task_category_id: {} }],
  [
    "ovmm",
    "a file",
    { episodes: [{ ...bed, start_recep_category: "table", goal_recep_category: "bed" }] },
  ],
  ["pointnav", "a file", { episodes: [point] }],
  ["instance-imagenav", "goals first", { goals, episodes: [photographed] }],
  ["instance-imagenav", "episodes first", { episodes: [photographed], goals }],
  ["roboverse", "initial states", { franka: [{ init_state: { cube: { pos: [0, 0, 0] } } }] }],
  [
    "robothor",
    "a file",
    [
      {
        id: "Hall_Mug_0",
        scene: "Hall",
        object_type: "Mug",
        initial_position: { x: 0, y: 0, z: 0 },
        initial_orientation: 0,
      },
    ],
  ],
];

async function fitting(path: string): Promise<string[]> {
  const sample = await readSample(path);
  return [...formats.entries()].flatMap(([name, format]) => (format.detect(sample) ? [name] : []));
}

describe("content of each format", () => {
  it.each(contents)(
    "content of %s matches that format and no other: %s",
    async (name, _, content) => {
      expect(await fitting(files.write("a.bin", content))).toEqual([name]);
      expect(await fitting(files.write("a.gz", content))).toEqual([name]);
    },
  );

  it.each([
    ["questions about a house", { episodes: [{ ...point, question: { text: "Where?" } }] }],
    ["things to tidy up", { episodes: [{ ...start, goals: [], rigid_objs: [] }] }],
    ["an empty index", { episodes: [] }],
    ["a ground truth", { "1": { locations: [[0, 0, 0]], actions: [0] } }],
    ["goals alone, of another kind", { goals: { hall_1: [seen] } }],
    ["a submission", { instruction_id: 1, path: [[0, 0, 0]] }],
  ])("content without a known format matches none: %s", async (_, content) => {
    expect(await fitting(files.write("b.json", content))).toEqual([]);
  });
});

describe("folder or empty index", () => {
  it.each([
    ["objectnav", { goals_by_category, episodes: [bed] }],
    ["pointnav", { episodes: [point] }],
    ["instance-imagenav", { goals, episodes: [photographed] }],
  ])("a folder or an empty index has the format of its content: %s", async (name, content) => {
    const folder = files.fresh();
    const index = files.write("val.json.gz", { episodes: [] });
    files.write("content/hall.json.gz", content);
    expect((await detectFormat(index, formats)).name).toBe(name);
    expect((await detectFormat(folder, formats)).name).toBe(name);
  });

  it("a folder or an empty index with damaged content is reported as damaged", async () => {
    const folder = files.fresh();
    files.write("content/hall.json", '{"goals": {"hall_1"');
    await expect(detectFormat(folder, formats)).rejects.toMatchObject({
      code: "bad_json",
      where: expect.stringContaining("hall.json"),
    });
  });

  it("a folder or an empty index whose content has no format has none", async () => {
    const folder = files.fresh();
    files.write("notes.txt", "hello");
    await expect(detectFormat(folder, formats)).rejects.toMatchObject({ code: "unknown_format" });
  });
});

describeWithSharedData("published data", () => {
  it.each([
    ["objectnav_hm3d_v2/val_mini/val_mini.json.gz", "objectnav"],
    ["objectnav_hm3d_v2/val_mini/content/wcojb4TFT35.json.gz", "objectnav"],
    ["objectnav_hm3d_v2/val_mini", "objectnav"],
    ["instance_imagenav_hm3d_v3/val_mini/val_mini.json.gz", "instance-imagenav"],
    ["instance_imagenav_hm3d_v3/val_mini/content/wcojb4TFT35.json.gz", "instance-imagenav"],
    ["instance_imagenav_hm3d_v3/val_mini", "instance-imagenav"],
    ["robothor_objectnav/FloorPlan_Val1_3.json.gz", "robothor"],
    ["robothor_objectnav", "robothor"],
    ["r2r_vlnce/v1-3/val_seen/val_seen.json.gz", "r2r-vlnce"],
    ["ndh/val_unseen.json", "ndh"],
  ])("%s is %s", async (path, name) => {
    expect((await detectFormat(sharedData(path), formats)).name).toBe(name);
  });
});
