import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { linesOf, makeWorld, robotEval, type World } from "../support/cli.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";
import { meanOf, ROOT, runOf } from "../support/manipulation.js";

/** The first episode takes an object out of a drawer, the second puts one into a drawer. */
const EPISODES = evidenceSize({ full: 10, soak: 2 });
const LEAST_SUCCESS = evidenceSize({ full: 0.9, soak: 1 });

/** The second shipped episode with its drawer closed; the way to the drawer is taken twice. */
async function closedBenchmark(world: World): Promise<string> {
  const { formats } = createRegistries();
  const path = join(ROOT, "data/rearrange/drawers.json.gz");
  for await (const episode of loadEpisodes({ path, formats })) {
    if (episode.episodeId !== "2") continue;
    const dict = episode.toDict();
    const drawers = [{ name: "chest_of_drawers_1_drawer_2", opened: 0 }];
    const closed = { ...dict, task_config: { ...dict.task_config, drawers } };
    const file = { format: "robot-eval-episodes/1", episodes: [closed] };
    world.write("closed.json", JSON.stringify(file));
  }
  return world.write(
    "closed.yaml",
    stringify({
      benchmark: { name: "closed" },
      rearrange_task: { type: "rearrange" },
      dataset: { rearrange: { type: "rearrange", data_path: "closed.json" } },
      simulator: { sensors: { gps: {} } },
      evaluation: { timeout: 3600, max_steps: 7000 },
    }),
  );
}

it("the expert pulls a closed drawer open by its handle before it puts an object into it", async () => {
  const benchmark = await closedBenchmark(makeWorld());
  const run = await runOf(benchmark, "--agent", "expert");
  const [line] = await linesOf(run.run_dir);
  expect(line?.explanation).toMatch(/placed it in the drawer/);
  expect(line?.outcome).toBe("success");
}, 3_600_000);

it("the expert solves shipped episodes with drawers, and a replay with another worker is equal to the bit", async () => {
  const benchmark = join(ROOT, "configs/benchmarks/rearrange_drawers.yaml");
  const sensors = ["rgb_head", "depth_head", "semantic_head", "rgb_wrist"].flatMap((name) => [
    "--set",
    `simulator.sensors.${name}=false`,
  ]);
  const run = await runOf(benchmark, "--first", String(EPISODES), "--workers", "2", ...sensors);
  const metrics = run.per_task.rearrange;
  writeEvidence("rearrange-drawers", "Shipped rearrange episodes with drawers", [
    {
      agent: "expert",
      n: EPISODES,
      manip_success: meanOf(metrics, "manip_success"),
      interval: String(metrics?.manip_success?.ci95),
    },
  ]);
  const lines = await linesOf(run.run_dir);
  const reasons = lines.map(({ episode_key, explanation }) => `${episode_key}: ${explanation}`);
  expect(meanOf(metrics, "manip_success"), reasons.join("\n")).toBeGreaterThanOrEqual(
    LEAST_SUCCESS,
  );
  const replay = await robotEval(["replay", String(run.run_dir), "--workers", "1"], ROOT);
  expect(replay.code, replay.stderr).toBe(0);
}, 3_600_000);
