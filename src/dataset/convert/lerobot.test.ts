import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { temporaryFolder } from "../../../test/support/cli.js";
import { writeLerobot2, writeLerobot3 } from "../../../test/support/lerobot.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { createRegistries } from "../../registry/registries.js";
import { writeNative } from "../formats/native.js";
import { type EpisodeStats, lerobotStats } from "../lerobot/stats.fixture.js";
import { loadEpisodes } from "../loader.js";
import { type ConvertOptions, convertDataset } from "./convert.js";

const { formats } = createRegistries();

async function load(path: string, partial?: boolean): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of loadEpisodes({ path, formats, partial })) episodes.push(one);
  return episodes;
}

async function statsOf(path: string, partial?: boolean): Promise<EpisodeStats[]> {
  const all: EpisodeStats[] = [];
  for await (const one of lerobotStats({ path, partial })) all.push(one);
  return all;
}

const toLerobot = (path: string, out: string, more: Partial<ConvertOptions> = {}) =>
  convertDataset({ path, out, formats, to: "lerobot", ...more });

const read = (...path: readonly string[]) => readFileSync(join(...path), "utf8");
const lines = (text: string): unknown[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** An episode with two joints and three frames. */
function reach(id: string, more: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: id,
    taskType: "manipulation",
    sceneId: "table",
    instruction: { text: "reach" },
    referenceData: {
      trajectory: {
        qpos: [
          [0, 0.5],
          [1, 0.5],
          [2, 0.25],
        ],
        actions: [[1], [1], [0.5]],
      },
    },
    taskConfig: { robot_type: "arm", fps: 50, joint_names: ["lift", "turn"] },
    ...more,
  });
}

async function native(...episodes: readonly BaseEpisode[]): Promise<string> {
  const path = join(temporaryFolder(), "in.json");
  await writeNative(path, episodes);
  return path;
}

describe("conversion to lerobot", () => {
  it("conversion to lerobot writes the data and all meta files", async () => {
    const out = join(temporaryFolder(), "table");
    const other = reach("1", { instruction: { text: "again" } });
    const report = await toLerobot(await native(reach("0"), other, reach("2")), out);
    expect(report).toMatchObject({ written: 3, dropped: [], notes: [] });
    expect(readdirSync(join(out, "meta")).sort()).toEqual([
      "episodes.jsonl",
      "episodes_stats.jsonl",
      "info.json",
      "tasks.jsonl",
    ]);
    expect(JSON.parse(read(out, "meta", "info.json"))).toMatchObject({
      codebase_version: "v2.1",
      robot_type: "arm",
      total_episodes: 3,
      total_frames: 9,
      total_tasks: 2,
      total_chunks: 1,
      fps: 50,
      splits: { train: "0:3" },
      features: {
        "observation.state": { dtype: "float32", shape: [2], names: ["lift", "turn"] },
        action: { dtype: "float32", shape: [1], names: null },
        index: { dtype: "int64", shape: [1] },
      },
    });
    expect(lines(read(out, "meta", "tasks.jsonl"))).toEqual([
      { task_index: 0, task: "reach" },
      { task_index: 1, task: "again" },
    ]);
    expect(lines(read(out, "meta", "episodes.jsonl"))[1]).toEqual({
      episode_index: 1,
      tasks: ["again"],
      length: 3,
    });
    expect(lines(read(out, "meta", "episodes_stats.jsonl"))).toEqual(await statsOf(out));
  });

  it.each([writeLerobot2, writeLerobot3])(
    "conversion to lerobot keeps the demonstrations written by %o",
    async (write) => {
      const path = await write(join(temporaryFolder(), "cups"), { lengths: [3, 5, 2] });
      const out = join(temporaryFolder(), "cups");
      const { dropped } = await toLerobot(path, out);
      expect(dropped).toEqual([
        {
          field: "task_config.features.observation.images.top",
          episodes: 3,
          why: "videos are not copied",
        },
      ]);
      const kept = ({ episodeId, sceneId, instruction, referenceData }: BaseEpisode) => {
        return { episodeId, sceneId, instruction, referenceData };
      };
      expect((await load(out)).map(kept)).toEqual((await load(path)).map(kept));
      expect(await statsOf(out)).toEqual(await statsOf(path));
    },
  );

  it("conversion to lerobot keeps end-effector poses and irregular timestamps", async () => {
    const trajectory = {
      qpos: [
        [0, 1],
        [2, 3],
      ],
      ee_pose: [
        [0, 0, 1, 1, 0, 0, 0],
        [0, 0, 2, 1, 0, 0, 0],
      ],
      timestamps: [0, 0.75],
    };
    const out = join(temporaryFolder(), "table");
    const path = await native(reach("0", { referenceData: { trajectory } }));
    expect((await toLerobot(path, out)).dropped).toEqual([]);
    expect((await load(out))[0]?.referenceData?.trajectory).toEqual(trajectory);
  });

  it("conversion to lerobot reports dropped, renumbered and rounded fields", async () => {
    const odd = reach("first", {
      taskType: "pick_place",
      sceneId: "kitchen",
      startState: { joint_positions: [0, 0] },
      goals: { target_object: "cup" },
      taskConfig: { robot: "arm", colour: "red" },
      referenceData: {
        trajectory: {
          qpos: [
            [0.1, 0],
            [0, 0],
            [1, 1],
          ],
          actions: [[1], [2]],
          forces: [[3], [4]],
        },
      },
    });
    const out = join(temporaryFolder(), "table");
    const report = await toLerobot(await native(odd), out);
    expect(report.dropped.map(({ field }) => field).sort()).toEqual([
      "episode_id",
      "goals.target_object",
      "reference_data.trajectory.forces",
      "reference_data.trajectory.qpos",
      "reference_data.trajectory.qpos[-1]",
      "scene_id",
      "start_state.joint_positions",
      "task_config.colour",
      "task_type",
    ]);
    expect(report.notes).toEqual(["task_config.fps is missing: assumed 20 frames per second"]);
    expect((await load(out))[0]?.taskConfig).toMatchObject({ fps: 20, robot_type: "arm" });
  });

  it.each<[string, Partial<EpisodeInit>, string]>([
    ["without a trajectory", { referenceData: null }, "has no reference_data.trajectory"],
    [
      "with rows that do not match",
      { referenceData: { trajectory: { qpos: [[0, 0]], actions: [[1], [2], [3]] } } },
      "has 1 rows in reference_data.trajectory.qpos, expected 3",
    ],
    [
      "with vectors of another length",
      { referenceData: { trajectory: { qpos: [[0, 0], [1]], actions: [[1], [2]] } } },
      "has 1 numbers in reference_data.trajectory.qpos[1]",
    ],
    ["of another robot", { taskConfig: { robot_type: "dog", fps: 50 } }, 'robot "dog"'],
    ["of another rate", { taskConfig: { robot_type: "arm", fps: 5 } }, "fps 5"],
  ])("conversion to lerobot rejects an episode %s", async (_, change, message) => {
    const folder = temporaryFolder();
    const path = await native(reach("0"), reach("1", change));
    await expect(toLerobot(path, join(folder, "table"))).rejects.toMatchObject({
      code: "not_convertible",
      message: expect.stringContaining(message),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("conversion to lerobot replaces a whole dataset with the option force", async () => {
    const out = join(temporaryFolder(), "table");
    await toLerobot(await native(reach("0"), reach("1")), out);
    const one = await native(reach("0"));
    await expect(toLerobot(one, out)).rejects.toMatchObject({ code: "out_exists" });
    writeFileSync(join(out, "note.txt"), "old");
    await toLerobot(one, out, { force: true });
    expect(await load(out)).toHaveLength(1);
    expect(readdirSync(out).sort()).toEqual(["data", "meta"]);
    expect(readdirSync(join(out, ".."))).toEqual(["table"]);
  });
});

describeWithSharedData("conversion of the published LeRobot sample", () => {
  const published = () => sharedData("lerobot_v2.1");

  it("conversion of the published LeRobot sample requires the option partial for an incomplete dataset and reports the missing episodes", async () => {
    const out = join(temporaryFolder(), "lerobot_v2.1");
    await expect(toLerobot(published(), out)).rejects.toMatchObject({
      code: "missing_episode_file",
    });
    expect(await toLerobot(published(), out, { partial: true })).toMatchObject({
      written: 5,
      left_out: 95,
      dropped: [{ field: "task_config.features.observation.images.cam_high" }],
    });
  });

  it("conversion of the published LeRobot sample preserves frames and statistics", async () => {
    const out = join(temporaryFolder(), "lerobot_v2.1");
    await toLerobot(published(), out, { partial: true });
    expect(await statsOf(out)).toEqual(await statsOf(published(), true));
    const trajectories = (episodes: BaseEpisode[]) => episodes.map((one) => one.referenceData);
    expect(trajectories(await load(out))).toEqual(trajectories(await load(published(), true)));
  });
});
