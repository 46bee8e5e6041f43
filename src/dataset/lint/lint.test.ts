import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasSharedData, sharedData } from "../../../test/shared-data.js";
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

/** What of an R2R-CE entry is spoilt below. */
interface Episode {
  episode_id: number;
  start_rotation: number[];
  readonly reference_path: number[][];
  readonly info: { geodesic_distance: number };
}

/** How often each rule has spoken. */
function codes({ rules }: LintReport): Record<string, number> {
  return Object.fromEntries(rules.map(({ code, count }) => [code, count]));
}

describe("the rules", () => {
  it("have a code each, and a reason that is a sentence", () => {
    const rules = LINT_RULES.map((make) => make());
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
    for (const { code, why } of rules) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(why.length).toBeGreaterThan(40);
    }
  });
});

describe("linting", () => {
  it("finds nothing wrong with sound episodes", async () => {
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

  it("goes on past what is no episode, and says where it stands", async () => {
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

  it("ends where the file is damaged, with what was found before", async () => {
    const packed = gzipSync(JSON.stringify([dict(), dict(), dict({ episodeId: "2" })]));
    const report = await lint(written("cut.json.gz", packed.subarray(0, -20)));
    expect(codes(report)).toMatchObject({ truncated_gzip: 1 });
    const text = `[${JSON.stringify(dict())},${JSON.stringify(dict())},{"episode_id"`;
    expect(codes(await lint(written("cut.json", text)))).toEqual({ duplicate_id: 1, bad_json: 1 });
  });

  it("reports a dataset without episodes of the type", async () => {
    const path = written("types.json", [dict()]);
    expect(codes(await lint(path, { taskType: "objectnav" }))).toEqual({ empty_dataset: 1 });
    expect((await lint(path, { taskType: "vln" })).episodes).toBe(1);
  });

  it("refuses what is no dataset", async () => {
    await expect(lint(join(folder, "nothing.json"))).rejects.toThrow(DataError);
    await expect(lint(written("other.json", '{"a": 1}'))).rejects.toMatchObject({
      code: "unknown_format",
    });
    await expect(lint(written("x.json", [dict()]), { format: "nativ" })).rejects.toMatchObject({
      code: "unknown_format",
    });
  });

  it("keeps the first findings of a rule and counts the rest", async () => {
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

  it("asks whoever knows the scene whether goals can be reached", async () => {
    const path = written("reach.json", [dict(), dict({ episodeId: "2" })]);
    const report = await lint(path, {
      reachable: async ({ episodeId }) => (episodeId === "2" ? false : undefined),
    });
    expect(report.findings).toMatchObject([
      { code: "unreachable_goal", episode: "vln/mp3d/hall/hall.glb/2" },
    ]);
  });

  it("looks for the scenes' files where it is told to", async () => {
    const path = written("scenes.json", [dict(), dict({ episodeId: "2", sceneId: "reach" })]);
    expect(codes(await lint(path, { dataRoot: folder }))).toEqual({ missing_scene: 2 });
    const here = written("scene.json", [dict({ sceneId: "reach.json" })]);
    expect(codes(await lint(here, { dataRoot: folder }))).toEqual({});
  });

  it("gives findings one by one to whoever does not want to wait", async () => {
    const path = written("stream.json", [dict(), dict(), dict()]);
    for await (const { code } of findProblems({ path, formats })) {
      expect(code).toBe("duplicate_id");
      break;
    }
  });
});

describe.skipIf(!hasSharedData)(
  "on published data (skipped where ../shared/data is missing)",
  () => {
    const graphs = (path: string) => new MatterportGraphs(sharedData(path));

    it.each<[string, string, Partial<LintOptions>, number, Record<string, number>]>([
      // The file's own shortest_path_length is 0 in these 39: the object is in sight from the start.
      ["robothor", "robothor_objectnav", {}, 600, { zero_distance: 39 }],
      ["r2r-vlnce", "r2r_vlnce/v1-3/val_seen/val_seen.json.gz", {}, 778, {}],
      // The planner's path is the start alone in these: the navigator was there already.
      ["ndh", "ndh/val_unseen.json", { graphs: graphs("connectivity") }, 907, { zero_distance: 8 }],
      [
        "r2r",
        "valan_testdata/r2r/testdata/R2R_3scans.json",
        { graphs: graphs("valan_testdata/r2r/testdata/connections") },
        36,
        {},
      ],
      ["objectnav", "objectnav_hm3d_v2/val_mini", {}, 30, {}],
      ["instance-imagenav", "instance_imagenav_hm3d_v3/val_mini", {}, 48, {}],
      ["libero", "libero/bddl_files/libero_spatial", {}, 500, {}],
      ["robomimic", "robosuite_hdf5/lift_demo.hdf5", {}, 3, {}],
      ["maniskill", "maniskill_h5/fmb-assembly1.h5", {}, 1, {}],
      // The folder has the files of the first 5 of the 100 episodes that its index lists.
      ["lerobot", "lerobot_v2.1", {}, 5, { missing_episode_file: 95 }],
    ])("says of %s what is true", async (format_name, path, options, episodes, expected) => {
      const report = await lint(sharedData(path), options);
      expect(report).toMatchObject({ format_name, episodes });
      expect(codes(report)).toEqual(expected);
    });

    it("asks for the graphs of a format that names viewpoints", async () => {
      const path = sharedData("ndh/val_unseen.json");
      await expect(lint(path)).rejects.toMatchObject({ code: "missing_graphs" });
    });

    /** The beginning of R2R-CE's val_seen with each episode changed. */
    async function spoilt(name: string, spoil: (episode: Episode) => void): Promise<LintReport> {
      const file = readFileSync(sharedData("r2r_vlnce/v1-3/val_seen/val_seen.json.gz"));
      const { episodes } = JSON.parse(gunzipSync(file).toString()) as { episodes: Episode[] };
      const some = episodes.slice(0, 30);
      for (const episode of some) spoil(episode);
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
    ])("finds what was spoilt in it: %s", async (what, spoil, expected) => {
      expect(codes(await spoilt(`${what}.json`, spoil))).toEqual(expected);
    });
  },
);
