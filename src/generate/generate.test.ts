import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { smallHome } from "../../test/support/small-home.js";
import { type BaseEpisode, goalPoints } from "../core/episode/base.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import { loadEpisodes } from "../dataset/loader.js";
import { createRegistries } from "../registry/registries.js";
import { sceneLibrary } from "../simulator/navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../simulator/navmesh/settings.js";
import { writeGlb } from "../simulator/scenes/gltf/export-glb.js";
import { type GeneratedSplit, generateEpisodes } from "./generate.js";
import type { GenerateOptions } from "./options.js";
import { findScenes } from "./scenes.js";
import { writeSplit } from "./write.js";

const TASKS = ["vln", "objectnav", "image_nav"] as const;
const { formats } = createRegistries();

type TestOptions = Partial<Omit<GenerateOptions, "scenes">> & { readonly scenes?: string };

async function generate({ scenes = "apartment/7,apartment/12", ...options }: TestOptions) {
  const found = await findScenes(scenes);
  return generateEpisodes({ task: "image_nav", seed: 5, count: 5, ...options, scenes: found });
}

async function load(path: string): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of loadEpisodes({ path, formats })) episodes.push(one);
  return episodes;
}

/** Removes the fields that the file layout expresses in another way. */
function asLoaded(episode: BaseEpisode): unknown {
  const { goals, ...rest } = episode.toDict();
  const { objects: _, ...held } = goals;
  return JSON.parse(JSON.stringify({ ...rest, goals: held }));
}

describe.each(TASKS)("generated %s episodes", (task) => {
  let split: GeneratedSplit | undefined;
  const made = async () => {
    split ??= await generate({ task });
    return split;
  };

  it("episodes are distributed evenly over the scenes and numbered consecutively", async () => {
    const { episodes, scenes } = await made();
    expect(scenes.map(({ sceneId, episodes: n }) => [sceneId, n])).toEqual([
      ["apartment/7", 3],
      ["apartment/12", 2],
    ]);
    expect(episodes.map(({ episodeId }) => episodeId)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("a split reports the number of draws and the reasons of rejected ones", async () => {
    for (const { drawn, episodes, rejected } of (await made()).scenes) {
      expect(drawn).toBeGreaterThanOrEqual(episodes);
      const reasons = Object.values(rejected).reduce((sum, count) => sum + count, 0);
      expect(reasons).toBeGreaterThanOrEqual(drawn - episodes);
    }
  });

  it("episodes start on the floor and have a reachable goal at the stated distance", async () => {
    for (const episode of (await made()).episodes) {
      const scene = await sceneLibrary.scene(episode.sceneId, undefined, HABITAT_NAVMESH);
      const { navMesh } = scene;
      const { position } = episode.startState;
      if (!position) throw new Error("no start");
      expect(navMesh.isNavigable(position)).toBe(true);
      const goals = goalPoints(episode).map((place) => place.position);
      const geodesic = navMesh.distanceToAny(position, goals);
      expect(episode.taskConfig.geodesic_distance).toBeCloseTo(geodesic, 3);
      expect(geodesic).toBeGreaterThanOrEqual(5);
      expect(geodesic).toBeLessThanOrEqual(30);
      if (task !== "objectnav") {
        const straight = Math.min(...goals.map((goal) => distance3(position, goal)));
        expect(geodesic / straight).toBeGreaterThanOrEqual(1.05);
      }
      scene.release();
    }
  });

  it("episodes are unchanged after writing and loading", async () => {
    const out = join(temporaryFolder(), "val.json.gz");
    const { episodes } = await writeSplit({ task, out }, made);
    expect((await load(out)).map(asLoaded)).toEqual(episodes.map(asLoaded));
  });

  it("the same options write the same bytes again", async () => {
    const folder = temporaryFolder();
    const [one, two] = [join(folder, "a.json"), join(folder, "b.json")];
    await writeSplit({ task, out: one }, made);
    await writeSplit({ task, out: two }, () => generate({ task }));
    expect(readFileSync(two)).toEqual(readFileSync(one));
  });

  it("another seed gives other episodes", async () => {
    const { episodes } = await generate({ task, seed: 6, count: 1, scenes: "apartment/7" });
    expect(episodes[0]?.startState).not.toEqual((await made()).episodes[0]?.startState);
  });
});

describe("episodes of one scene", () => {
  it("the episodes of a scene do not depend on the other scenes", async () => {
    const both = await generate({ task: "vln", count: 4, follow: false });
    const alone = await generate({ task: "vln", count: 2, scenes: "apartment/12", follow: false });
    const of = ({ episodes }: GeneratedSplit) =>
      episodes.map(({ instruction }) => instruction.text);
    expect(of(both).slice(2)).toEqual(of(alone));
  });
});

describe("generated vln episodes", () => {
  it("vln episodes have a ground-truth path by the actions of the task besides the reference path", async () => {
    const { episodes, vocabulary } = await generate({ task: "vln", count: 2 });
    for (const { referenceData, taskConfig, startState, goals, instruction } of episodes) {
      const { path = [], dense_path: walk = [] } = referenceData ?? {};
      expect(path[0]).toEqual(startState.position);
      expect(path.at(-1)).toEqual(goals.position);
      path.slice(1).forEach((point, i) => {
        expect(distance3(path[i] as Vec3, point)).toBeLessThanOrEqual(2.5);
      });
      const actions = taskConfig.gt_actions as readonly string[];
      expect(actions.at(-1)).toBe("stop");
      expect(walk).toHaveLength(actions.filter((action) => action === "move_forward").length + 1);
      expect(distance3(walk.at(-1) as Vec3, goals.position as Vec3)).toBeLessThan(0.5);
      const words = instruction.tokens?.map((token) => vocabulary?.[token]);
      expect(words?.filter((word) => word !== "<pad>").at(-1)).toBe(".");
      expect(goals.radius).toBe(3);
    }
  });

  it("a vln file includes its vocabulary", async () => {
    const out = join(temporaryFolder(), "val.json.gz");
    const split = await writeSplit({ task: "vln", out }, () => generate({ task: "vln", count: 1 }));
    const file = JSON.parse(gunzipSync(readFileSync(out)).toString());
    expect(file.instruction_vocab.word_list).toEqual(split.vocabulary);
    expect(file.episodes[0].instruction.instruction_tokens).toHaveLength(200);
  });
});

describe("generated objectnav episodes", () => {
  it("objectnav episodes use the requested categories", async () => {
    const { episodes } = await generate({ task: "objectnav", categories: ["fridge"], count: 2 });
    for (const { goals } of episodes) expect(goals.object_category).toBe("fridge");
  });
});

describe("generated episodes in a scene file", () => {
  it("episodes in a scene file name the file as given and have instructions of turns and distances", async () => {
    const path = join(temporaryFolder(), "home.glb");
    writeFileSync(path, await writeGlb({ ...smallHome(), rooms: [], doors: [] }));
    const { episodes } = await generate({ task: "vln", scenes: path, count: 2, minDistanceM: 4 });
    for (const { sceneId, instruction } of episodes) {
      expect(sceneId).toBe(path);
      expect(instruction.text).toMatch(/\d meters?/);
    }
  });
});

describe("generateEpisodes with invalid input", () => {
  it.each<[string, TestOptions, string, string]>([
    ["an unknown task", { task: "vlm" }, "unknown_task", "--task"],
    ["a count of 0", { count: 0 }, "bad_option", "-n"],
    ["a fractional count", { count: 1.5 }, "bad_option", "-n"],
    ["a negative seed", { seed: -1 }, "bad_option", "--seed"],
    ["a negative distance", { minDistanceM: -1 }, "bad_option", "--min-distance"],
    [
      "a maximum distance below the minimum",
      { minDistanceM: 5, maxDistanceM: 4 },
      "bad_option",
      "--max-distance",
    ],
    ["a ratio below 1", { minRatio: 0.5 }, "bad_option", "--min-ratio"],
    ["too few scenes", { count: 9, perScene: 4 }, "too_few_scenes", "--scenes"],
    ["no categories", { task: "objectnav", categories: [] }, "bad_option", "--categories"],
  ])("generateEpisodes rejects %s and names the option", async (_, options, code, where) => {
    await expect(generate(options)).rejects.toMatchObject({ code, where });
  });

  it("generateEpisodes reports the draws if a scene yields too few episodes", async () => {
    const options = { scenes: "apartment/7", count: 2, minDistanceM: 28.9, maxDistanceM: 29 };
    await expect(generate(options)).rejects.toMatchObject({
      code: "too_few_pairs",
      where: "apartment/7",
      message: expect.stringMatching(/yielded 0 of 2 episodes; 1000 drawn: \d+ too near/),
      hint: expect.stringContaining("--min-distance 28.9"),
    });
  });

  it("generateEpisodes reports the scene categories if it has no matching objects", async () => {
    const options = { task: "objectnav", categories: ["elephant"], scenes: "apartment/7" };
    await expect(generate(options)).rejects.toMatchObject({
      code: "no_objects",
      where: "apartment/7",
      hint: expect.stringMatching(/bed, .*toilet/),
    });
  });

  it("generateEpisodes replaces a drawn scene that yields too few episodes and reports it", async () => {
    const { scenes, passedOver } = await generate({
      scenes: "apartment",
      count: 4,
      perScene: 2,
      minDistanceM: 17,
    });
    expect(scenes).toHaveLength(2);
    for (const { why } of passedOver) expect(why).toContain("of 2 episodes");
  });

  it("generateEpisodes stops generating navigation episodes when interrupted", async () => {
    await expect(generate({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "interrupted",
      exitCode: 130,
    });
  });

  it("generating does not start if the output exists", async () => {
    const out = join(temporaryFolder(), "val.json");
    writeFileSync(out, "precious");
    const never = () => Promise.reject(new Error("it was begun"));
    await expect(writeSplit({ task: "vln", out }, never)).rejects.toMatchObject({
      code: "out_exists",
      hint: expect.stringContaining("--force"),
    });
    await expect(writeSplit({ task: "vln", out: "val.txt" }, never)).rejects.toMatchObject({
      code: "bad_out",
    });
  });
});
