import { join } from "node:path";
import { expect, it } from "vitest";
import { linesOf, robotEval } from "../support/cli.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";
import { meanOf, ROOT, runOf } from "../support/manipulation.js";

/** The first episode takes an object out of a drawer, the second puts one into a drawer. */
const EPISODES = evidenceSize({ full: 10, soak: 2 });
const LEAST_SUCCESS = evidenceSize({ full: 0.9, soak: 1 });

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
