import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { decodeImage } from "../../api/codec/image.js";
import { loadConfig } from "../../config/load.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import type { Agent, AgentFactory } from "../../core/interfaces/agent.js";
import { lerobotStats } from "../../dataset/lerobot/stats.fixture.js";
import { loadEpisodes } from "../../dataset/loader.js";
import { createRegistries } from "../../registry/registries.js";
import { collectDemonstrations } from "./collect.js";
import type { CollectOptions } from "./options.js";
import {
  makeRooms,
  ROOMS_EPISODES,
  ROOMS_SENSORS,
  type Rooms,
  roomsEpisode,
} from "./rooms.fixture.js";

function collect({ yaml, out, registries }: Rooms, options: Partial<CollectOptions> = {}) {
  return collectDemonstrations(loadConfig(yaml), {
    registries: registries(),
    agent: "shortest-path",
    to: "lerobot",
    lerobotVersion: "2.1",
    out,
    ...options,
  });
}

const json = (...path: readonly string[]) => JSON.parse(readFileSync(join(...path), "utf8"));
const lines = (...path: readonly string[]): unknown[] =>
  readFileSync(join(...path), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

type Row = Readonly<Record<string, { readonly bytes: Uint8Array; readonly path: string }>> &
  Readonly<Record<"action" | "observation.state", readonly number[]>>;

async function rows(out: string, episode = 0): Promise<Row[]> {
  const name = `data/chunk-000/episode_${String(episode).padStart(6, "0")}.parquet`;
  return rowsOf(out, name);
}

async function rowsOf(out: string, name: string): Promise<Row[]> {
  const file = await asyncBufferFromFile(join(out, name));
  return (await parquetReadObjects({ file, utf8: false })) as unknown as Row[];
}

/** The episodes as our loader reads them, without the folder's name. */
async function readBack(path: string) {
  const { formats } = createRegistries();
  const episodes = [];
  for await (const { episodeId, instruction, referenceData } of loadEpisodes({ path, formats })) {
    episodes.push({ episodeId, instruction, referenceData });
  }
  return episodes;
}

describe("a LeRobot 3.0 dataset", () => {
  it("a LeRobot 3.0 dataset is the default, and has the frames, images and statistics of version 2.1", async () => {
    const [old, now] = [makeRooms(), makeRooms()];
    const before = await collect(old, { keep: "all" });
    const report = await collect(now, { keep: "all", lerobotVersion: undefined });
    expect(json(now.out, "meta/info.json")).toMatchObject({
      codebase_version: "v3.0",
      total_episodes: before.episodes,
      total_frames: before.frames,
      data_path: "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
      features: json(old.out, "meta/info.json").features,
    });
    expect(report.frames).toBe(before.frames);
    expect(await readBack(now.out)).toEqual(await readBack(old.out));
    const all: Row[] = [];
    for (let episode = 0; episode < before.episodes; episode++) {
      all.push(...(await rows(old.out, episode)));
    }
    expect(await rowsOf(now.out, "data/chunk-000/file-000.parquet")).toEqual(all);
    const stats = json(now.out, "meta/stats.json");
    expect(Object.keys(stats)).toEqual(Object.keys(json(now.out, "meta/info.json").features));
    expect(stats.index).toMatchObject({ min: [0], max: [before.frames - 1] });
    expect(stats["observation.images.rgb"].mean).toHaveLength(3);
  });
});

/** Registers a custom agent next to the built-in ones. */
function withAgent(rooms: Rooms, agent: Agent, more: Partial<AgentFactory> = {}) {
  const registries = rooms.registries();
  registries.agents.register("mine", { description: "", create: () => agent, ...more });
  return { registries, agent: "mine" };
}

describe("collectDemonstrations", () => {
  it("collectDemonstrations writes observations and actions frame by frame", async () => {
    const rooms = makeRooms();
    const report = await collect(rooms);
    expect(report).toMatchObject({
      benchmark: "two rooms",
      agent: "shortest-path",
      episodes: 3,
      fps: 4,
      left_out: { success: 0, failure: 0, invalid: 0 },
      features: ["observation.images.rgb", "observation.state", "action", "discrete_action"],
    });
    expect(json(rooms.out, "meta/info.json")).toMatchObject({
      robot_type: "robot-eval rooms agent",
      total_episodes: 3,
      total_frames: report.frames,
      total_tasks: 2,
      features: {
        "observation.images.rgb": {
          dtype: "image",
          shape: [24, 32, 3],
          names: ["height", "width", "channel"],
        },
        "observation.state": { shape: [4], names: ["gps_x", "gps_y", "gps_z", "compass"] },
        action: { dtype: "float32", names: ["stop", "move_forward", "turn_left", "turn_right"] },
        discrete_action: { dtype: "int64", shape: [1] },
      },
    });
    const frames = await rows(rooms.out, 1);
    // Two metres ahead, of which half a metre is left.
    expect(frames.map(({ discrete_action }) => Number(discrete_action))).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 0,
    ]);
    expect(frames[3]?.["observation.state"]).toEqual([0, 0, -0.75, 0]);
    expect(frames[3]?.action).toEqual([0, 1, 0, 0]);
    const picture = frames[3]?.["observation.images.rgb"];
    expect(picture?.path).toBe("frame_000003.png");
    expect(await decodeImage(picture?.bytes ?? new Uint8Array(), "rgb")).toMatchObject({
      width: 32,
      height: 24,
    });
    // Nearly every step shows something new, even at this size.
    const seen = new Set(frames.map((row) => row["observation.images.rgb"]?.bytes.join()));
    expect(seen.size).toBeGreaterThan(frames.length / 2);
  });

  it("collectDemonstrations writes a dataset that the lerobot loader reads, with statistics of its numbers", async () => {
    const rooms = makeRooms();
    const { frames } = await collect(rooms, { depth: true });
    const episodes: BaseEpisode[] = [];
    const { formats } = createRegistries();
    for await (const one of loadEpisodes({ path: rooms.out, formats })) episodes.push(one);
    expect(episodes.map(({ instruction }) => instruction.text)).toEqual([
      "Go through the door.",
      "Go ahead.",
      "Go through the door.",
    ]);
    const trajectories = episodes.map(({ referenceData }) => referenceData?.trajectory);
    expect(trajectories.map((one) => one?.actions?.length).reduce((a = 0, b = 0) => a + b)).toBe(
      frames,
    );
    expect(trajectories[1]?.qpos?.at(-1)).toEqual([0, 0, -2, 0]);
    expect(episodes[0]?.taskConfig.features).toHaveProperty(["observation.images.rgb"]);
    const written = lines(rooms.out, "meta/episodes_stats.jsonl");
    let i = 0;
    for await (const computed of lerobotStats({ path: rooms.out })) {
      expect(written[i++]).toMatchObject(computed);
    }
    expect(written[0]).toMatchObject({
      stats: {
        "observation.images.rgb": {
          mean: [[[expect.any(Number)]], [[expect.any(Number)]], [[expect.any(Number)]]],
        },
        "observation.depth.depth": { max: [[[expect.any(Number)]]] },
      },
    });
  });

  it("collectDemonstrations records the origin of the episodes, and writes the same files for the same seed", async () => {
    const rooms = makeRooms();
    await collect(rooms, { limit: 2 });
    const provenance = json(rooms.out, "meta/robot_eval.json");
    expect(provenance).toMatchObject({
      format: "robot-eval-collection/1",
      benchmark: { name: "two rooms", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      agent: "shortest-path",
      seed: 0,
      selection: { limit: 2 },
      keep: "success",
      episodes: [
        { episode_index: 0, episode_key: "vln/rooms.obj/through the door", outcome: "success" },
        { episode_index: 1, metrics: { success: 1 }, steps: 9 },
      ],
      left_out: [],
    });
    const again = { ...rooms, out: join(rooms.root, "again") };
    await collect(again, { limit: 2 });
    for (const name of readdirSync(rooms.out, { recursive: true, encoding: "utf8" })) {
      if (!/\.\w+$/.test(name)) continue;
      expect(readFileSync(join(again.out, name))).toEqual(readFileSync(join(rooms.out, name)));
    }
  });

  it("collectDemonstrations writes depth as 16-bit PNG in millimetres if requested", async () => {
    const rooms = makeRooms();
    const { features } = await collect(rooms, { depth: true, limit: 1 });
    expect(features.slice(0, 2)).toEqual(["observation.images.rgb", "observation.depth.depth"]);
    const [first] = await rows(rooms.out);
    const depth = await decodeImage(
      first?.["observation.depth.depth"]?.bytes ?? new Uint8Array(),
      "depth",
    );
    expect(depth).toMatchObject({ width: 32, height: 24 });
    expect(json(rooms.out, "meta/info.json").features["observation.depth.depth"].shape).toEqual([
      24, 32, 1,
    ]);
    const [stats] = lines(rooms.out, "meta/episodes_stats.jsonl") as {
      readonly stats: Readonly<Record<string, { readonly max: readonly [[[number]]] }>>;
    }[];
    expect(stats?.stats["observation.depth.depth"]?.max[0][0][0]).toBeGreaterThan(
      1000 * Math.max(...(depth.data as Float32Array)) - 1,
    );
  });

  it("collectDemonstrations leaves out failures by default", async () => {
    const far = [...ROOMS_EPISODES, roomsEpisode("far", [-3, 0, -2], [3, 0, -2])];
    const rooms = makeRooms({ episodes: far, task: { max_steps: 30 } });
    const report = await collect(rooms);
    expect(report.episodes + report.left_out.failure).toBe(4);
    expect(report.left_out.failure).toBeGreaterThan(0);
    expect(json(rooms.out, "meta/robot_eval.json").left_out[0]).toMatchObject({
      outcome: "failure",
      end_reason: "max_steps",
    });
    const all = await collect(rooms, { keep: "all", force: true });
    expect(all).toMatchObject({ episodes: 4, left_out: { failure: 0 } });
  });

  it("collectDemonstrations never writes invalid episodes, and reports why they are invalid", async () => {
    const off = roomsEpisode("off", [50, 0, 0], [1.5, 0, 1]);
    const rooms = makeRooms({ episodes: [off, ...ROOMS_EPISODES] });
    const { episodes, left_out, notes } = await collect(rooms, { keep: "all" });
    expect({ episodes, left_out }).toEqual({
      episodes: 3,
      left_out: { success: 0, failure: 0, invalid: 1 },
    });
    expect(notes).toContainEqual(expect.stringContaining("vln/rooms.obj/off"));
  });

  it("collectDemonstrations collects without cameras and reports that frames have no images", async () => {
    const rooms = makeRooms({ sensors: { gps: {}, heading: {}, compass: false } });
    const { features, notes } = await collect(rooms, { limit: 1 });
    expect(features).toEqual(["observation.state", "action", "discrete_action"]);
    expect(notes).toEqual([
      expect.stringContaining("4 frames per second"),
      expect.stringContaining("no rgb camera"),
    ]);
    expect(json(rooms.out, "meta/info.json").features["observation.state"].names).toEqual([
      "gps_x",
      "gps_y",
      "gps_z",
      "heading",
    ]);
  });

  it("collectDemonstrations writes the dataset with the given frame rate", async () => {
    const rooms = makeRooms();
    const { fps, notes } = await collect(rooms, { limit: 1, fps: 10 });
    expect({ fps, notes }).toEqual({ fps: 10, notes: [] });
    expect(Number((await rows(rooms.out))[3]?.timestamp)).toBeCloseTo(0.3, 6);
  });
});

describe("task text of a demonstration", () => {
  const from = [-2, 0, 2] as const;

  it("the task text of objectnav names the category to find", async () => {
    const episode = roomsEpisode("1", [...from], [-2, 0, 0], {
      task_type: "objectnav",
      instruction: {},
      goals: { object_category: "chair", position: [-2, 0, 0] },
    });
    const rooms = makeRooms({ type: "objectnav", episodes: [episode] });
    await collect(rooms);
    expect(lines(rooms.out, "meta/tasks.jsonl")).toEqual([{ task_index: 0, task: "find a chair" }]);
  });

  it("frames of image_nav have the goal image, which is stored once", async () => {
    const episode = roomsEpisode("1", [...from], [-2, 0, 0], {
      task_type: "image_nav",
      instruction: {},
    });
    const sensors = { ...ROOMS_SENSORS, imagegoal: { width: 32, height: 24 } };
    const rooms = makeRooms({ type: "image_nav", episodes: [episode], sensors });
    const shown = await collect(rooms);
    expect(shown.features).toContain("observation.images.goal");
    const goals = (await rows(rooms.out)).map((row) => row["observation.images.goal"]);
    expect(new Set(goals.map((goal) => goal?.bytes.join())).size).toBe(1);
    expect(lines(rooms.out, "meta/tasks.jsonl")).toEqual([{ task_index: 0, task: "image_nav" }]);
    const hidden = await collect(rooms, { goalImage: false, force: true });
    expect(hidden.features).not.toContain("observation.images.goal");
    const cost = (goals[0]?.bytes.length ?? 0) + 2000;
    expect(shown.bytes - hidden.bytes).toBeLessThan(cost + 100 * goals.length);
  });
});

describe("collectDemonstrations with invalid input", () => {
  /** Neither the dataset nor its temporary folder. */
  const left = ({ out }: Rooms) => (existsSync(dirname(out)) ? readdirSync(dirname(out)) : []);

  it.each<[string, Partial<CollectOptions>, string, string]>([
    ["an unknown format", { to: "rlds" }, "unknown_target", "valid: lerobot"],
    ["an unknown value of keep", { keep: "some" }, "bad_keep", "valid: success, all"],
    ["a frame rate of 0", { fps: 0 }, "bad_fps", "above 0"],
  ])(
    "collectDemonstrations rejects %s and names the valid values",
    async (_, options, code, hint) => {
      const rooms = makeRooms();
      await expect(collect(rooms, options)).rejects.toMatchObject({
        code,
        hint: expect.stringContaining(hint),
      });
      expect(left(rooms)).toEqual([]);
    },
  );

  it("collectDemonstrations rejects an output that already exists", async () => {
    const rooms = makeRooms();
    mkdirSync(rooms.out, { recursive: true });
    writeFileSync(join(rooms.out, "thesis.txt"), "");
    await expect(collect(rooms)).rejects.toMatchObject({ code: "out_exists" });
    await expect(collect(rooms, { force: true })).rejects.toMatchObject({ code: "out_is_foreign" });
    expect(readdirSync(join(rooms.root, "out"))).toEqual(["set"]);
  });

  it("collectDemonstrations rejects a collection in which the agent never succeeds", async () => {
    const rooms = makeRooms();
    const stops = withAgent(rooms, { reset: () => {}, act: () => "stop" });
    await expect(collect(rooms, stops)).rejects.toMatchObject({
      code: "nothing_collected",
      exitCode: 2,
      message: expect.stringContaining("3 episodes failed"),
      hint: expect.stringContaining("--keep all"),
    });
    expect(left(rooms)).toEqual([]);
    expect(await collect(rooms, { ...stops, keep: "all" })).toMatchObject({ frames: 3 });
  });

  it("an episode that ends with an invalid action keeps the frames before it", async () => {
    let turns = 0;
    const wrong = { reset: () => {}, act: () => (++turns < 3 ? "turn_left" : "fly") };
    const rooms = makeRooms({ episodes: ROOMS_EPISODES.slice(0, 1) });
    const report = await collect(rooms, { ...withAgent(rooms, wrong), keep: "all" });
    expect(report).toMatchObject({ episodes: 1, frames: 2 });
  });

  it("collectDemonstrations writes nothing if it is interrupted", async () => {
    const rooms = makeRooms();
    const stop = new AbortController();
    const agent = {
      reset: () => {},
      act: () => {
        stop.abort();
        return "move_forward";
      },
    };
    const options = { ...withAgent(rooms, agent), signal: stop.signal, keep: "all" };
    await expect(collect(rooms, options)).rejects.toMatchObject({
      code: "interrupted",
      exitCode: 130,
    });
    expect(left(rooms)).toEqual([]);
  });

  it("collectDemonstrations rejects two tasks with different actions in one dataset", async () => {
    const chair = roomsEpisode("chair", [-2, 0, 2], [-2, 0, 0], { task_type: "objectnav" });
    const both = makeRooms({
      episodes: [...ROOMS_EPISODES, chair],
      more: {
        dataset: {
          vln: { type: "vln", data_path: "episodes.json" },
          objectnav: { type: "objectnav", data_path: "episodes.json" },
        },
        objectnav_task: { type: "objectnav", config: {} },
      },
    });
    await expect(collect(both)).rejects.toMatchObject({ code: "mixed_actions" });
    expect(left(both)).toEqual([]);
  });
});

describe("recorded agent", () => {
  it("a recorded agent gets the same privileged state and the same calls as without the recorder", async () => {
    const rooms = makeRooms();
    let [privileged, asked] = [false, 0];
    const agent: Agent = {
      reset: (episode) => {
        privileged = episode.privileged !== undefined;
      },
      act: () => {
        asked++;
        return "stop";
      },
    };
    await collect(rooms, { ...withAgent(rooms, agent, { privileged: true }), keep: "all" });
    expect({ privileged, asked }).toEqual({ privileged: true, asked: 3 });
    await collect(rooms, { ...withAgent(rooms, agent), keep: "all", force: true });
    expect(privileged).toBe(false);
  });
});
