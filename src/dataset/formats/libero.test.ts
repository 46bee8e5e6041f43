import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import type { DataError } from "../../core/errors.js";
import type { DatasetSource } from "../format.js";
import { floats, numpyPickle, torch } from "../readers/torch-zip.fixture.js";
import { readSample } from "../source.js";
import { liberoFormat } from "./libero.js";

const root = mkdtempSync(join(tmpdir(), "robot-eval-libero-"));
afterAll(() => rmSync(root, { recursive: true }));

async function load(path: string, more: Partial<DatasetSource> = {}): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const episode of liberoFormat.episodes({ path, ...more })) episodes.push(episode);
  return episodes;
}

const TASK = `(define (problem P) (:domain robosuite) (:language Open the DOOR)
  (:fixtures door_1 - door) (:objects key_1 - key) (:init (Close door_1))
  (:goal (Or (Open door_1) (On key_1 door_1))))`;

function suite(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name, "bddl_files", "mine");
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

describe("LIBERO suite", () => {
  it("the LIBERO reader names the episode of an initial state with NaN, and a Git LFS pointer in its place", async () => {
    const folder = suite("nan", { "open_it.bddl": TASK });
    const states = join(folder, "open_it.pruned_init");
    const data = floats([1, 2, 3, 4, Number.NaN, 6]);
    writeFileSync(states, torch(numpyPickle({ data })));
    await expect(load(folder)).rejects.toMatchObject({
      message: "episode open_it_init1, state 1, value 1: expected a finite number, got NaN",
      where: states,
    });
    writeFileSync(states, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n");
    await expect(load(folder)).rejects.toMatchObject({ code: "lfs_pointer", where: states });
  });

  it("a suite without initial states has one episode per task", async () => {
    const folder = suite("plain", {
      "b.bddl": TASK,
      "KITCHEN_SCENE10_open_it.bddl": TASK,
      "x.txt": "",
    });
    const [first, second, ...others] = await load(folder);
    expect(others).toEqual([]);
    expect(first?.episodeId).toBe("KITCHEN_SCENE10_open_it");
    expect(first?.instruction).toEqual({ text: "open it", bddl_language: "Open the DOOR" });
    expect(second).toMatchObject({
      episodeId: "b",
      sceneId: "mine/b",
      taskType: "manipulation",
      startState: { init: [["Close", "door_1"]] },
      goals: {
        success_criteria: {
          type: "bddl",
          any: [
            { name: "open door_1", predicate: "Open", arguments: ["door_1"] },
            { name: "on key_1 door_1", predicate: "On", arguments: ["key_1", "door_1"] },
          ],
        },
      },
      taskConfig: { problem: "P", fixtures: { door_1: "door" }, objects: { key_1: "key" } },
    });
    expect(second?.goals).not.toHaveProperty("target_object");
  });

  it("a suite can be a single file and have another task type", async () => {
    const folder = suite("one", { "b.bddl": TASK });
    const [episode] = await load(join(folder, "b.bddl"), { taskType: "opening" });
    expect(episode).toMatchObject({ episodeId: "b", taskType: "opening" });
  });

  it("the LIBERO reader detects a suite by content", async () => {
    const folder = suite("known", { "b.bddl": `; says it\n${TASK}`, "c.json": "{}" });
    expect(liberoFormat.detect(await readSample(folder))).toBe(true);
    expect(liberoFormat.detect(await readSample(join(folder, "b.bddl")))).toBe(true);
    expect(liberoFormat.detect(await readSample(join(folder, "c.json")))).toBe(false);
    expect(liberoFormat.detect(await readSample(root))).toBe(false);
    await expect(load(root)).rejects.toMatchObject({ code: "empty_dataset", where: root });
  });

  it("the LIBERO reader skips an unreadable task if onBadEpisode is set", async () => {
    const folder = suite("bad", { "a.bddl": "(define", "b.bddl": TASK });
    await expect(load(folder)).rejects.toMatchObject({ code: "bad_bddl" });
    const problems: DataError[] = [];
    const episodes = await load(folder, { onBadEpisode: (problem) => problems.push(problem) });
    expect(episodes.map(({ episodeId }) => episodeId)).toEqual(["b"]);
    expect(problems[0]?.where).toContain("a.bddl:1:1");
  });
});

describeWithSharedData("LIBERO-Spatial", () => {
  const spatial = () => sharedData("libero/bddl_files/libero_spatial");

  it("LIBERO-Spatial has 10 tasks with 50 initial states each", async () => {
    const episodes = await load(spatial());
    expect(episodes).toHaveLength(500);
    expect(new Set(episodes.map(({ sceneId }) => sceneId)).size).toBe(10);
    expect(new Set(episodes.map(({ episodeId }) => episodeId)).size).toBe(500);
    const name =
      "pick_up_the_black_bowl_between_the_plate_and_the_ramekin_and_place_it_on_the_plate";
    const [first, second] = episodes;
    expect(first).toMatchObject({
      episodeId: `${name}_init0`,
      sceneId: `libero_spatial/${name}`,
      instruction: {
        // The task's name in the published results in libero_results.
        text: "pick up the black bowl between the plate and the ramekin and place it on the plate",
        bddl_language:
          "Pick the akita black bowl between the plate and the ramekin and place it on the plate",
      },
      goals: { target_object: "akita_black_bowl_1", success_criteria: { type: "bddl" } },
      taskConfig: {
        init_file: `../../init_files/libero_spatial/${name}.pruned_init`,
        init_index: 0,
      },
    });
    const state = second?.startState.mujoco_state;
    expect(state).toHaveLength(92);
    // Computed with numpy: the time, then the first of Panda's arm joints.
    expect(state).toEqual(
      expect.arrayContaining([0, -0.03824265189473977, -0.15419302527457143, -2.4352390270152777]),
    );
  });

  it("the LIBERO reader rejects a suite in which the initial states of one task are missing", async () => {
    const copy = join(root, "missing");
    cpSync(sharedData("libero"), copy, { recursive: true });
    const inits = join(copy, "init_files", "libero_spatial");
    const stove = readdirSync(inits).filter((name) => name.includes("on_the_stove"));
    for (const name of stove) rmSync(join(inits, name));
    const path = join(copy, "bddl_files", "libero_spatial");
    await expect(load(path)).rejects.toMatchObject({ code: "missing_init_states", where: inits });
    const problems: DataError[] = [];
    const rest = await load(path, { onBadEpisode: (problem) => problems.push(problem) });
    expect(rest).toHaveLength(450);
    expect(problems).toHaveLength(1);
  });
});
