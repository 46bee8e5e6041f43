import { expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { describeWithSharedData } from "../shared-data.js";
import { robotEvalHere, temporaryFolder } from "../support/cli.js";
import { publishedBenchmark } from "../support/published-benchmark.js";

describeWithSharedData("agents on R2R", () => {
  const folder = "valan_testdata/r2r/testdata";
  const run = (agent: string) => {
    const yaml = publishedBenchmark("r2r", `${folder}/R2R_3scans.json`, `${folder}/connections`);
    return robotEvalHere(["run", yaml, "--agent", agent, "--out", temporaryFolder(), "--json"]);
  };

  it("the shortest-path agent follows every reference path", async () => {
    const { code, stdout } = await run("shortest-path");
    expect(code).toBe(0);
    const { aggregated_metrics: metrics, episodes } = JSON.parse(stdout) as RunResults;
    expect(episodes).toEqual({ total: 36, success: 36, failure: 0, invalid: 0 });
    for (const name of ["success", "spl", "ndtw", "sdtw", "cls"]) {
      expect(metrics[name]?.mean, name).toBeCloseTo(1, 9);
    }
  });

  it("the random agent does not follow the reference paths", async () => {
    const { code, stdout } = await run("random");
    expect(code).toBe(0);
    const { aggregated_metrics } = JSON.parse(stdout) as RunResults;
    expect(aggregated_metrics.success?.mean).toBeLessThan(0.5);
  });
});
