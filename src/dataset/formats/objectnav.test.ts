import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { episodesOf, TemporaryFiles } from "../../../test/support/dataset-files.js";
import { goalPoints } from "../../core/episode/base.js";
import { type DataError, errorMessage } from "../../core/errors.js";
import { distance3 } from "../../core/math/vec3.js";
import type { DatasetSource } from "../format.js";
import { objectNavFormat } from "./objectnav.js";

const files = new TemporaryFiles();
beforeEach(() => {
  files.fresh();
});

const load = (source: DatasetSource) => episodesOf(objectNavFormat, source);

function seenFrom(...positions: readonly (readonly number[])[]) {
  return positions.map((position) => ({
    agent_state: { position, rotation: [0, 0, 0, 1] },
    iou: 0.5,
  }));
}

function object(id: number, position: readonly number[], view_points: unknown) {
  return { object_id: id, object_category: "bed", position, radius: null, view_points };
}

const beds = [
  object(10, [5, 1, 0], seenFrom([4, 0, 0], [4.5, 0, 0])),
  object(11, [9, 1, 0], seenFrom([8, 0, 0])),
];
const episode = {
  episode_id: "7",
  scene_id: "data/scene_datasets/hm3d/val/00800-abc/abc.basis.glb",
  scene_dataset_config: "hm3d.scene_dataset_config.json",
  start_position: [0, 0, 0],
  start_rotation: [0, 0.6, 0, 0.8],
  info: { geodesic_distance: 4.5, euclidean_distance: 4, closest_goal_object_id: 10 },
  goals: [],
  start_room: null,
  shortest_paths: null,
  object_category: "bed",
};
const goals = { "abc.basis.glb_bed": beds };
const scene = { goals_by_category: goals, episodes: [episode, { ...episode, episode_id: "8" }] };
const index = { episodes: [], category_to_task_category_id: { bed: 1 } };

describe("ObjectNav file", () => {
  it("the ObjectNav reader reads each episode with all objects of its category and all their view points", async () => {
    const [first] = await load({ path: files.write("abc.json.gz", scene) });
    expect(first?.toDict()).toEqual({
      episode_id: "7",
      task_type: "objectnav",
      scene_id: "hm3d/val/00800-abc/abc.basis.glb",
      start_state: { position: [0, 0, 0], rotation: [0, 0.6, 0, 0.8] },
      goals: {
        object_category: "bed",
        positions: [
          [5, 1, 0],
          [9, 1, 0],
        ],
        view_points: [
          [4, 0, 0],
          [4.5, 0, 0],
          [8, 0, 0],
        ],
      },
      instruction: {},
      reference_data: null,
      task_config: {
        geodesic_distance: 4.5,
        euclidean_distance: 4,
        closest_goal_object_id: 10,
        scene_dataset_config: "hm3d.scene_dataset_config.json",
      },
      sim_params: {},
    });
  });

  it("the ObjectNav reader shares the view points of a category between its episodes", async () => {
    const [first, second] = await load({ path: files.write("abc.json", scene) });
    expect(second?.goals.view_points).toBe(first?.goals.view_points);
    expect(second?.goals.positions).toBe(first?.goals.positions);
  });

  it("the ObjectNav reader accepts goals before or after the episodes", async () => {
    const { goals_by_category, episodes } = scene;
    const before = await load({ path: files.write("before.json", scene) });
    const after = await load({
      path: files.write("after.json", { episodes, other: 1, goals_by_category }),
    });
    expect(after).toEqual(before);
    expect(after).toHaveLength(2);
  });

  it("the ObjectNav reader accepts goals in each episode, as in older files", async () => {
    const own = { ...episode, goals: beds };
    const [first] = await load({ path: files.write("old.json", { episodes: [own] }) });
    expect(first?.goals.view_points).toHaveLength(3);
  });

  it("the ObjectNav reader keeps the radius of goals that have one", async () => {
    const withRadius = { "abc.basis.glb_bed": beds.map((bed) => ({ ...bed, radius: 0.5 })) };
    const [first] = await load({
      path: files.write("abc.json", { goals_by_category: withRadius, episodes: [episode] }),
    });
    expect(first?.goals.radius).toBe(0.5);
  });

  it("the ObjectNav reader reads the single file of MP3D with goals of several scenes", async () => {
    const at = (scan: string) => ({ ...episode, scene_id: `mp3d/${scan}/${scan}.glb` });
    const path = files.write("val.json.gz", {
      category_to_task_category_id: { bed: 1 },
      goals_by_category: { "a.glb_bed": [beds[0]], "b.glb_bed": [beds[1]] },
      episodes: [at("a"), at("b")],
    });
    const [a, b] = await load({ path });
    expect(a?.goals.positions).toEqual([[5, 1, 0]]);
    expect(b?.goals.positions).toEqual([[9, 1, 0]]);
    expect(b?.sceneId).toBe("mp3d/b/b.glb");
  });
});

describe("ObjectNav split", () => {
  it("the ObjectNav reader reads a split through its index, its folder or its content folder", async () => {
    const path = files.write("val.json.gz", index);
    files.write("content/b.json.gz", { ...scene, episodes: [{ ...episode, episode_id: "0" }] });
    files.write("content/a.json", scene);
    files.write("content/._a.json", "left behind by another file system");
    for (const given of [path, files.folder, join(files.folder, "content")]) {
      const ids = (await load({ path: given })).map(({ episodeId }) => episodeId);
      expect(ids).toEqual(["7", "8", "0"]);
    }
  });

  it("the ObjectNav reader rejects a split whose content is missing", async () => {
    const path = files.write("val.json.gz", index);
    await expect(load({ path })).rejects.toMatchObject({
      code: "empty_dataset",
      hint: expect.stringContaining("content/<scene>.json.gz"),
    });
    const empty = files.fresh();
    await expect(load({ path: empty })).rejects.toMatchObject({ code: "empty_dataset" });
  });
});

describe("invalid ObjectNav file", () => {
  const second = (change: object) => ({
    ...scene,
    episodes: [episode, { ...episode, episode_id: "8", ...change }],
  });
  const goal = (change: object) => ({
    ...scene,
    goals_by_category: { "abc.basis.glb_bed": [beds[0], { ...beds[1], ...change }] },
  });

  it.each([
    ["a start of two numbers", second({ start_position: [0, 0] }), "episode 8, start_position: "],
    ["a rotation as text", second({ start_rotation: "north" }), "episode 8, start_rotation: "],
    ["no scene", second({ scene_id: undefined }), "episode 8, scene_id: "],
    ["no category", second({ object_category: 3 }), "episode 8, object_category: "],
    [
      "a category without goals",
      second({ object_category: "sofa" }),
      'episode 8: goals_by_category has no goal "abc.basis.glb_sofa"',
    ],
    [
      "a goal without position",
      goal({ position: undefined }),
      'episode 7, its goal "abc.basis.glb_bed": 1.position: ',
    ],
    [
      "a view point of text",
      goal({ view_points: seenFrom([0, 0, 0]).concat(JSON.parse('[{"agent_state": "x"}]')) }),
      'episode 7, its goal "abc.basis.glb_bed": 1.view_points.1.agent_state: ',
    ],
    [
      "a view point that is NaN",
      JSON.stringify(goal({})).replace("[8,0,0]", "[8,NaN,0]"),
      'episode 7, its goal "abc.basis.glb_bed": 1.view_points.0.agent_state.position.1: ',
    ],
  ])("the ObjectNav reader rejects %s with episode and field", async (_, content, message) => {
    const path = files.write("abc.json", content);
    await expect(load({ path })).rejects.toMatchObject({
      name: "DataError",
      message: expect.stringContaining(message),
      where: expect.stringContaining("abc.json"),
    });
  });

  it("the ObjectNav reader reads all but the invalid episodes if onBadEpisode is set", async () => {
    const problems: DataError[] = [];
    const path = files.write("abc.json", {
      goals_by_category: { ...goals, "abc.basis.glb_sofa": "none" },
      episodes: [
        { ...episode, object_category: "sofa" },
        { ...episode, episode_id: "8", start_position: null },
        { ...episode, episode_id: "9" },
      ],
    });
    const read = await load({ path, onBadEpisode: (problem) => problems.push(problem) });
    expect(read.map(({ episodeId }) => episodeId)).toEqual(["9"]);
    expect(problems.map(errorMessage)).toEqual([
      expect.stringContaining("episode 7, its goal"),
      expect.stringContaining("episode 8, start_position"),
    ]);
  });

  it.each([
    ["a list", [episode]],
    ["without episodes", { goals_by_category: goals }],
    ["with episodes that are not a list", { ...scene, episodes: { 7: episode } }],
    ["with goals that are not an object", { ...scene, goals_by_category: [beds] }],
  ])("the ObjectNav reader rejects a file with a wrong layout: %s", async (_, content) => {
    const path = files.write("abc.json", content);
    await expect(load({ path })).rejects.toMatchObject({ code: "bad_dataset" });
  });

  it("the ObjectNav reader never loads part of a truncated file", async () => {
    const plain = Buffer.from(JSON.stringify(scene));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: plain.length - 1 }), async (length) => {
        const path = files.write("cut.json", plain.subarray(0, length));
        await expect(load({ path })).rejects.toMatchObject({ name: "DataError" });
      }),
    );
  });

  it("the ObjectNav reader never loads part of a file with a changed byte", async () => {
    const plain = Buffer.from(JSON.stringify(scene));
    const place = fc.nat({ max: plain.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(plain);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        const path = files.write("damaged.json", damaged);
        const read = await load({ path }).catch((error: unknown) => error);
        // A changed digit cannot be detected, but episodes must not go missing.
        if (Array.isArray(read)) expect(read).toHaveLength(2);
        else expect(read).toMatchObject({ name: "DataError" });
      }),
      { numRuns: 300 },
    );
  });
});

describeWithSharedData("HM3D's val_mini", () => {
  const folder = () => sharedData("objectnav_hm3d_v2/val_mini");

  it("HM3D val_mini has 30 episodes with goals within the stated distance", async () => {
    const episodes = await load({ path: join(folder(), "val_mini.json.gz") });
    expect(episodes).toHaveLength(30);
    expect(new Set(episodes.map(({ sceneId }) => sceneId)).size).toBe(2);
    // Ids repeat across scenes.
    expect(new Set(episodes.map(({ episodeId }) => episodeId)).size).toBeLessThan(30);
    const pools = new Set(episodes.map(({ goals }) => goals.view_points));
    const kinds = new Set(episodes.map((e) => `${e.sceneId} ${e.goals.object_category}`));
    expect(pools.size).toBe(kinds.size);
    for (const read of episodes) {
      const start = read.startState.position ?? [0, 0, 0];
      const nearest = Math.min(...goalPoints(read).map((p) => distance3(p.position, start)));
      // No path is shorter than the straight line. The file rounds to 1e-5.
      expect(nearest).toBeLessThanOrEqual(Number(read.taskConfig.geodesic_distance) + 1e-4);
      expect(nearest).toBeGreaterThan(0);
    }
  });

  it("the ObjectNav reader reads the same from its folder and from its files", async () => {
    const whole = await load({ path: folder() });
    const content = join(folder(), "content");
    const parts = await Promise.all(
      readdirSync(content).map((name) => load({ path: join(content, name) })),
    );
    expect(parts.flat()).toEqual(whole);
  });

  it("the ObjectNav reader rejects the published files wherever they are truncated or damaged", async () => {
    const packed = readFileSync(join(folder(), "content/TEEsavR23oF.json.gz"));
    for (const share of [0.001, 0.2, 0.5, 0.8, 0.999]) {
      const length = Math.floor(share * packed.length);
      const cut = files.write("cut.json.gz", packed.subarray(0, length));
      await expect(load({ path: cut })).rejects.toMatchObject({ code: "truncated_gzip" });
      const hit = Buffer.from(packed);
      hit[length] = (hit[length] ?? 0) ^ 0x10;
      await expect(load({ path: files.write("hit.json.gz", hit) })).rejects.toMatchObject({
        name: "DataError",
      });
      const plain = gunzipSync(packed);
      const unpacked = files.write("cut.json", plain.subarray(0, Math.floor(share * plain.length)));
      await expect(load({ path: unpacked })).rejects.toMatchObject({ name: "DataError" });
    }
  });
});
