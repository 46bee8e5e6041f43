import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadConfig, UnifiedEvaluator, UnifiedRobotEvaluator } from "../../src/index.js";

const shipped = (name: string) =>
  fileURLToPath(new URL(`../../configs/benchmarks/${name}`, import.meta.url));

/** Episodes of each run here; test/soak/navigation-challenges runs all of them. */
const LIMIT = 15;

// The design's integration tests, chapters 14.2 and 11.2 (second). They write no run directory.
describe("test_vln_evaluation", () => {
  it("UnifiedRobotEvaluator evaluates the shipped VLN challenge and reports success", async () => {
    const config = loadConfig(shipped("vln_challenge.yaml"));
    const evaluator = new UnifiedRobotEvaluator(config, { outDir: null, limit: LIMIT });
    const results = await evaluator.run();
    expect("success" in results.aggregated_metrics).toBe(true);
    expect(results.episodes.total).toBeGreaterThan(0);
    expect(results.episodes.invalid).toBe(0);
    expect(results.profiles.vln).toBe("vlnce");
  });

  it("test_vln_evaluation is solved by the shortest-path agent and not by the random one", async () => {
    const run = async (agent: string) => {
      const config = loadConfig(shipped("vln_challenge.yaml"));
      return new UnifiedRobotEvaluator(config, { agent, outDir: null, limit: LIMIT }).run();
    };
    const ceiling = (await run("shortest-path")).aggregated_metrics;
    expect(ceiling.success?.mean).toBe(1);
    expect(ceiling.spl?.mean).toBeGreaterThan(0.9);
    const floor = (await run("random")).aggregated_metrics;
    expect(floor.success?.mean).toBeLessThan(0.5);
  });

  it("test_vln_evaluation is solved on a graph with move_forward and turns only", async () => {
    const config = loadConfig(shipped("vln_graph.yaml"), {
      set: ["vln_task.config.actions=[stop, move_forward, turn_left, turn_right]"],
    });
    const results = await new UnifiedRobotEvaluator(config, {
      agent: "shortest-path",
      outDir: null,
    }).run();
    expect(results.aggregated_metrics.success?.mean).toBe(1);
    expect(results.aggregated_metrics.spl?.mean).toBeCloseTo(1, 9);
  });

  it("UnifiedRobotEvaluator is also exported as UnifiedEvaluator, the other name in the design", () => {
    expect(UnifiedEvaluator).toBe(UnifiedRobotEvaluator);
  });
});
