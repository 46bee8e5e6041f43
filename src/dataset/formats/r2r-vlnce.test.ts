import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { distance3 } from "../../core/math/vec3.js";
import type { DatasetSource } from "../format.js";
import { r2rVlnceFormat } from "./r2r-vlnce.js";

const root = mkdtempSync(join(tmpdir(), "robot-eval-vlnce-"));
afterAll(() => rmSync(root, { recursive: true }));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
});

function write(name: string, value: unknown): string {
  const path = join(folder, name);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

async function load(source: DatasetSource): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of r2rVlnceFormat.episodes(source)) episodes.push(episode);
  return episodes;
}

const raw = {
  episode_id: 37,
  trajectory_id: 4,
  scene_id: "data/scene_datasets/mp3d/abc/abc.glb",
  start_position: [1, 0, 2],
  start_rotation: [0, 1, 0, 0],
  info: { geodesic_distance: 10.5 },
  goals: [{ position: [5, 0, 2], radius: 3 }],
  instruction: { instruction_text: "Go on.", instruction_tokens: [12, 9, 0, 0] },
  reference_path: [
    [1, 0, 2],
    [5, 0, 2],
  ],
};
const document = (...episodes: unknown[]) => ({ episodes, instruction_vocab: { word_list: [] } });
const truth = {
  "37": {
    locations: [
      [1, 0, 2],
      [1.25, 0, 2],
      [1.5, 0, 2],
    ],
    actions: [2, 1, 1, 3, 0],
    forward_steps: 2,
  },
};

describe("R2R-CE file", () => {
  it("the R2R-CE reader reads episodes with text ids and scenes without the folder prefix", async () => {
    const [episode] = await load({ path: write("val.json.gz", document(raw)) });
    expect(episode?.toDict()).toEqual({
      episode_id: "37",
      task_type: "vln",
      scene_id: "mp3d/abc/abc.glb",
      start_state: { position: [1, 0, 2], rotation: [0, 1, 0, 0] },
      goals: { position: [5, 0, 2], radius: 3 },
      instruction: { text: "Go on.", tokens: [12, 9, 0, 0] },
      reference_data: { path: raw.reference_path },
      task_config: { trajectory_id: 4, geodesic_distance: 10.5 },
      sim_params: {},
    });
  });

  it("the R2R-CE reader reads its ground truth from the file beside it, gzipped or not", async () => {
    for (const name of ["val_gt.json", "val_gt.json.gz"]) {
      folder = mkdtempSync(join(root, "gt-"));
      write(name, truth);
      const [episode] = await load({ path: write("val.json.gz", document(raw)) });
      expect(episode?.referenceData?.dense_path).toEqual(truth["37"].locations);
      expect(episode?.referenceData?.path).toEqual(raw.reference_path);
      expect(episode?.taskConfig.gt_actions).toEqual([
        "turn_left",
        "move_forward",
        "move_forward",
        "turn_right",
        "stop",
      ]);
    }
  });

  it("the R2R-CE reader reads its ground truth from the given file", async () => {
    const path = write("val.json", document(raw));
    const [episode] = await load({ path, gtPath: write("other.json", truth) });
    expect(episode?.referenceData?.dense_path).toHaveLength(3);
    await expect(load({ path, gtPath: join(folder, "no.json") })).rejects.toMatchObject({
      code: "missing_file",
    });
  });

  it("the R2R-CE reader rejects a ground truth that lacks an episode", async () => {
    write("val_gt.json", truth);
    const path = write("val.json", document(raw, { ...raw, episode_id: 38 }));
    await expect(load({ path })).rejects.toMatchObject({
      code: "missing_ground_truth",
      message: expect.stringContaining("episode 38"),
    });
  });

  it("the R2R-CE reader rejects an invalid ground truth", async () => {
    const path = write("val.json", document(raw));
    write("val_gt.json", { "37": { ...truth["37"], actions: [1, 9] } });
    await expect(load({ path })).rejects.toMatchObject({
      message: expect.stringContaining("episode 37, actions[1]: 9 is not an action"),
      where: expect.stringContaining("val_gt.json"),
    });
    write("val_gt.json", { "37": { locations: [[1, 2]], actions: [] } });
    await expect(load({ path })).rejects.toMatchObject({
      message: expect.stringContaining("episode 37, locations.0"),
    });
    write("val_gt.json", []);
    await expect(load({ path })).rejects.toMatchObject({ code: "bad_dataset" });
  });

  it("an episode of the test split has neither goals nor path", async () => {
    const { goals: _goals, reference_path: _path, info: _info, ...test } = raw;
    const [episode] = await load({ path: write("test.json", document(test)) });
    expect(episode).toMatchObject({ goals: {}, referenceData: null });
  });

  it("the R2R-CE reader accepts several alternative goals", async () => {
    const goals = [...raw.goals, { position: [7, 0, 2], radius: 3 }];
    const [episode] = await load({ path: write("val.json", document({ ...raw, goals })) });
    expect(episode?.goals).toEqual({
      position: [5, 0, 2],
      radius: 3,
      positions: [
        [5, 0, 2],
        [7, 0, 2],
      ],
    });
  });

  it("the R2R-CE reader accepts Infinity, as Python writes it, for an unreachable goal", async () => {
    const text = JSON.stringify(document(raw)).replace("10.5", "Infinity");
    const [episode] = await load({ path: write("val.json", text) });
    expect(episode?.taskConfig.geodesic_distance).toBe(Number.POSITIVE_INFINITY);
  });

  it("the R2R-CE reader rejects a position that is NaN", async () => {
    const text = JSON.stringify(document(raw)).replace("[1,0,2]", "[1,NaN,2]");
    await expect(load({ path: write("val.json", text) })).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringMatching(/episode 37, start_position\.1: .*got NaN/),
    });
  });

  it.each([
    ["three numbers", [0, 1, 0]],
    ["a length that is not 1", [0, 1, 1, 0]],
    ["text", "north"],
  ])("the R2R-CE reader rejects a rotation with %s", async (_, start_rotation) => {
    const path = write("val.json", document(raw, { ...raw, episode_id: 38, start_rotation }));
    await expect(load({ path })).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringContaining("episode 38, start_rotation"),
      where: `${path}, episodes[1]`,
    });
  });

  it("the R2R-CE reader rejects episodes that are not a list with a short summary", async () => {
    const path = write("val.json", { episodes: { "1": raw } });
    await expect(load({ path })).rejects.toMatchObject({
      code: "bad_dataset",
      message: expect.stringContaining('an object with the keys ["1"]'),
    });
  });
});

describeWithSharedData("published val_seen", () => {
  it("the published val_seen has 778 episodes, each with ground truth", async () => {
    const episodes = await load({ path: sharedData("r2r_vlnce/v1-3/val_seen/val_seen.json.gz") });
    expect(episodes).toHaveLength(778);
    for (const { startState, goals, referenceData, taskConfig } of episodes) {
      const start = startState.position ?? [0, 0, 0];
      // The expert starts at the episode's start and comes near the goal.
      const dense = referenceData?.dense_path ?? [];
      expect(distance3(dense[0] ?? [9, 9, 9], start)).toBeLessThan(0.01);
      expect(distance3(dense.at(-1) ?? [9, 9, 9], goals.position ?? [0, 0, 0])).toBeLessThan(3);
      expect(taskConfig.gt_actions).toEqual(expect.arrayContaining(["stop"]));
    }
  });
});
