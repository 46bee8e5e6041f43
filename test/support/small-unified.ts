import { join } from "node:path";
import { stringify } from "yaml";
import { loadConfig } from "../../src/config/load.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { makeWorld, type World } from "./cli.js";
import { ROOT } from "./manipulation.js";

const SMOKE = join(ROOT, "configs/benchmarks/unified_smoke.yaml");

/** Some that know the way, some that do not, and some that mistake it: what is drawn by chance is drawn a lot. */
const AGENTS = [
  ...["vln=noisy:0.3", "objectnav=noisy:0.3", "image_nav=random"],
  ...["pick_place=expert", "stacking=random", "opening=noisy:0.2:expert"],
].join(",");

/** Which of a dataset's episodes: the apartments have five each, and these are in several. */
const WALKS = [0, 3, 6, 9];
const TASKS_WITH_HANDS = new Set(["pick_place", "stacking", "opening"]);

/**
 * The unified smoke benchmark with few episodes of every task, short ones, in a folder of its own. Bodies err
 * when they move, and each manipulation episode is randomised by another level.
 */
export async function smallUnified(
  sections: Readonly<Record<string, unknown>> = {},
): Promise<World> {
  const world = makeWorld();
  const { config, document } = loadConfig(SMOKE);
  const { formats } = createRegistries();
  const dataset: Record<string, object> = {};
  for (const { name, type, dataset: section } of config.tasks) {
    const all: object[] = [];
    for await (const episode of loadEpisodes({ path: join(ROOT, section.data_path), formats })) {
      all.push(episode.toDict());
      if (all.length === 10) break;
    }
    const episodes = TASKS_WITH_HANDS.has(name)
      ? all.slice(0, 3).map((episode, i) => randomised(episode, i + 1))
      : WALKS.map((i) => all[i]);
    world.write(`small/${name}.json`, { format: "robot-eval-episodes/1", episodes });
    dataset[name] = { type, data_path: `small/${name}.json` };
  }
  const benchmark = {
    ...document,
    dataset,
    simulator: { backend: "abstract", actuation_noise: { forward: 0.03, turn: 2 } },
    evaluation: { max_steps: 40, timeout: 300, seed: 1 },
    agent: AGENTS,
    ...sections,
  };
  world.write("benchmark.yaml", stringify(benchmark));
  return world;
}

function randomised(episode: object, level: number): object {
  const task_config = "task_config" in episode ? (episode.task_config as object) : {};
  return { ...episode, task_config: { ...task_config, randomization: { level, seed: level } } };
}
