import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { temporaryFolder } from "../../../test/support/cli.js";
import {
  actionOf,
  type LerobotFixture,
  stateOf,
  writeLerobot2,
  writeLerobot3,
} from "../../../test/support/lerobot.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import type { DataError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import type { DatasetSource } from "../format.js";
import { detectFormat } from "../loader.js";
import { lerobotFormat } from "./lerobot.js";

async function load(path: string, more: Partial<DatasetSource> = {}): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of lerobotFormat.episodes({ path, ...more })) episodes.push(one);
  return episodes;
}

const LENGTHS = [4, 6, 5];
const VERSIONS = { "2.1": writeLerobot2, "3.0": writeLerobot3 };

describe.each(Object.entries(VERSIONS))("LeRobot dataset of version %s", (_, write) => {
  const made = (fixture: Partial<LerobotFixture> = {}) =>
    write(join(temporaryFolder(), "cups"), { lengths: LENGTHS, ...fixture });

  it("the LeRobot reader detects the dataset by content", async () => {
    const format = await detectFormat(await made(), createRegistries().formats);
    expect(format.name).toBe("lerobot");
  });

  it("the LeRobot reader reads one episode per demonstration, with its frames as the reference", async () => {
    const episodes = await load(await made());
    expect(episodes.map(({ episodeId }) => episodeId)).toEqual(["0", "1", "2"]);
    for (const [i, episode] of episodes.entries()) {
      const frames = Array.from({ length: LENGTHS[i] ?? 0 }, (_one, frame) => frame);
      expect(episode.referenceData?.trajectory).toEqual({
        qpos: frames.map((frame) => stateOf(i, frame)),
        actions: frames.map((frame) => actionOf(i, frame)),
      });
      expect(episode).toMatchObject({
        taskType: "manipulation",
        sceneId: "cups",
        instruction: { text: ["pick up the cup", "put it down"][i % 2] },
        taskConfig: { robot_type: "arm", fps: 10, frames: LENGTHS[i] },
      });
    }
  });

  it("the LeRobot reader names the values of the dataset features", async () => {
    const [episode] = await load(await made());
    expect(episode?.taskConfig.features).toEqual({
      "observation.state": { dtype: "float32", shape: [3], names: ["a", "b", "c"] },
      action: { dtype: "float32", shape: [2], names: ["x", "y"] },
      "observation.images.top": { dtype: "video", shape: [4, 4, 3] },
    });
  });

  it("the LeRobot reader keeps irregular timestamps", async () => {
    const [first, second] = await load(
      await made({
        edit: (columns, episode) =>
          episode === 1
            ? { ...columns, timestamp: { name: "timestamp", type: "float32", data: UNSTEADY } }
            : columns,
      }),
    );
    expect(first?.referenceData?.trajectory).not.toHaveProperty("timestamps");
    expect(second?.referenceData?.trajectory?.timestamps).toEqual(UNSTEADY);
  });

  it.each<[string, LerobotFixture["edit"], string]>([
    [
      "a number that is not finite",
      replaced("action", [
        [0, 0],
        [0, Number.NaN],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ]),
      "episode 1, frame 1, action: expected finite numbers, got NaN",
    ],
    [
      "a vector of another length",
      replaced("action", [[0, 0], [0, 0], [0], [0, 0], [0, 0], [0, 0]]),
      "episode 1, frame 2, action: expected 2 numbers according to info.json, got 1",
    ],
    [
      "a frame that is out of order",
      replaced("frame_index", [0, 1, 3, 2, 4, 5]),
      "episode 1, frame 2, frame_index: expected 2, got 3",
    ],
    [
      "a frame of another episode",
      replaced("episode_index", [1, 1, 1, 7, 1, 1]),
      "episode 1, frame 3, episode_index: expected 1, got 7",
    ],
    ["an unknown task", replaced("task_index", [1, 1, 9, 1, 1, 1]), "task_index 9"],
  ])("the LeRobot reader rejects %s with episode and frame", async (_what, edit, message) => {
    const path = await made(edit ? { edit } : {});
    await expect(load(path)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      where: expect.stringContaining("parquet"),
    });
    const problems: DataError[] = [];
    const rest = await load(path, { onBadEpisode: (problem) => problems.push(problem) });
    expect(rest.map(({ episodeId }) => episodeId)).toEqual(["0", "2"]);
    expect(problems).toHaveLength(1);
  });

  it("the LeRobot reader rejects a dataset that lists fewer episodes than it declares as cut off", async () => {
    const path = await made({ info: { total_episodes: 4 } });
    await expect(load(path)).rejects.toMatchObject({ code: "truncated_dataset" });
  });

  it("the LeRobot reader rejects missing files unless partial or onBadEpisode is set", async () => {
    const path = await made();
    // The last episode's file, in both versions.
    rmSync(join(path, "data/chunk-000/episode_000002.parquet"), { force: true });
    rmSync(join(path, "data/chunk-000/file-001.parquet"), { force: true });
    await expect(load(path)).rejects.toMatchObject({
      code: "missing_episode_file",
      message: expect.stringContaining("1 of 3 listed episodes"),
    });
    const ids = (episodes: BaseEpisode[]) => episodes.map(({ episodeId }) => episodeId);
    expect(ids(await load(path, { partial: true }))).toEqual(["0", "1"]);
    const problems: DataError[] = [];
    const heard = await load(path, { onBadEpisode: (problem) => problems.push(problem) });
    expect(ids(heard)).toEqual(["0", "1"]);
    expect(problems.map(({ code }) => code)).toEqual(["missing_episode_file"]);
  });

  it("the LeRobot reader always rejects a dataset without any data files", async () => {
    const path = await made();
    rmSync(join(path, "data"), { recursive: true });
    await expect(load(path, { partial: true })).rejects.toMatchObject({
      code: "missing_episode_file",
      hint: expect.stringContaining("download the data folder"),
    });
  });

  it("the LeRobot reader rejects a data path outside the dataset folder", async () => {
    const path = await made({ info: { data_path: "../elsewhere.parquet" } });
    await expect(load(path)).rejects.toMatchObject({
      code: "bad_dataset",
      message: expect.stringContaining("points outside the dataset"),
    });
  });
});

const UNSTEADY = [0, 0.25, 0.5, 1, 1.5, 2];

/** Replaces a column of episode 1, which has six frames. */
function replaced(
  name: string,
  data: readonly (number | readonly number[])[],
): NonNullable<LerobotFixture["edit"]> {
  return (columns, episode) => {
    const column = columns[name];
    return episode === 1 && column ? { ...columns, [name]: { ...column, data } } : columns;
  };
}

describe("LeRobot dataset", () => {
  it("the LeRobot reader rejects an unsupported version", async () => {
    const path = await writeLerobot2(join(temporaryFolder(), "old"), {
      lengths: [2],
      version: "v1.6",
    });
    await expect(load(path)).rejects.toMatchObject({
      code: "unsupported_version",
      where: expect.stringContaining("info.json"),
    });
  });

  it("the LeRobot reader rejects contradictory episode lengths", async () => {
    const path = await writeLerobot2(join(temporaryFolder(), "short"), { lengths: [3] });
    const line = { episode_index: 0, tasks: ["pick up the cup"], length: 4 };
    writeFileSync(join(path, "meta/episodes.jsonl"), JSON.stringify(line));
    await expect(load(path)).rejects.toMatchObject({
      code: "wrong_length",
      message: expect.stringMatching(
        /has 4 frames according to .*episodes\.jsonl, but its file has 3/,
      ),
    });
  });
});

describeWithSharedData("published LeRobot sample", () => {
  it("the published sample has 5 of the 100 episodes that it lists", async () => {
    const path = sharedData("lerobot_v2.1");
    await expect(load(path)).rejects.toMatchObject({
      message: expect.stringContaining(
        "95 of 100 listed episodes is missing, first that of episode 5",
      ),
    });
    const episodes = await load(path, { partial: true });
    const lengths = episodes.map(({ referenceData }) => referenceData?.trajectory?.qpos?.length);
    expect(lengths).toEqual([479, 393, 343, 459, 357]);
    expect(episodes[0]?.instruction.text).toBe("Pick up the yellow bottle on the table.");
    expect(episodes[0]?.taskConfig).toMatchObject({ robot_type: "Unitree_G1_Inspire", fps: 30 });
  });
});
