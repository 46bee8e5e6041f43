import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/support/cli.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { loadEpisodes } from "../../dataset/loader.js";
import { createRegistries } from "../../registry/registries.js";
import { catalogueModel } from "../../simulator/manipulation/objects/catalogue/catalogue.js";
import {
  splitOf,
  UNSEEN_CATEGORIES,
} from "../../simulator/manipulation/objects/catalogue/splits.js";
import { sceneLibrary } from "../../simulator/navigation/scene-library.js";
import { STRETCH_NAVMESH } from "../../simulator/navmesh/settings.js";
import { receptaclesOf } from "../../simulator/scenes/receptacles.js";
import { type GeneratedSplit, generateEpisodes } from "../generate.js";
import { findScenes } from "../scenes.js";
import { writeSplit } from "../write.js";
import { type Described, distinction, instructionOf, meant } from "./instruction.js";

const generate = async (count: number, split: string, scenes = "apartment/100-102") =>
  generateEpisodes({
    task: "rearrange",
    scenes: await findScenes(scenes),
    seed: 3,
    count,
    split,
  });

let shared: Promise<GeneratedSplit> | undefined;
const made = () => {
  shared ??= generate(9, "val");
  return shared;
};

const named = z.object({ name: z.string(), category: z.string() });
const goals = z.object({
  target_object: named,
  start_receptacle: named,
  target_location: z.object({ receptacle: z.string(), category: z.string() }),
  success_criteria: z.object({ type: z.literal("rearranged") }),
});
const objects = z.array(
  z.object({
    name: z.string(),
    model: z.string(),
    position: z.tuple([z.number(), z.number(), z.number()]),
  }),
);
const objectsOf = ({ taskConfig }: BaseEpisode) => objects.parse(taskConfig.scene_objects);

describe("generated rearrange episodes", () => {
  it("generated rearrange episodes start on the floor, and have the object on one piece of furniture and the goal on another", async () => {
    for (const episode of (await made()).episodes) {
      const scene = await sceneLibrary.scene(episode.sceneId, undefined, STRETCH_NAVMESH);
      const { target_object, start_receptacle, target_location } = goals.parse(episode.goals);
      const [x = 0, y = 0] = episode.startState.base_pose ?? [];
      expect(scene.navMesh.isNavigable([x, 0, -y])).toBe(true);
      const receptacles = receptaclesOf(scene.model);
      const from = receptacles.find(({ name }) => name === start_receptacle.name);
      const to = receptacles.find(({ name }) => name === target_location.receptacle);
      expect(from?.category).toBe(start_receptacle.category);
      expect(to?.category).toBe(target_location.category);
      expect(to?.category).not.toBe(from?.category);
      const target = objectsOf(episode).find(({ name }) => name === target_object.name);
      const under = from?.surfaces.some(({ centre, sizeM }) => {
        const [px = 0, py = 0, pz = 0] = target?.position ?? [];
        const height = catalogueModel(target?.model ?? "").shape.sizeM[2];
        return (
          Math.abs(pz - height / 2 - centre[1]) < 0.002 &&
          Math.abs(px - centre[0]) < sizeM[0] / 2 &&
          Math.abs(-py - centre[2]) < sizeM[1] / 2
        );
      });
      expect(under).toBe(true);
      scene.release();
    }
  });

  it("generated rearrange episodes keep objects apart by the width of the fingers", async () => {
    for (const episode of (await made()).episodes) {
      const all = objectsOf(episode).map(({ model, position }) => {
        const [w, d] = catalogueModel(model).shape.sizeM;
        return { position, radiusM: Math.hypot(w, d) / 2 };
      });
      for (const [i, a] of all.entries()) {
        for (const b of all.slice(0, i)) {
          if (Math.abs(a.position[2] - b.position[2]) > 0.2) continue;
          const away = Math.hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]);
          expect(away - a.radiusM - b.radiusM).toBeGreaterThan(0.089);
        }
      }
    }
  });

  it("generated rearrange episodes have objects of their split only, and categories in validation that training lacks", async () => {
    const categories = async (split: string) => {
      const { episodes } = split === "val" ? await made() : await generate(9, split);
      const models = episodes.flatMap(objectsOf).map(({ model }) => model);
      for (const model of models) {
        const [category = "", number] = model.split("/");
        expect(splitOf(category, Number(number))).toBe(split);
      }
      return new Set(models.map((model) => catalogueModel(model).category));
    };
    const [val, train] = [await categories("val"), await categories("train")];
    expect(UNSEEN_CATEGORIES.filter((name) => val.has(name))).not.toEqual([]);
    expect(UNSEEN_CATEGORIES.filter((name) => train.has(name))).toEqual([]);
  });

  it("generated rearrange episodes depend only on the seed and the scene, and stay the same when written and read", async () => {
    const again = await generate(3, "val", "apartment/100");
    const { episodes } = await made();
    const dicts = (list: readonly BaseEpisode[]) => list.map((one) => one.toDict());
    expect(dicts(again.episodes)).toEqual(dicts(episodes.slice(0, 3)));
    const out = join(temporaryFolder(), "val.json.gz");
    await writeSplit({ task: "rearrange", out }, made);
    const read: BaseEpisode[] = [];
    const { formats } = createRegistries();
    for await (const episode of loadEpisodes({ path: out, formats })) read.push(episode);
    expect(dicts(read)).toEqual(dicts(episodes));
  });

  it("generated rearrange episodes begin or end in an open drawer on request, and say so", async () => {
    const options = { task: "rearrange", seed: 3, count: 4, drawers: true };
    const { episodes } = await generateEpisodes({
      ...options,
      scenes: await findScenes("apartment/117-118"),
    });
    for (const { goals: raw, taskConfig, instruction } of episodes) {
      const { start_receptacle, target_location } = goals.parse(raw);
      const [drawer] = z.array(z.object({ name: z.string() })).parse(taskConfig.drawers);
      expect([start_receptacle.name, target_location.receptacle]).toContain(drawer?.name);
      expect(instruction.text).toMatch(/open drawer of the (chest of drawers|dresser)/);
      expect(instruction.text).not.toMatch(/ on the open drawer/);
    }
    const none = { ...options, count: 1, scenes: await findScenes("apartment/100") };
    await expect(generateEpisodes(none)).rejects.toMatchObject({ code: "no_drawer" });
  });

  it("generated rearrange episodes are refused for an unknown split", async () => {
    await expect(generate(1, "test")).rejects.toMatchObject({
      code: "bad_option",
      where: "--split",
    });
  });
});

describe("instructionOf", () => {
  const thing = (name: string, category: string, room?: string, color?: string): Described => {
    return { name, category, room, color };
  };
  const mugs = [thing("a", "mug", "kitchen", "blue"), thing("b", "mug", "kitchen", "red")];
  const desk = thing("desk_1", "desk", "office");
  const beds = [thing("bed_1", "bed", "bedroom"), thing("bed_2", "bed", "living_room")];

  it("instructionOf adds colour or room only where the shorter phrase means several things", () => {
    expect(distinction(desk, [desk, ...beds])).toEqual([]);
    expect(distinction(beds[0] as Described, beds)).toEqual(["room"]);
    expect(distinction(mugs[0] as Described, mugs)).toEqual(["color"]);
    expect(meant(mugs[0] as Described, [], mugs)).toHaveLength(2);
  });

  it("instructionOf gives no instruction if words cannot tell two goals apart", () => {
    const twins = [thing("nightstand_1", "nightstand", "bedroom")];
    const goal = twins[0] as Described;
    const random = { uniform: () => 0.5, pick: <T>(list: readonly T[]) => list[0] as T };
    const errand = {
      object: mugs[0] as Described,
      objects: mugs,
      source: desk,
      goal,
      furniture: [desk, goal],
    };
    expect(instructionOf(random as never, errand)).toBe(
      "Please take the blue mug from the desk to the nightstand.",
    );
    const other = { ...goal, name: "nightstand_2" };
    expect(
      instructionOf(random as never, { ...errand, furniture: [desk, goal, other] }),
    ).toBeUndefined();
  });
});
