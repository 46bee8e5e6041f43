import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { loadConfig } from "../../src/config/load.js";
import type { Agent } from "../../src/core/interfaces/agent.js";
import { isImage } from "../../src/core/interfaces/observation.js";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { createRegistries } from "../../src/registry/registries.js";
import { readTrajectory } from "../../src/runs/directory/trajectory.js";
import { makeWorld, temporaryFolder } from "../support/cli.js";
import { runOf, settled, shippedEpisodes } from "../support/manipulation.js";
import { sampled } from "../support/sampled.js";

/** For busy machines. */
const TIMEOUT_MS = 180_000;

/** Randomisations of one shipped episode. */
const WAYS = {
  l0: { level: 0, seed: 7 },
  l1: { level: 1, seed: 7 },
  l2: { level: 2, seed: 7 },
  l3: { level: 3, seed: 7 },
  otherwise: { level: 3, seed: 8 },
  physics: { level: 0, physics: true, seed: 7 },
  "other-physics": { level: 0, physics: true, seed: 8 },
} as const;
type Way = keyof typeof WAYS;
const NAMES = Object.keys(WAYS) as Way[];

async function makeBenchmark(): Promise<string> {
  const world = makeWorld();
  const [episode] = await shippedEpisodes("pick_place");
  const episodes = NAMES.map((name) => ({
    ...episode?.toDict(),
    episode_id: name,
    reference_data: null,
    task_config: { ...episode?.taskConfig, randomization: WAYS[name] },
  }));
  world.write("episodes.json", { format: "robot-eval-episodes/1", episodes });
  return world.write(
    "benchmark.yaml",
    stringify({
      benchmark: { name: "randomised" },
      pick_place_task: { type: "pick_place", config: { robot_type: "stretch" } },
      dataset: { pick_place: { type: "pick_place", data_path: "episodes.json" } },
      simulator: { sensors: { rgb_head: { width: 64, height: 48 }, qpos: {} } },
    }),
  );
}

interface WatchedRun {
  readonly results: RunResults;
  /** Digests of the head camera's first image, by episode. */
  readonly pictures: ReadonlyMap<string, string>;
}

function digestOf(picture: unknown): string {
  if (!isImage(picture)) throw new Error("the head camera gave no picture");
  return createHash("sha256").update(picture.data).digest("hex");
}

/** Runs the expert and records its first head camera image of each episode. */
async function runExpert(benchmark: string, ...set: readonly string[]): Promise<WatchedRun> {
  const registries = createRegistries();
  const pictures = new Map<string, string>();
  registries.agents.register("onlooker", {
    description: "the expert, watched",
    wraps: () => "expert",
    create: async ({ agent }): Promise<Agent> => {
      const expert = await agent?.("expert");
      if (!expert) throw new Error("there is no expert");
      let id = "";
      return {
        reset(episode) {
          id = episode.episodeId;
          return expert.reset(episode);
        },
        act(observation) {
          if (!pictures.has(id)) pictures.set(id, digestOf(observation.rgb_head));
          return expert.act(observation);
        },
      };
    },
  });
  const evaluator = new UnifiedRobotEvaluator(loadConfig(benchmark, { set }), {
    ...{ registries, agent: "onlooker", outDir: temporaryFolder(), workers: 1 },
  });
  return { results: await evaluator.run(), pictures };
}

describe("randomised manipulation episodes", () => {
  let benchmark: string;
  let seen: WatchedRun;
  let lines: Awaited<ReturnType<typeof settled>>;
  beforeAll(async () => {
    benchmark = await makeBenchmark();
    seen = await runExpert(benchmark);
    lines = await settled(seen.results);
  }, TIMEOUT_MS);

  const endOf = (way: Way) => lines.get(`pick_place/tabletop/${way}`)?.final_state_hash;
  const pictureOf = (way: Way) => seen.pictures.get(way);

  it("randomised episodes are valid and solved by the expert", () => {
    const total = NAMES.length;
    expect(seen.results.episodes).toMatchObject({ total, success: total, invalid: 0 });
  });

  it("images differ for each level and seed, but not for another mass or friction", () => {
    const looks = (["l0", "l1", "l2", "l3", "otherwise"] as const).map(pictureOf);
    expect(looks).not.toContain(undefined);
    expect(new Set(looks).size).toBe(looks.length);
    expect(pictureOf("physics")).toBe(pictureOf("l0"));
  });

  it("motion does not depend on camera and light, but on mass and friction", () => {
    expect(endOf("l2")).toBe(endOf("l1"));
    expect(endOf("l3")).toBe(endOf("l1"));
    expect(new Set((["l0", "physics", "other-physics"] as const).map(endOf)).size).toBe(3);
  });

  it(
    "randomised episodes are identical for the same seed, also in another process with two workers",
    async () => {
      const { pictures } = await runExpert(benchmark, "evaluation.max_steps=1");
      expect(pictures).toEqual(seen.pictures);
      // Together the two use every kind of randomisation.
      const both = sampled(["l3", "other-physics"], 1);
      const some = ["--filter", `id=${both.join("|")}`];
      const elsewhere = await runOf(benchmark, "--agent", "expert", "--workers", "2", ...some);
      const again = await settled(elsewhere);
      expect(again.size).toBe(both.length);
      for (const [key, line] of again) expect(line).toEqual(lines.get(key));
    },
    TIMEOUT_MS,
  );

  it("trajectories record the randomisation level and seed", async () => {
    for (const { trajectory, episode_id } of lines.values()) {
      const path = join(seen.results.run_dir ?? "", trajectory ?? "");
      const { episode } = await readTrajectory(path);
      expect(episode.taskConfig.randomization).toEqual(WAYS[episode_id as Way]);
    }
  });
});
