import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { BaseEpisode } from "../../src/core/episode/base.js";
import { findProblems } from "../../src/dataset/lint/lint.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { isReachable } from "../../src/simulator/navigation/reachability.js";

const { formats } = createRegistries();
const pathOf = (split: string) =>
  fileURLToPath(new URL(`../../data/rearrange/${split}.json.gz`, import.meta.url));

const drawerEpisode = z.object({
  drawers: z.array(z.object({ name: z.string() })),
  start_receptacle: z.object({ name: z.string() }),
  target_location: z.object({ receptacle: z.string() }),
});

async function episodesOf(split: string): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of loadEpisodes({ path: pathOf(split), formats })) episodes.push(one);
  return episodes;
}

describe.each(["val", "train"])("the %s split of data/rearrange", (split) => {
  it("a split of data/rearrange has five episodes in each of 20 apartments, and no two alike", async () => {
    const episodes = await episodesOf(split);
    const counts = new Map<string, number>();
    for (const { sceneId } of episodes) counts.set(sceneId, (counts.get(sceneId) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array.from({ length: 20 }, () => 5));
    expect(new Set(episodes.map(({ startState }) => JSON.stringify(startState))).size).toBe(100);
  });

  it("a split of data/rearrange has no problem that lint knows, and the robot reaches every object and goal", async () => {
    const reachable = (episode: BaseEpisode) => isReachable(episode, undefined);
    const problems = findProblems({ path: pathOf(split), formats, reachable });
    for await (const problem of problems) expect(problem).toBeUndefined();
  });
});

describe("data/rearrange/drawers", () => {
  it("data/rearrange/drawers has an open drawer at one end of each of ten episodes in as many apartments, and no problem that lint knows", async () => {
    const episodes = await episodesOf("drawers");
    expect(new Set(episodes.map(({ sceneId }) => sceneId)).size).toBe(10);
    const ends = episodes.map(({ goals, taskConfig }) => {
      const { drawers, start_receptacle, target_location } = drawerEpisode.parse({
        ...goals,
        ...taskConfig,
      });
      const isEnd = ({ name }: { readonly name: string }) =>
        [start_receptacle.name, target_location.receptacle].includes(name);
      return drawers.filter(isEnd).length;
    });
    expect(ends).toEqual(episodes.map(() => 1));
    const reachable = (episode: BaseEpisode) => isReachable(episode, undefined);
    const problems = findProblems({ path: pathOf("drawers"), formats, reachable });
    for await (const problem of problems) expect(problem).toBeUndefined();
  });
});

describe("the splits of data/rearrange", () => {
  it("the splits of data/rearrange share no apartment and no model", async () => {
    const [val, train] = [await episodesOf("val"), await episodesOf("train")];
    const scenes = (list: readonly BaseEpisode[]) => new Set(list.map(({ sceneId }) => sceneId));
    expect([...scenes(val)].filter((id) => scenes(train).has(id))).toEqual([]);
    const models = (list: readonly BaseEpisode[]) =>
      new Set(JSON.stringify(list.map(({ taskConfig }) => taskConfig)).match(/"model":"[^"]+"/g));
    expect([...models(val)].filter((model) => models(train).has(model))).toEqual([]);
  });
});
