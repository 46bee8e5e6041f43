import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { temporaryFolder } from "../../../test/support/cli.js";
import { writeLerobot2 } from "../../../test/support/lerobot.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { createRegistries } from "../../registry/registries.js";
import { writeNative } from "../formats/native.js";
import { loadEpisodes } from "../loader.js";
import { type ConvertOptions, convertDataset } from "./convert.js";

const { formats } = createRegistries();

async function load(path: string, partial?: boolean): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of loadEpisodes({ path, formats, partial })) episodes.push(one);
  return episodes;
}

type Options = Pick<ConvertOptions, "path" | "to" | "out"> & Partial<ConvertOptions>;
const convert = (options: Options) => convertDataset({ formats, ...options });

function walk(id: string, more: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: id,
    taskType: "vln",
    sceneId: "mp3d/abc/abc.glb",
    startState: { position: [0, 0.1, -2], rotation: [0, 0, 0, 1] },
    goals: { position: [1, 0, 1], radius: 3 },
    instruction: { text: "Walk on.", tokens: [4, 2, 0] },
    referenceData: {
      path: [
        [0, 0.1, -2],
        [1, 0, 1],
      ],
      dense_path: [
        [0, 0.1, -2],
        [0.5, 0, 0],
        [1, 0, 1],
      ],
    },
    taskConfig: {
      trajectory_id: 11,
      geodesic_distance: 3.2,
      gt_actions: ["move_forward", "turn_left", "turn_right", "stop"],
    },
    ...more,
  });
}

async function native(...episodes: readonly BaseEpisode[]): Promise<string> {
  const path = join(temporaryFolder(), "in.json");
  await writeNative(path, episodes);
  return path;
}

const namesIn = (path: string) => readdirSync(dirname(path)).sort();

describe("conversion to r2r-vlnce", () => {
  it.each(["val.json", "val.json.gz"])(
    "conversion to r2r-vlnce keeps all fields that %s can store",
    async (name) => {
      const goals = {
        position: [1, 0, 1],
        positions: [
          [1, 0, 1],
          [2, 0, 2],
        ],
        radius: 3,
      } as const;
      const episodes = [walk("7"), walk("008"), walk("x-9", { goals })];
      const out = join(temporaryFolder(), name);
      const report = await convert({ path: await native(...episodes), to: "r2r-vlnce", out });
      expect(report).toMatchObject({ written: 3, left_out: 0, dropped: [], to: "r2r-vlnce" });
      expect(await load(out)).toEqual(episodes);
      expect(namesIn(out)).toEqual([name, name.replace("val", "val_gt")].sort());
      expect(report.notes).toEqual([expect.stringContaining("instruction_vocab")]);
    },
  );

  it("conversion to r2r-vlnce reports each dropped field with the number of episodes and the reason", async () => {
    const odd = walk("2", {
      taskType: "objectnav",
      startState: { position: [0, 0, 0], rotation: [0, 0, 0, 1], node: "a" },
      goals: { position: [1, 0, 1], view_points: [[1, 0, 1]] },
      taskConfig: { geodesic_distance: Number.POSITIVE_INFINITY, colour: "red" },
      simParams: { max_steps: 5 },
    });
    const out = join(temporaryFolder(), "val.json");
    const path = await native(walk("1", { simParams: { max_steps: 5 } }), odd);
    const { dropped } = await convert({ path, to: "r2r-vlnce", out });
    expect(dropped).toEqual(
      [
        ["sim_params.max_steps", 2],
        ["task_type", 1],
        ["start_state.node", 1],
        ["goals.view_points", 1],
        ["task_config.colour", 1],
      ].map(([field, episodes]) => ({ field, episodes, why: expect.any(String) })),
    );
    expect(await load(out)).toHaveLength(2);
  });

  it("conversion to r2r-vlnce drops dense paths that only some episodes have", async () => {
    const without = walk("2", { referenceData: { path: [[0, 0, 0]] }, taskConfig: {} });
    const out = join(temporaryFolder(), "val.json");
    const report = await convert({ path: await native(walk("1"), without), to: "r2r-vlnce", out });
    expect(report.dropped).toMatchObject([{ field: "reference_data.dense_path", episodes: 1 }]);
    expect(namesIn(out)).toEqual(["val.json"]);
    expect((await load(out))[0]?.referenceData).not.toHaveProperty("dense_path.0");
  });

  it("conversion to r2r-vlnce rejects manipulation episodes and writes nothing", async () => {
    const pick = walk("2", { taskType: "pick_place", startState: { joint_positions: [0] } });
    const out = join(temporaryFolder(), "val.json");
    const path = await native(walk("1"), pick);
    await expect(convert({ path, to: "r2r-vlnce", out })).rejects.toMatchObject({
      code: "not_convertible",
      message: expect.stringContaining("episode 2 (pick_place) is manipulation"),
      hint: expect.stringContaining("lerobot"),
    });
    expect(namesIn(out)).toEqual([]);
  });

  it.each<[string, Partial<EpisodeInit>]>([
    ["start_state.position", { startState: { rotation: [0, 0, 0, 1] } }],
    ["start_state.rotation", { startState: { position: [0, 0, 0] } }],
    ["instruction.text", { instruction: {} }],
  ])("conversion to r2r-vlnce rejects an episode without %s", async (field, change) => {
    const path = await native(walk("1", change));
    const out = join(temporaryFolder(), "val.json");
    await expect(convert({ path, to: "r2r-vlnce", out })).rejects.toMatchObject({
      message: expect.stringContaining(`has no ${field}`),
    });
  });

  it("conversion to r2r-vlnce rejects an id that two scenes share", async () => {
    const path = await native(walk("1"), walk("1", { sceneId: "other" }));
    const out = join(temporaryFolder(), "val.json");
    await expect(convert({ path, to: "r2r-vlnce", out })).rejects.toMatchObject({
      message: expect.stringContaining("occurs in two scenes"),
    });
  });

  it("conversion to r2r-vlnce removes an older ground-truth file beside the new dataset", async () => {
    const out = join(temporaryFolder(), "val.json");
    const stale = out.replace("val.json", "val_gt.json.gz");
    writeFileSync(stale, "old");
    const bare = { referenceData: null, taskConfig: {} };
    const path = await native(walk("1", bare));
    await expect(convert({ path, to: "r2r-vlnce", out })).rejects.toMatchObject({
      code: "out_exists",
      where: stale,
    });
    await convert({ path, to: "r2r-vlnce", out, force: true });
    expect(namesIn(out)).toEqual(["val.json"]);
  });
});

describe("conversion to native", () => {
  it.each(["out.json", "out.jsonl.gz"])(
    "conversion to native keeps everything in %s",
    async (name) => {
      const extra = { colour: "red", objects: [{ name: "cup" }] };
      const episodes = [walk("1"), walk("2", { taskType: "opening", taskConfig: extra })];
      const out = join(temporaryFolder(), "new", "folder", name);
      const report = await convert({ path: await native(...episodes), to: "native", out });
      expect(report).toMatchObject({ written: 2, dropped: [], notes: [] });
      expect(await load(out)).toEqual(episodes);
    },
  );

  it("conversion to native reports numbers that JSON cannot represent", async () => {
    const path = join(temporaryFolder(), "in.json");
    const dict = JSON.stringify(walk("1").toDict()).replace("3.2", "Infinity");
    writeFileSync(path, `[${dict}]`);
    const out = join(temporaryFolder(), "out.json");
    const { dropped } = await convert({ path, to: "native", out });
    expect(dropped).toMatchObject([{ field: "task_config.geodesic_distance", episodes: 1 }]);
  });
});

describe("convertDataset", () => {
  it("convertDataset replaces nothing without the option force", async () => {
    const out = join(temporaryFolder(), "out.json");
    writeFileSync(out, "precious");
    const path = await native(walk("1"));
    await expect(convert({ path, to: "native", out })).rejects.toMatchObject({
      code: "out_exists",
      where: out,
      hint: expect.stringContaining("--force"),
    });
    expect(readFileSync(out, "utf8")).toBe("precious");
    await convert({ path, to: "native", out, force: true });
    expect(await load(out)).toHaveLength(1);
  });

  it("convertDataset leaves existing files unchanged and no temporary files if the input is invalid", async () => {
    const out = join(temporaryFolder(), "out.json");
    writeFileSync(out, "precious");
    const path = join(temporaryFolder(), "in.json");
    const good = JSON.stringify(walk("1").toDict());
    writeFileSync(path, `{"episodes": [${good}, {"episode_id": "2"}]}`);
    const options = { path, to: "native", out, force: true };
    await expect(convert(options)).rejects.toMatchObject({ code: "bad_episode" });
    expect(readFileSync(out, "utf8")).toBe("precious");
    expect(namesIn(out)).toEqual(["out.json"]);
  });

  it("convertDataset never overwrites its input", async () => {
    const path = await native(walk("1"));
    const options = { path, to: "native", out: path, force: true };
    await expect(convert(options)).rejects.toMatchObject({ code: "out_is_input" });
    const split = join(temporaryFolder(), "val.json");
    await convert({ path, to: "r2r-vlnce", out: split });
    // Writing the gzipped ground truth would delete the input's own.
    const packed = { path: split, to: "r2r-vlnce", out: `${split}.gz`, force: true };
    await expect(convert(packed)).rejects.toMatchObject({ code: "out_is_input" });
    const cups = await writeLerobot2(join(temporaryFolder(), "cups"), { lengths: [2] });
    const around = { path: cups, to: "lerobot", out: dirname(cups), force: true };
    await expect(convert(around)).rejects.toMatchObject({ code: "out_is_input" });
  });

  it("convertDataset does not replace a folder of another format, even with the option force", async () => {
    const out = join(temporaryFolder(), "home");
    mkdirSync(out);
    writeFileSync(join(out, "thesis.tex"), "precious");
    const cups = await writeLerobot2(join(temporaryFolder(), "cups"), { lengths: [2] });
    for (const [path, to] of [
      [cups, "lerobot"],
      [await native(walk("1")), "native"],
    ] as const) {
      const name = to === "native" ? join(dirname(out), "dir.json") : out;
      if (name !== out) mkdirSync(name);
      const options = { path, to, out: name, force: true };
      await expect(convert(options)).rejects.toMatchObject({ code: "out_is_foreign" });
    }
    expect(existsSync(join(out, "thesis.tex"))).toBe(true);
  });

  it("convertDataset rejects an output name that does not fit the format", async () => {
    const path = await native(walk("1"));
    for (const to of ["native", "r2r-vlnce"]) {
      const out = join(temporaryFolder(), "out.txt");
      await expect(convert({ path, to, out })).rejects.toMatchObject({ code: "bad_out" });
    }
  });

  it("convertDataset rejects unknown target formats", async () => {
    const options = { path: await native(walk("1")), to: "lerobt", out: "x" };
    await expect(convert(options)).rejects.toMatchObject({
      code: "unknown_target",
      hint: expect.stringContaining('did you mean "lerobot"?'),
    });
  });

  it("convertDataset writes nothing if interrupted", async () => {
    const out = join(temporaryFolder(), "out.json");
    const signal = AbortSignal.abort();
    const path = await native(walk("1"));
    await expect(convert({ path, to: "native", out, signal })).rejects.toMatchObject({
      code: "interrupted",
      exitCode: 130,
    });
    expect(namesIn(out)).toEqual([]);
  });
});

describeWithSharedData("published datasets", () => {
  it("conversion round-trips R2R-CE val_seen through native and through r2r-vlnce", async () => {
    const path = sharedData("r2r_vlnce/v1-3/val_seen/val_seen.json.gz");
    const episodes = await load(path);
    expect(episodes).toHaveLength(778);
    const folder = temporaryFolder();
    const out = join(folder, "val_seen.jsonl.gz");
    expect(await convert({ path, to: "native", out })).toMatchObject({ written: 778, dropped: [] });
    expect((await load(out)).map(asJson)).toEqual(episodes.map(asJson));
    const again = join(folder, "val_seen.json.gz");
    const report = await convert({ path: out, to: "r2r-vlnce", out: again });
    expect(report).toMatchObject({ written: 778, dropped: [] });
    expect((await load(again)).map(asJson)).toEqual(episodes.map(asJson));
  });
});

/** Drops the sign of -0, which the published file has in rotations and JSON.stringify does not write. */
function asJson(episode: BaseEpisode): unknown {
  return JSON.parse(JSON.stringify(episode.toDict()));
}
