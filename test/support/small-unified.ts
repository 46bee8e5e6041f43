import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { loadConfig } from "../../src/config/load.js";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { makeWorld, robotEval, robotEvalHere, type World } from "./cli.js";
import { ROOT } from "./manipulation.js";

const SMOKE = join(ROOT, "configs/benchmarks/unified_smoke.yaml");

/** A `--filter` for `unified_smoke` without `rearrange`, whose episodes take as long as all others together. */
export const WITHOUT_REARRANGE = "task=vln|objectnav|image_nav|pick_place|stacking|opening";

/** Expert, random and noisy agents, so that random draws are exercised. */
const AGENTS = [
  ...["vln=noisy:0.3", "objectnav=noisy:0.3", "image_nav=random"],
  ...["pick_place=expert", "stacking=random", "opening=noisy:0.2:expert"],
].join(",");

/** Indices of the navigation episodes: an apartment has five, so these are in two apartments. */
const WALKS = [0, 6];
/** The randomisation level of each manipulation task's one episode. */
const LEVELS: Readonly<Record<string, number>> = { pick_place: 1, stacking: 2, opening: 3 };

/** Episodes of `smallUnified`: two of each navigation task, one of each manipulation task. */
export const SMALL_UNIFIED_EPISODES = 9;

/**
 * The unified smoke benchmark with few, short episodes of every task but `rearrange`, which test/soak/rearrange-runs
 * covers, in a folder of its own. Navigation has actuation noise, and each manipulation task is randomised at another
 * level.
 */
export async function smallUnified(
  sections: Readonly<Record<string, unknown>> = {},
): Promise<World> {
  const world = makeWorld();
  const { config, document } = loadConfig(SMOKE);
  const { formats } = createRegistries();
  const dataset: Record<string, object> = {};
  for (const { name, type, dataset: section } of config.tasks) {
    if (name === "rearrange") continue;
    const level = LEVELS[name];
    const indices = level === undefined ? WALKS : [0];
    const all: object[] = [];
    for await (const episode of loadEpisodes({ path: join(ROOT, section.data_path), formats })) {
      all.push(episode.toDict());
      if (all.length > Math.max(...indices)) break;
    }
    const episodes = indices.map((i) => randomised(all[i] ?? {}, level));
    world.write(`small/${name}.json`, { format: "robot-eval-episodes/1", episodes });
    dataset[name] = { type, data_path: `small/${name}.json` };
  }
  const { rearrange_task: _, ...rest } = document;
  const benchmark = {
    ...rest,
    dataset,
    simulator: { backend: "abstract", actuation_noise: { forward: 0.03, turn: 2 } },
    evaluation: { max_steps: 40, timeout: 300, seed: 1 },
    agent: AGENTS,
    ...sections,
  };
  world.write("benchmark.yaml", stringify(benchmark));
  return world;
}

/** Runs `smallUnified` and returns the run's folder. One worker runs in this process. */
export async function runSmallUnified(
  world: World,
  workers: number,
  ...flags: readonly string[]
): Promise<string> {
  const args = ["run", world.yaml, "--out", world.out, "--json", "--workers", String(workers)];
  const command = workers === 1 ? robotEvalHere : robotEval;
  const { code, stdout, stderr } = await command([...args, ...flags], world.root);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as RunResults).run_dir ?? "";
}

function randomised(episode: object, level: number | undefined): object {
  if (level === undefined) return episode;
  const task_config = "task_config" in episode ? (episode.task_config as object) : {};
  return { ...episode, task_config: { ...task_config, randomization: { level, seed: level } } };
}
