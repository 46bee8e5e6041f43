import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { episodesOf, TemporaryFiles } from "../../../test/support/dataset-files.js";
import type { DatasetSource } from "../format.js";
import { pointNavFormat } from "./pointnav.js";

const files = new TemporaryFiles();
beforeEach(() => {
  files.fresh();
});

const load = (source: DatasetSource) => episodesOf(pointNavFormat, source);

const episode = {
  episode_id: "3",
  scene_id: "data/scene_datasets/gibson/Pablo.glb",
  start_position: [1, 0, 2],
  start_rotation: [0, 0.6, 0, 0.8],
  info: { geodesic_distance: 6.5, difficulty: "easy" },
  goals: [{ position: [5, 0, 2], radius: 0.2 }],
  shortest_paths: null,
  start_room: null,
};
const document = (...episodes: unknown[]) => ({ episodes });

describe("PointNav file", () => {
  it("the PointNav reader reads image goals at the points", async () => {
    const [first] = await load({ path: files.write("val.json.gz", document(episode)) });
    expect(first?.toDict()).toEqual({
      episode_id: "3",
      task_type: "image_nav",
      scene_id: "gibson/Pablo.glb",
      start_state: { position: [1, 0, 2], rotation: [0, 0.6, 0, 0.8] },
      goals: { position: [5, 0, 2], radius: 0.2 },
      instruction: {},
      reference_data: null,
      task_config: { geodesic_distance: 6.5, difficulty: "easy" },
      sim_params: {},
    });
  });

  it("the PointNav reader accepts another task type", async () => {
    const path = files.write("val.json", document(episode));
    const [first] = await load({ path, taskType: "pointnav" });
    expect(first?.taskType).toBe("pointnav");
  });

  it("the PointNav reader accepts several alternative goals", async () => {
    const goals = [...episode.goals, { position: [7, 0, 2], radius: null }];
    const [first] = await load({ path: files.write("val.json", document({ ...episode, goals })) });
    expect(first?.goals.positions).toEqual([
      [5, 0, 2],
      [7, 0, 2],
    ]);
  });

  it("the PointNav reader reads a split with one file per scene in content/", async () => {
    files.write("content/Pablo.json.gz", document(episode));
    files.write("content/Adrian.json.gz", document({ ...episode, scene_id: "gibson/Adrian.glb" }));
    const read = await load({ path: files.write("train.json.gz", document()) });
    expect(read.map(({ sceneId }) => sceneId)).toEqual(["gibson/Adrian.glb", "gibson/Pablo.glb"]);
  });

  it.each([
    ["goals: ", { goals: [] }],
    ["goals.0.position.1: ", { goals: [{ position: [1, "0", 1] }] }],
    ["goals.0.radius: ", { goals: [{ position: [1, 0, 1], radius: -1 }] }],
    ["start_rotation: ", { start_rotation: [0, 0, 0, 0] }],
    ["start_position: ", { start_position: undefined }],
    ["scene_id: ", { scene_id: "" }],
    ["info: ", { info: "far" }],
  ])("the PointNav reader rejects an invalid %s with episode and field", async (field, change) => {
    const path = files.write(
      "val.json",
      document(episode, { ...episode, episode_id: 4, ...change }),
    );
    await expect(load({ path })).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringContaining(`episode 4, ${field}`),
      where: `${path}, episodes[1]`,
    });
  });

  it("the PointNav reader never loads part of a truncated file", async () => {
    const plain = Buffer.from(JSON.stringify(document(episode, { ...episode, episode_id: 4 })));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: plain.length - 1 }), async (length) => {
        const path = files.write("cut.json", plain.subarray(0, length));
        await expect(load({ path })).rejects.toMatchObject({ name: "DataError" });
      }),
    );
  });
});
