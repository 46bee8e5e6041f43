import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { createRegistries } from "../../src/registry/registries.js";
import { scoreResults } from "../../src/runs/score/score-results.js";
import { wilsonInterval } from "../../src/stats/wilson.js";
import { describeWithSharedData, sharedData } from "../shared-data.js";

const imported = (file: string) =>
  scoreResults({ path: sharedData(file), outDir: null, registries: createRegistries() });

// YicongHong/Discrete-Continuous-VLN (MIT): CMA with waypoints on R2R-CE val_unseen, by episode, and the
// authors' means over them.
describeWithSharedData("the R2R-CE results of CMA", () => {
  const name = "r2r_ce_results/cont-cwp-cma-ori.stats";
  let results: Awaited<ReturnType<typeof imported>>;
  let metrics: typeof results.aggregated_metrics;
  beforeAll(async () => {
    results = await imported(`${name}_ep_ckpt_0_val_unseen_r0_w1.json`);
    metrics = results.aggregated_metrics;
  });

  it.each([
    ["success", 0.4061990212071778, "wilson"],
    ["spl", 0.35501181822860045, "student_t"],
    ["ndtw", 0.5506243230031852, "student_t"],
  ])("imported CMA results have %s %f over 1839 episodes", (metric, published, method) => {
    expect(metrics[metric]).toMatchObject({ count: 1839, n_invalid: 0, ci_method: method });
    expect(metrics[metric]?.mean).toBeCloseTo(published, 12);
  });

  it("every metric equals the published mean, which lies within its interval", () => {
    const text = readFileSync(sharedData(`${name}_ckpt_0_val_unseen.json`), "utf8");
    const means = Object.entries(JSON.parse(text) as Record<string, number>);
    expect(Object.keys(metrics).sort()).toEqual(means.map(([metric]) => metric).sort());
    for (const [metric, mean] of means) {
      const found = metrics[metric];
      expect(found?.count, metric).toBe(1839);
      expect(found?.mean, metric).toBeCloseTo(mean, 9);
      expect(found?.ci95?.[0], metric).toBeLessThan(mean);
      expect(found?.ci95?.[1], metric).toBeGreaterThan(mean);
    }
  });

  it("imported success decides the outcome", () => {
    expect(results.episodes).toEqual({ total: 1839, success: 747, failure: 1092, invalid: 0 });
    expect(metrics.success?.ci95).toEqual(wilsonInterval(747, 1839));
    expect(results.warnings).toEqual([]);
  });

  it("a file of means is rejected with a request for results by episode", async () => {
    await expect(imported(`${name}_ckpt_0_val_unseen.json`)).rejects.toMatchObject({
      code: "only_means",
      hint: expect.stringContaining("stats_ep_ckpt_0_val_unseen_r0_w1.json"),
    });
  });
});

// allenai/vla-evaluation-harness (Apache-2.0): OpenVLA-OFT on the four LIBERO suites, 500 episodes each.
describeWithSharedData("the LIBERO results of OFT", () => {
  it.each([
    ["spatial", 97.2, 486],
    ["object", 97.0, 485],
    ["goal", 97.8, 489],
    ["10", 95.8, 479],
  ])(
    "imported OFT results on %s have a success rate of %f %%",
    async (suite, percent, successes) => {
      const file = `libero_results/oft-joint.libero_${suite}.json`;
      const { aggregated_metrics, per_scene, episodes, warnings } = await imported(file);
      expect(episodes).toMatchObject({ total: 500, success: successes, invalid: 0 });
      expect(aggregated_metrics.success).toMatchObject({
        count: 500,
        ci_method: "wilson_scenes",
      });
      // Ten scenes of 50 episodes, which are worth at most 500 independent ones.
      const [low = 1, high = 0] = wilsonInterval(successes, 500) ?? [];
      expect(aggregated_metrics.success?.ci95?.[0]).toBeLessThanOrEqual(low);
      expect(aggregated_metrics.success?.ci95?.[1]).toBeGreaterThanOrEqual(high);
      expect(100 * (aggregated_metrics.success?.mean ?? Number.NaN)).toBeCloseTo(percent, 10);
      expect(aggregated_metrics.success?.pooling).toBeUndefined();
      expect(warnings).toEqual([]);

      const text = readFileSync(sharedData(file), "utf8");
      const { tasks } = JSON.parse(text) as {
        tasks: { task: string; success_rate: number; avg_steps: number }[];
      };
      const rates = per_scene.manipulation?.map(({ scene_id, mean, count }) => [
        scene_id,
        mean,
        count,
      ]);
      expect(rates).toEqual(tasks.map(({ task, success_rate }) => [task, success_rate, 50]));
      const steps = tasks.reduce((sum, task) => sum + task.avg_steps, 0) / tasks.length;
      expect(aggregated_metrics.steps?.mean).toBeCloseTo(steps, 9);
      expect(aggregated_metrics.steps?.ci_method).toBe("cluster_t");
    },
  );
});
