import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { episodesOf, TemporaryFiles } from "../../../test/support/dataset-files.js";
import { goalPoints } from "../../core/episode/base.js";
import { distance3 } from "../../core/math/vec3.js";
import type { DatasetSource } from "../format.js";
import { instanceImageNavFormat } from "./instance-imagenav.js";

const files = new TemporaryFiles();
beforeEach(() => {
  files.fresh();
});

const load = (source: DatasetSource) => episodesOf(instanceImageNavFormat, source);

const image = (x: number) => ({
  position: [x, 1.2, 0],
  rotation: [0, 0.6, 0, 0.8],
  hfov: 65,
  image_dimensions: [512, 480],
  frame_coverage: 0.3,
  object_coverage: 0.8,
});
const chair = {
  position: [5, 0.5, 0],
  object_id: 10,
  object_category: "chair",
  object_surface_area: 2,
  view_points: [{ agent_state: { position: [4, 0, 0], rotation: [0, 0, 0, 1] }, iou: 0.5 }],
  image_goals: [image(3), image(4)],
};
const episode = {
  episode_id: "331",
  scene_id: "hm3d/minival/00800-abc/abc.basis.glb",
  start_position: [0, 0, 0],
  start_rotation: [0, 0, 0, 1],
  info: { geodesic_distance: 5, euclidean_distance: 4 },
  goals: [],
  object_category: "chair",
  goal_object_id: "10",
  goal_image_id: 1,
};
const goals = { abc_10: chair };
const scene = { goals, episodes: [episode, { ...episode, episode_id: "332", goal_image_id: 0 }] };

describe("InstanceImageNav file", () => {
  it("the InstanceImageNav reader reads each episode with its object and the camera of its image", async () => {
    const [first, second] = await load({ path: files.write("abc.json.gz", scene) });
    expect(first?.toDict()).toEqual({
      episode_id: "331",
      task_type: "image_nav",
      scene_id: "hm3d/minival/00800-abc/abc.basis.glb",
      start_state: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
      goals: {
        object_category: "chair",
        position: [5, 0.5, 0],
        view_points: [[4, 0, 0]],
        image_goal: {
          position: [4, 1.2, 0],
          rotation: [0, 0.6, 0, 0.8],
          hfov: 65,
          image_dimensions: [512, 480],
        },
      },
      instruction: {},
      reference_data: null,
      task_config: {
        geodesic_distance: 5,
        euclidean_distance: 4,
        goal_object_id: "10",
        goal_image_id: 1,
        success_distance: 0.1,
      },
      sim_params: {},
    });
    expect(second?.goals.image_goal).toMatchObject({ position: [3, 1.2, 0] });
    expect(second?.goals.view_points).toBe(first?.goals.view_points);
  });

  it("the InstanceImageNav reader accepts goals after the episodes", async () => {
    const { episodes } = scene;
    const before = await load({ path: files.write("before.json", scene) });
    expect(await load({ path: files.write("after.json", { episodes, goals }) })).toEqual(before);
  });

  it("the InstanceImageNav reader detects the format through an empty index", async () => {
    files.write("content/abc.json.gz", scene);
    expect(await load({ path: files.write("val.json.gz", { episodes: [] }) })).toHaveLength(2);
  });

  const second = (change: object) => ({
    goals,
    episodes: [episode, { ...episode, episode_id: "8", ...change }],
  });
  const goal = (change: object) => ({ ...scene, goals: { abc_10: { ...chair, ...change } } });
  it.each([
    ["an image that its object lacks", second({ goal_image_id: 2 }), "has 2 images, got 2"],
    ["a negative image", second({ goal_image_id: -1 }), "episode 8, goal_image_id: "],
    [
      "an unknown object",
      second({ goal_object_id: "11" }),
      'episode 8: goals has no goal "abc_11"',
    ],
    ["a start as text", second({ start_position: "0 0 0" }), "episode 8, start_position: "],
    [
      "a camera that sees backwards",
      goal({ image_goals: [{ ...image(3), hfov: 200 }] }),
      'episode 331, its goal "abc_10": image_goals.0.hfov: ',
    ],
    [
      "a camera with a wrong rotation",
      goal({ image_goals: [{ ...image(3), rotation: [1, 1, 0, 0] }] }),
      'episode 331, its goal "abc_10": image_goals.0.rotation: ',
    ],
    [
      "no view points",
      goal({ view_points: undefined }),
      'episode 331, its goal "abc_10": view_points: ',
    ],
  ])(
    "the InstanceImageNav reader rejects %s with episode and field",
    async (_, content, message) => {
      await expect(load({ path: files.write("abc.json", content) })).rejects.toMatchObject({
        name: "DataError",
        message: expect.stringContaining(message),
        where: expect.stringContaining("abc.json"),
      });
    },
  );

  it("the InstanceImageNav reader never loads part of a truncated file", async () => {
    const plain = Buffer.from(JSON.stringify(scene));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: plain.length - 1 }), async (length) => {
        const path = files.write("cut.json", plain.subarray(0, length));
        await expect(load({ path })).rejects.toMatchObject({ name: "DataError" });
      }),
    );
  });
});

describeWithSharedData("InstanceImageNav: HM3D's val_mini", () => {
  const folder = () => sharedData("instance_imagenav_hm3d_v3/val_mini");

  it("HM3D val_mini has 48 episodes whose cameras are near their objects", async () => {
    const episodes = await load({ path: join(folder(), "val_mini.json.gz") });
    expect(episodes).toHaveLength(48);
    for (const { goals: goal, taskConfig, startState } of episodes) {
      const camera = goal.image_goal as { position: [number, number, number] };
      expect(distance3(camera.position, goal.position ?? [99, 0, 0])).toBeLessThan(6);
      expect(taskConfig.goal_image_id).toBeTypeOf("number");
      expect(startState.rotation).toHaveLength(4);
    }
    const nearest = episodes.map((read) =>
      Math.min(
        ...goalPoints(read).map((p) =>
          distance3(p.position, read.startState.position ?? [0, 0, 0]),
        ),
      ),
    );
    episodes.forEach(({ taskConfig }, i) => {
      expect(nearest[i]).toBeLessThanOrEqual(Number(taskConfig.geodesic_distance) + 1e-4);
    });
  });

  it("the InstanceImageNav reader rejects the published file wherever it is truncated", async () => {
    const packed = readFileSync(join(folder(), "content/wcojb4TFT35.json.gz"));
    for (const share of [0.001, 0.3, 0.6, 0.9, 0.9999]) {
      const part = packed.subarray(0, Math.floor(share * packed.length));
      await expect(load({ path: files.write("cut.json.gz", part) })).rejects.toMatchObject({
        code: "truncated_gzip",
      });
    }
  });
});
