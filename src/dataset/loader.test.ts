import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../test/shared-data.js";
import type { BaseEpisode } from "../core/episode/base.js";
import { Registry } from "../core/registry.js";
import { type GraphSource, NavGraph } from "../core/scene/graph.js";
import type { DatasetFormat } from "./format.js";
import { nativeFormat } from "./formats/native.js";
import { ndhFormat } from "./formats/ndh.js";
import { r2rFormat } from "./formats/r2r.js";
import { r2rVlnceFormat } from "./formats/r2r-vlnce.js";
import { detectFormat, type FormatRegistry, type LoadOptions, loadEpisodes } from "./loader.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-loader-"));
afterAll(() => rmSync(folder, { recursive: true }));

const formats: FormatRegistry = new Registry<DatasetFormat>("format");
for (const format of [nativeFormat, r2rVlnceFormat, r2rFormat, ndhFormat]) {
  formats.register(format.name, format);
}

const graph = new NavGraph(
  "hall",
  [..."abc"].map((id, i) => ({ id, position: [i, 0, 0] as const })),
  [
    [0, 1],
    [1, 2],
  ],
);
const graphs: GraphSource = { graph: async () => graph };

const contents = {
  native: {
    format: "robot-eval-episodes/1",
    episodes: [1, 2, 3].map((i) => ({ episode_id: `${i}`, task_type: "vln", scene_id: "hall" })),
  },
  "r2r-vlnce": {
    episodes: [1, 2, 3].map((episode_id) => ({
      episode_id,
      scene_id: "mp3d/hall/hall.glb",
      start_position: [0, 0, 0],
      start_rotation: [0, 0, 0, 1],
      instruction: { instruction_text: "Go." },
    })),
  },
  r2r: [1, 2].map((path_id) => ({
    path_id,
    scan: "hall",
    path: ["a", "b", "c"],
    heading: 0,
    instructions: ["Go.", "Walk."],
  })),
  ndh: [1, 2, 3].map((inst_idx) => ({
    inst_idx,
    scan: "hall",
    dialog_history: [],
    start_pano: { pano: "a" },
    planner_path: ["a", "b"],
    player_path: ["a", "b"],
    end_panos: ["b"],
  })),
} as const;
const names = Object.keys(contents) as (keyof typeof contents)[];

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  const raw = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(path, raw ? content : JSON.stringify(content));
  return path;
}

async function load(path: string, options: Partial<LoadOptions> = {}): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const e of loadEpisodes({ path, formats, graphs, ...options })) episodes.push(e);
  return episodes;
}

describe("format detection", () => {
  it.each(names)("format detection detects %s by content, whatever the file name", async (name) => {
    const text = JSON.stringify(contents[name]);
    for (const path of [file("episodes.bin", text), file("r2r.txt", gzipSync(text))]) {
      expect((await detectFormat(path, formats)).name).toBe(name);
    }
  });

  it("format detection lists the known formats and the file content if none matches", async () => {
    await expect(detectFormat(file("x.json", { goals: [1] }), formats)).rejects.toMatchObject({
      code: "unknown_format",
      message: expect.stringContaining('its keys are ["goals"]'),
      hint: expect.stringContaining("native, r2r-vlnce, r2r, ndh"),
    });
    for (const path of [file("x.txt", "hello"), file("x.h5", Buffer.from([0x89, 0xff])), folder]) {
      await expect(detectFormat(path, formats)).rejects.toMatchObject({
        code: "unknown_format",
        hint: expect.stringContaining("--format"),
      });
    }
  });

  it("format detection lists the entries of a folder, because one of them may be the dataset", async () => {
    const splits = mkdtempSync(join(folder, "splits-"));
    for (const split of ["train", "val"]) {
      mkdirSync(join(splits, split, "content"), { recursive: true });
    }
    await expect(detectFormat(splits, formats)).rejects.toMatchObject({
      code: "unknown_format",
      hint: expect.stringMatching(/^the folder holds train, val: is one of these the dataset\?/),
    });
  });

  it.each([
    ["r2r", [{ instr_id: "1_0", trajectory: [["a", 0, 0]] }]],
    ["ndh", [{ inst_idx: 1, trajectory: [["a", 0, 0]] }]],
    ["r2r-vlnce", { "1": [{ position: [0, 0, 0], heading: 0, stop: false }] }],
  ])(
    "format detection reports a submission of %s as a submission, not a dataset",
    async (name, submission) => {
      await expect(detectFormat(file("s.json", submission), formats)).rejects.toMatchObject({
        code: "unknown_format",
        message: `this is a submission (${name}), not a dataset`,
      });
    },
  );

  it("format detection reports damage rather than an unknown format", async () => {
    const text = JSON.stringify(contents.r2r);
    await expect(load(file("a.json", text.slice(0, 20)))).rejects.toMatchObject({
      code: "bad_json",
    });
    await expect(load(file("b.json", text.replace(":", ";")))).rejects.toMatchObject({
      code: "bad_json",
      where: expect.stringMatching(/b\.json:1:\d+$/),
    });
    const packed = gzipSync(text);
    await expect(load(file("c.json", packed.subarray(0, 12)))).rejects.toMatchObject({
      code: "truncated_gzip",
    });
  });

  it.each([
    ["the JSON", '"start_position"', ";start_position;"],
    ["an episode", '"start_position"', '"start_positiom"'],
    ["the UTF-8 text", "Go.", "G\u00ff."],
  ])(
    "format detection calls a gzip damaged if its wrong bytes first break %s",
    async (_, intact, wrong) => {
      const [episode] = contents["r2r-vlnce"].episodes;
      const many = Array.from({ length: 5000 }, (_, i) => ({ ...episode, episode_id: i }));
      // Stored without compression, so a changed byte changes only the text, and the checksum at its end. The
      // change is after the sample for detection, and several chunks before the end.
      const packed = gzipSync(JSON.stringify({ episodes: many }), { level: 0 });
      packed.set(Buffer.from(wrong, "latin1"), packed.indexOf(intact, 100_000));
      await expect(load(file("damaged.json.gz", packed))).rejects.toMatchObject({
        code: "damaged_gzip",
        message: expect.stringContaining("the gzip data is damaged"),
        hint: "copy or download the file again",
      });
    },
  );

  it("format detection calls a gzip damaged if its wrong bytes hide the format", async () => {
    const many = Array.from({ length: 1000 }, () => contents.r2r[0]);
    const packed = gzipSync(JSON.stringify(many), { level: 0 });
    packed.set(Buffer.from("<!"), packed.indexOf("[{"));
    await expect(load(file("start.json.gz", packed))).rejects.toMatchObject({
      code: "damaged_gzip",
    });
  });

  it("format detection reports a Git LFS pointer and how to get the data", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 1024\n`;
    const path = file("val_seen.json.gz", pointer);
    for (const format of [undefined, "r2r-vlnce", "r2r"]) {
      await expect(load(path, { format })).rejects.toMatchObject({
        code: "lfs_pointer",
        message: "the file is a Git LFS pointer, not the data itself",
        where: path,
        hint: expect.stringContaining("git lfs pull"),
      });
    }
  });

  it.each([
    ["native", "episode_id", "episode_id: "],
    ["r2r-vlnce", "episode_id", "episode 9007199254740993, episode_id: "],
    ["r2r", "path_id", "path 9007199254740993, path_id: "],
    ["ndh", "inst_idx", "episode 9007199254740993, inst_idx: "],
  ] as const)(
    "format detection quotes an id above 2^53 as the %s file writes it",
    async (name, key, place) => {
      const text = JSON.stringify(contents[name]);
      // The first number has the same rounded value and must not be quoted instead.
      const big = `"other": 9007199254740992, "${key}": 9007199254740993`;
      const path = file("big.json", text.replace(new RegExp(`"${key}":"?1"?`), big));
      await expect(load(path)).rejects.toMatchObject({
        code: "bad_episode",
        message: `${place}expected a string for an id above 9007199254740991, which is rounded as a number, got 9007199254740993`,
      });
    },
  );

  it("format detection requires a format name if the content matches two formats", async () => {
    const twice: FormatRegistry = new Registry<DatasetFormat>("format");
    twice.register("one", r2rFormat);
    twice.register("two", r2rFormat);
    await expect(detectFormat(file("r2r.json", contents.r2r), twice)).rejects.toMatchObject({
      code: "unknown_format",
      message: expect.stringContaining("one, two"),
    });
  });
});

describe("loading episodes", () => {
  it.each(names)("the loader loads %s, whether its format is named or detected", async (name) => {
    const path = file("data.json", contents[name]);
    const episodes = await load(path);
    expect(episodes.length).toBeGreaterThan(2);
    expect(await load(path, { format: name })).toEqual(episodes);
  });

  it("the loader suggests the closest existing format name", async () => {
    await expect(load(file("d.json", contents.r2r), { format: "r2r-vlne" })).rejects.toMatchObject({
      code: "unknown_format",
      hint: expect.stringContaining('did you mean "r2r-vlnce"'),
    });
  });

  it("the loader rejects a repeated id within a scene, but not across scenes", async () => {
    const [episode] = contents.native.episodes;
    const elsewhere = { ...episode, scene_id: "attic" };
    expect(await load(file("twins.json", [episode, elsewhere]))).toHaveLength(2);
    await expect(load(file("same.json", [episode, elsewhere, episode]))).rejects.toMatchObject({
      code: "duplicate_episode",
      message: expect.stringContaining("episode 1 of scene hall"),
      where: expect.stringContaining("same.json"),
    });
  });

  it.each([
    ["an empty list", "[]"],
    ["a document with no episodes", '{"episodes": []}'],
    ["a native document with no episodes", '{"format": "robot-eval-episodes/1", "episodes": []}'],
    ["native lines without any", '{"format": "robot-eval-episodes/1", "count": 0}\n'],
  ])("loading rejects %s", async (_, text) => {
    await expect(load(file("none.json", text))).rejects.toMatchObject({ code: "empty_dataset" });
  });

  it("the loader rejects an empty list even if the format is named", async () => {
    for (const format of names) {
      const text = format === "r2r-vlnce" ? '{"episodes": []}' : "[]";
      await expect(load(file("none.json", text), { format })).rejects.toMatchObject({
        code: "empty_dataset",
      });
    }
  });

  it("the loader selects the episodes of one task type from a mixed file, and throws if there are none", async () => {
    const mixed = contents.native.episodes.map((e, i) =>
      i === 1 ? { ...e, task_type: "opening" } : e,
    );
    const path = file("mixed.json", mixed);
    expect((await load(path, { taskType: "opening" })).map((e) => e.episodeId)).toEqual(["2"]);
    await expect(load(path, { taskType: "stacking" })).rejects.toMatchObject({
      code: "empty_dataset",
      hint: expect.stringContaining("opening, vln"),
    });
  });

  it("the loader assigns the requested task type to episodes of other formats", async () => {
    const [episode] = await load(file("own.json", contents.ndh), { taskType: "my_vln" });
    expect(episode?.taskType).toBe("my_vln");
  });
});

describe("loading a truncated file", () => {
  it.each(names)("loading a truncated file never yields part of a dataset: %s", async (name) => {
    const text = Buffer.from(JSON.stringify(contents[name]));
    for (const whole of [text, gzipSync(text)]) {
      const cut = fc.nat({ max: whole.length - 1 });
      const options = fc.constantFrom<Partial<LoadOptions>>({}, { format: name });
      await fc.assert(
        fc.asyncProperty(cut, options, async (length, chosen) => {
          const path = file("cut.json", whole.subarray(0, length));
          await expect(load(path, chosen)).rejects.toMatchObject({
            name: "DataError",
            exitCode: 2,
          });
        }),
      );
    }
  });
});

describeWithSharedData("published files", () => {
  it.each([
    ["r2r_vlnce/v1-3/val_seen/val_seen.json.gz", "r2r-vlnce"],
    ["ndh/val_unseen.json", "ndh"],
    ["valan_testdata/r2r/testdata/R2R_3scans.json", "r2r"],
  ])("the loader detects %s as %s", async (path, name) => {
    expect((await detectFormat(sharedData(path), formats)).name).toBe(name);
  });

  it.each([
    "r2r_vlnce/v1-3/val_seen/val_seen_gt.json.gz",
    "objectnav_hm3d_v2/val_mini/val_mini.json.gz",
    "connectivity/8194nk5LbLH_connectivity.json",
    "habitat_golden/test-sim-geodesic-distance-test-golden.json",
    "r2r_ce_results/cont-cwp-cma-ori.stats_ep_ckpt_0_val_unseen_r0_w1.json",
  ])("the loader detects no format in %s", async (path) => {
    await expect(detectFormat(sharedData(path), formats)).rejects.toMatchObject({
      code: "unknown_format",
    });
  });

  it("the loader rejects val_seen wherever it is truncated", async () => {
    const whole = readFileSync(sharedData("r2r_vlnce/v1-3/val_seen/val_seen.json.gz"));
    for (const share of [0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999]) {
      const path = file("val_seen.json.gz", whole.subarray(0, Math.floor(share * whole.length)));
      await expect(load(path)).rejects.toMatchObject({ code: "truncated_gzip" });
    }
  });
});
