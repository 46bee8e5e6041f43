import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { meanOf, ROOT } from "./manipulation.js";

const CHALLENGES = ["vln", "objectnav", "imagenav"] as const;
type Challenge = (typeof CHALLENGES)[number];

export const GRAPH_BENCHMARK = join(ROOT, "configs/benchmarks/vln_graph.yaml");

export function fileOf(challenge: Challenge): string {
  return join(ROOT, `configs/benchmarks/${challenge}_challenge.yaml`);
}

/** Tests of the shipped navigation challenges on the filtered or first episodes of each. */
export function describeChallenges(
  total: number,
  filter: string | undefined,
  timeout: number,
): void {
  const evaluate = (challenge: Challenge, agent: string): Promise<RunResults> => {
    const options = { agent, outDir: null, ...(filter ? { filter } : { first: total }) };
    return new UnifiedRobotEvaluator(loadConfig(fileOf(challenge)), options).run();
  };

  describe(`${total} episodes of a shipped navigation challenge`, { timeout }, () => {
    it.each(CHALLENGES)("%s are solved by the shortest-path agent", async (challenge) => {
      const { episodes, aggregated_metrics: metrics } = await evaluate(challenge, "shortest-path");
      expect(episodes).toMatchObject({ total, invalid: 0 });
      expect(meanOf(metrics, "success")).toBeGreaterThanOrEqual(0.99);
      expect(meanOf(metrics, "spl")).toBeGreaterThanOrEqual(0.9);
      if (challenge === "vln") expect(meanOf(metrics, "ndtw")).toBeGreaterThanOrEqual(0.9);
    });

    it.each(CHALLENGES)(
      "%s are not solved by the random or the forward agent",
      async (challenge) => {
        for (const agent of ["random", "forward"]) {
          const { episodes, aggregated_metrics: metrics } = await evaluate(challenge, agent);
          expect(episodes).toMatchObject({ total, invalid: 0 });
          expect(meanOf(metrics, "success"), agent).toBeLessThan(0.15);
        }
      },
    );
  });
}
