import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { temporaryFolder } from "../../../test/support/cli.js";
import { soundEpisode } from "../../../test/support/lint-rule.js";
import type { EpisodeInit } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import { MatterportGraphs } from "../formats/matterport-connectivity.js";
import { LINT_RULES } from "./catalog.js";
import { findProblems, type LintOptions } from "./lint.js";
import { type LintReport, lintDataset } from "./report.js";

const { formats } = createRegistries();
const folder = temporaryFolder();

const dict = (changes: Partial<EpisodeInit> = {}) => soundEpisode(changes).toDict();

function written(name: string, content: string | Uint8Array | readonly object[]): string {
  const path = join(folder, name);
  const raw = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(path, raw ? content : JSON.stringify(content));
  return path;
}

function lint(
  path: string,
  options: Partial<LintOptions> & { readonly maxPerRule?: number } = {},
): Promise<LintReport> {
  return lintDataset({ path, formats, ...options });
}

/** The fields of an R2R-CE entry that the tests below modify. */
interface Episode {
  episode_id: number;
  start_rotation: number[];
  readonly reference_path: number[][];
  readonly info: { geodesic_distance: number };
}

/** The number of findings per rule. */
function codes({ rules }: LintReport): Record<string, number> {
  return Object.fromEntries(rules.map(({ code, count }) => [code, count]));
}

describe("lint rules", () => {
  it("each rule has a unique code and a reason", () => {
    const rules = LINT_RULES.map((make) => make());
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
    for (const { code, why } of rules) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(why.length).toBeGreaterThan(40);
    }
  });
});

describe("lintDataset", () => {
  it("lintDataset finds nothing in valid episodes", async () => {
    const path = written("sound.json", [dict(), dict({ episodeId: "2" })]);
    expect(await lint(path)).toEqual({
      format: "robot-eval-lint/1",
      dataset: path,
      format_name: "native",
      episodes: 2,
      unreadable: 0,
      counts: { error: 0, warning: 0, info: 0 },
      rules: [],
      findings: [],
    });
  });

  it("lintDataset continues after an invalid entry and reports its location", async () => {
    const bad = { ...dict(), start_state: { rotation: [0, 0, 0, 3] } };
    const path = written("bad.json", [bad, dict(), dict()]);
    const report = await lint(path);
    expect(report).toMatchObject({ episodes: 2, unreadable: 1, counts: { error: 2 } });
    expect(report.findings).toMatchObject([
      {
        code: "bad_episode",
        where: `${path}, episodes[0]`,
        message: expect.stringContaining("start_state.rotation"),
      },
      { code: "duplicate_id", episode: "vln/mp3d/hall/hall.glb/1", value: '"1"' },
    ]);
  });

  it("lintDataset stops where the file is damaged and keeps earlier findings", async () => {
    const packed = gzipSync(JSON.stringify([dict(), dict(), dict({ episodeId: "2" })]));
    const report = await lint(written("cut.json.gz", packed.subarray(0, -20)));
    expect(codes(report)).toMatchObject({ truncated_gzip: 1 });
    const text = `[${JSON.stringify(dict())},${JSON.stringify(dict())},{"episode_id"`;
    expect(codes(await lint(written("cut.json", text)))).toEqual({ duplicate_id: 1, bad_json: 1 });
  });

  it("lintDataset calls a gzip damaged whose wrong bytes are not JSON", async () => {
    const many = Array.from({ length: 2000 }, (_, i) => dict({ episodeId: String(i) }));
    // Stored without compression, so a changed byte changes only the text, and the checksum at its end.
    const packed = gzipSync(JSON.stringify(many), { level: 0 });
    packed.set(Buffer.from("]"), packed.indexOf('"goals"', 100_000));
    const report = await lint(written("damaged.json.gz", packed));
    expect(codes(report)).toEqual({ damaged_gzip: 1 });
    expect(report.findings).toMatchObject([
      { message: expect.stringContaining("the gzip data is damaged") },
    ]);
  });

  it("lintDataset reports a damaged graph once, however many episodes need it", async () => {
    const connectivity = temporaryFolder();
    writeFileSync(join(connectivity, "hall_connectivity.json"), '[{"image_id": "a", "pose": [1,');
    const paths = [1, 2, 3].map((path_id) => ({
      ...{ path_id, scan: "hall", path: ["a", "b"], heading: 0, instructions: ["Go to b now."] },
    }));
    const report = await lint(written("r2r.json", paths), {
      graphs: new MatterportGraphs(connectivity),
    });
    expect(codes(report)).toEqual({ bad_json: 1 });
    expect(report).toMatchObject({ episodes: 0, unreadable: 3 });
  });

  it("lintDataset reports a dataset without episodes of the requested type", async () => {
    const path = written("types.json", [dict()]);
    expect(codes(await lint(path, { taskType: "objectnav" }))).toEqual({ empty_dataset: 1 });
    expect((await lint(path, { taskType: "vln" })).episodes).toBe(1);
  });

  it("lintDataset throws for a path that is not a dataset", async () => {
    await expect(lint(join(folder, "nothing.json"))).rejects.toThrow(DataError);
    await expect(lint(written("other.json", '{"a": 1}'))).rejects.toMatchObject({
      code: "unknown_format",
    });
    await expect(lint(written("x.json", [dict()]), { format: "nativ" })).rejects.toMatchObject({
      code: "unknown_format",
    });
  });

  it("lintDataset keeps the first findings of a rule and counts the rest", async () => {
    const zero = Array.from({ length: 30 }, (_, i) =>
      dict({ episodeId: String(i), goals: { position: [0, 0, 0] }, referenceData: null }),
    );
    const path = written("zero.json", zero);
    const report = await lint(path, { maxPerRule: 4 });
    expect(report.counts).toEqual({ error: 0, warning: 30, info: 0 });
    expect(report.findings).toHaveLength(4);
    expect(report.rules).toMatchObject([{ code: "zero_distance", count: 30, shown: 4 }]);
    expect((await lint(path, { maxPerRule: 0 })).findings).toEqual([]);
  });

  it("lintDataset uses the given check for reachable goals", async () => {
    const path = written("reach.json", [dict(), dict({ episodeId: "2" })]);
    const report = await lint(path, {
      reachable: async ({ episodeId }) => (episodeId === "2" ? false : undefined),
    });
    expect(report.findings).toMatchObject([
      { code: "unreachable_goal", episode: "vln/mp3d/hall/hall.glb/2" },
    ]);
  });

  it("lintDataset checks scene files in the given folder", async () => {
    const path = written("scenes.json", [dict(), dict({ episodeId: "2", sceneId: "reach" })]);
    expect(codes(await lint(path, { dataRoot: folder }))).toEqual({ missing_scene: 2 });
    const here = written("scene.json", [dict({ sceneId: "reach.json" })]);
    expect(codes(await lint(here, { dataRoot: folder }))).toEqual({});
  });

  it("lintDataset yields findings one by one through findProblems", async () => {
    const path = written("stream.json", [dict(), dict(), dict()]);
    for await (const { code } of findProblems({ path, formats })) {
      expect(code).toBe("duplicate_id");
      break;
    }
  });
});

describeWithSharedData("lintDataset on published data", () => {
  it.each<[string, string, string | undefined, number, Record<string, number>]>([
    // shortest_path_length is 0 in these 39: the object is visible from the start.
    ["robothor", "robothor_objectnav", undefined, 600, { zero_distance: 39 }],
    ["r2r-vlnce", "r2r_vlnce/v1-3/val_seen/val_seen.json.gz", undefined, 778, {}],
    // The planner's path contains only the start in these: the navigator was already there.
    ["ndh", "ndh/val_unseen.json", "connectivity", 907, { zero_distance: 8 }],
    [
      "r2r",
      "valan_testdata/r2r/testdata/R2R_3scans.json",
      "valan_testdata/r2r/testdata/connections",
      36,
      {},
    ],
    ["objectnav", "objectnav_hm3d_v2/val_mini", undefined, 30, {}],
    ["instance-imagenav", "instance_imagenav_hm3d_v3/val_mini", undefined, 48, {}],
    ["libero", "libero/bddl_files/libero_spatial", undefined, 500, {}],
    ["robomimic", "robosuite_hdf5/lift_demo.hdf5", undefined, 3, {}],
    ["maniskill", "maniskill_h5/fmb-assembly1.h5", undefined, 1, {}],
    // The folder has the files of the first 5 of the 100 episodes in its index.
    ["lerobot", "lerobot_v2.1", undefined, 5, { missing_episode_file: 95 }],
  ])(
    "lintDataset finds the known problems of %s",
    async (format_name, path, connectivity, episodes, expected) => {
      const graphs = connectivity ? new MatterportGraphs(sharedData(connectivity)) : undefined;
      const report = await lint(sharedData(path), graphs ? { graphs } : {});
      expect(report).toMatchObject({ format_name, episodes });
      expect(codes(report)).toEqual(expected);
    },
  );

  it("lintDataset requires graphs for a format that names viewpoints", async () => {
    const path = sharedData("ndh/val_unseen.json");
    await expect(lint(path)).rejects.toMatchObject({ code: "missing_graphs" });
  });

  /** The start of R2R-CE's val_seen with each episode modified. */
  async function modified(name: string, modify: (episode: Episode) => void): Promise<LintReport> {
    const file = readFileSync(sharedData("r2r_vlnce/v1-3/val_seen/val_seen.json.gz"));
    const { episodes } = JSON.parse(gunzipSync(file).toString()) as { episodes: Episode[] };
    const some = episodes.slice(0, 30);
    for (const episode of some) modify(episode);
    return lint(written(name, JSON.stringify({ episodes: some })));
  }

  it.each<[string, (episode: Episode) => void, Record<string, number>]>([
    ["nothing", () => {}, {}],
    [
      "rotations with w first",
      (e) => e.start_rotation.unshift(e.start_rotation.pop() ?? 0),
      { rotation_order: 30 },
    ],
    [
      "other headings",
      (e) => {
        e.start_rotation = [0, Math.sin(e.episode_id), 0, Math.cos(e.episode_id)];
      },
      { old_headings: 1 },
    ],
    ["no path", (e) => e.reference_path.splice(0), { short_path: 30 }],
    [
      "distances in feet",
      (e) => {
        e.info.geodesic_distance /= 3.28;
      },
      { geodesic_distance: 30 },
    ],
    [
      "one id",
      (e) => {
        e.episode_id = 1;
      },
      { duplicate_id: 21 },
    ],
  ])("lintDataset finds modified data: %s", async (what, modify, expected) => {
    expect(codes(await modified(`${what}.json`, modify))).toEqual(expected);
  });
});
