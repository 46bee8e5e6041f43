import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { describeWithSharedData } from "../shared-data.js";
import { linesOf, temporaryFolder } from "../support/cli.js";
import { publishedBenchmark } from "../support/published-benchmark.js";

/** A line without its wall-clock times. */
function untimed({ wall_ms, sim_ms, agent_ms, agent_latency_ms, ...line }: EpisodeLine) {
  expect([wall_ms, sim_ms, agent_ms].every((ms) => ms >= 0)).toBe(true);
  expect(agent_latency_ms).not.toBeNull();
  return line;
}

describeWithSharedData("agents on NDH val_unseen", () => {
  const evaluate = (agent: string, outDir: string) => {
    const yaml = publishedBenchmark("ndh", "ndh/val_unseen.json", "connectivity");
    return new UnifiedRobotEvaluator(loadConfig(yaml), { agent, outDir }).run();
  };

  it("the shortest-path agent solves all 907 NDH episodes on the shortest path, zero-length ones included", async () => {
    const results = await evaluate("shortest-path", temporaryFolder());
    expect(results.episodes).toEqual({ total: 907, success: 907, failure: 0, invalid: 0 });
    const lines = await linesOf(results.run_dir);
    for (const { metrics } of lines) {
      expect(metrics.success).toBe(1);
      expect(metrics.spl).toBeCloseTo(1, 12);
      expect(metrics.navigation_error).toBe(0);
    }
    const standing = lines.filter(({ metrics }) => metrics.path_length === 0);
    expect(standing.length).toBeGreaterThan(0);
  });

  it("the random agent succeeds in less than 20 % on NDH, with the same bytes in every run", async () => {
    const [first, second] = await Promise.all(
      [temporaryFolder(), temporaryFolder()].map((folder) => evaluate("random", folder)),
    );
    expect(first?.aggregated_metrics.success?.mean).toBeLessThan(0.2);
    expect(first?.aggregated_metrics.success?.ci95?.[1]).toBeLessThan(0.2);

    const [one, two] = [first?.run_dir ?? "", second?.run_dir ?? ""];
    expect((await linesOf(two)).map(untimed)).toEqual((await linesOf(one)).map(untimed));
    const names = readdirSync(join(one, "trajectories"));
    expect(names).toHaveLength(907);
    expect(readdirSync(join(two, "trajectories"))).toEqual(names);
    for (const name of names) {
      const [a, b] = [one, two].map((run) => readFileSync(join(run, "trajectories", name)));
      if (!a || !b?.equals(a)) expect.fail(`${name} differs between the runs`);
    }
  });
});
