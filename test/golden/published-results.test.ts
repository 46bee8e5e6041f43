import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { aggregate } from "../../src/core/metric/base.js";
import { createRegistries } from "../../src/registry/registries.js";
import { scoreSubmission } from "../../src/runs/score/score-submission.js";
import { Summariser } from "../../src/runs/summary/summary.js";
import { meanInterval } from "../../src/stats/mean-interval.js";
import { wilsonInterval } from "../../src/stats/wilson.js";
import { describeWithSharedData, sharedData } from "../shared-data.js";
import { episodeLine, linesOf, robotEval, temporaryFolder } from "../support/cli.js";

const readJson = (path: string): unknown => JSON.parse(readFileSync(sharedData(path), "utf8"));

// weituo12321/PREVALENT_R2R (MIT): NDH val_unseen, one agent's trajectories at iteration 100 and the
// authors' log of their scores.
describeWithSharedData("the NDH authors' log", () => {
  const files = () => ({
    path: sharedData(
      "ndh/val-seq2seq-all-trusted_path-40-sample-imagenet_val_unseen_iter_100.json",
    ),
    dataset: sharedData("ndh/val_unseen.json"),
    connectivity: sharedData("connectivity"),
  });

  function expectPublished(results: RunResults): void {
    expect(results.episodes).toMatchObject({ total: 907, success: 129, failure: 778, invalid: 0 });
    expect(results.profiles).toEqual({ vln: "ndh" });
    const published = {
      success: 0.1422271223814774,
      spl: 0.12502117475034094,
      navigation_error: 11.008166007522911,
      path_length: 8.9306352492505,
      oracle_success: 0.3153252480705623,
      goal_progress: 0.3964895357572,
    };
    for (const [metric, value] of Object.entries(published)) {
      const found = results.aggregated_metrics[metric];
      expect(found?.mean, metric).toBeCloseTo(value, 9);
      expect(found?.count, metric).toBe(907);
      expect(found?.ci95?.[0], metric).toBeLessThan(value);
      expect(found?.ci95?.[1], metric).toBeGreaterThan(value);
    }
  }

  it("the library detects the submission format and reproduces the published NDH log", async () => {
    const registries = createRegistries();
    expectPublished(await scoreSubmission({ ...files(), outDir: null, registries }));
  });

  it("the command line reproduces the published NDH log", async () => {
    const cwd = temporaryFolder();
    // Relative paths, as on a command line.
    const { path, dataset, connectivity } = files();
    const args = ["score", relative(cwd, path), "--format", "ndh", "--json", "--out", "out"];
    const data = ["--dataset", relative(cwd, dataset)];
    const graphs = ["--connectivity", relative(cwd, connectivity)];
    const { code, stdout, stderr } = await robotEval([...args, ...data, ...graphs], cwd);
    expect(code, stderr).toBe(0);
    const results = JSON.parse(stdout) as RunResults;
    expectPublished(results);
    expect(await linesOf(join(cwd, results.run_dir ?? ""))).toHaveLength(907);
  });
});

// YicongHong/Discrete-Continuous-VLN (MIT): the results of one agent (CMA) on R2R-CE val_unseen, by
// episode, and the authors' own means of them.
describeWithSharedData("the R2R-CE results of CMA", () => {
  const folder = "r2r_ce_results/cont-cwp-cma-ori";
  type Values = Readonly<Record<string, number>>;
  const read = () => ({
    episodes: Object.values(
      readJson(`${folder}.stats_ep_ckpt_0_val_unseen_r0_w1.json`) as Record<string, Values>,
    ),
    means: readJson(`${folder}.stats_ckpt_0_val_unseen.json`) as Values,
  });

  it.each([
    ["success", 0.4061990212071778, "wilson"],
    ["spl", 0.35501181822860045, "student_t"],
    ["ndtw", 0.5506243230031852, "student_t"],
  ])("aggregated CMA results have %s %f over 1839 episodes", (metric, published, method) => {
    const values = read().episodes.map((episode) => episode[metric] ?? Number.NaN);
    const { mean, count } = aggregate(values);
    expect(count).toBe(1839);
    expect(mean).toBeCloseTo(published, 12);
    const kind = metric === "success" ? "rate" : "mean";
    const found = meanInterval(values, { kind });
    expect(found.method).toBe(method);
    expect(found.interval?.[0]).toBeLessThan(published);
    expect(found.interval?.[1]).toBeGreaterThan(published);
  });

  it("all metrics match the published means", () => {
    const { episodes, means } = read();
    for (const [metric, mean] of Object.entries(means)) {
      const values = episodes.map((episode) => episode[metric] ?? Number.NaN);
      expect(aggregate(values).mean, metric).toBeCloseTo(mean, 9);
    }
  });
});

// allenai/vla-evaluation-harness (Apache-2.0): OpenVLA-OFT on the four LIBERO suites, 500 episodes each.
describeWithSharedData("the LIBERO results of OFT", () => {
  interface Results {
    readonly tasks: readonly { readonly episodes: readonly { readonly success: boolean }[] }[];
  }

  it.each([
    ["spatial", 97.2, 486],
    ["object", 97.0, 485],
    ["goal", 97.8, 489],
    ["10", 95.8, 479],
  ])("aggregated OFT results on %s have a success rate of %f %%", (suite, percent, successes) => {
    const { tasks } = readJson(`libero_results/oft-joint.libero_${suite}.json`) as Results;
    const values = tasks.flatMap((task) => task.episodes.map(({ success }) => (success ? 1 : 0)));
    const { mean, count } = aggregate(values);
    expect(count).toBe(500);
    expect(values.filter((value) => value === 1)).toHaveLength(successes);
    expect(100 * (mean ?? Number.NaN)).toBeCloseTo(percent, 10);
    const { interval, method } = meanInterval(values, { kind: "rate" });
    expect(method).toBe("wilson");
    expect(interval).toEqual(wilsonInterval(successes, 500));
    expect(interval?.[0]).toBeLessThan(percent / 100);
    expect(interval?.[1]).toBeGreaterThan(percent / 100);
  });
});

// The published 92.6 % of a LIBERO run included 30 episodes that timed out before their first action.
it("30 cold starts among 500 LIBERO episodes are reported separately from the success rate", () => {
  const success = {
    name: "manip_success",
    summary: "",
    unit: "1",
    direction: "higher",
    range: [0, 1],
    kind: "rate",
    needs: { state: [] },
  } as const;
  const task = { profile: "design", primaryMetric: success.name, metrics: [success] };
  const summariser = new Summariser({
    runId: "r",
    benchmark: "LIBERO",
    agent: "a",
    seed: 0,
    tasks: { pick: task },
  });
  for (let i = 0; i < 500; i++) {
    const episode = { task: "pick", episode_id: String(i) };
    const line =
      i < 470
        ? episodeLine({ ...episode, metrics: { manip_success: i < 463 ? 1 : 0 } })
        : episodeLine({ ...episode, outcome: "invalid", fault: "agent", end_reason: "timeout" });
    summariser.add(line);
  }
  const { manip_success } = summariser.finish("done").aggregated_metrics;
  expect(manip_success).toMatchObject({ mean: 463 / 470, count: 470, n_invalid: 30 });
  expect(manip_success?.mean).toBeCloseTo(0.985, 3);
});
