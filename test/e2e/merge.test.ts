import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { replayRun } from "../../src/evaluator/check/replay/replay-run.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { resumeRun } from "../../src/evaluator/resume.js";
import { createRegistries } from "../../src/registry/registries.js";
import { mergeRuns } from "../../src/runs/merge/merge-runs.js";
import { scoreRun } from "../../src/runs/score/score-run.js";
import { robotEvalHere, temporaryFolder } from "../support/cli.js";
import { contentOf } from "../support/run-content.js";
import { IS_SOAK } from "../support/sampled.js";
import { WITHOUT_REARRANGE } from "../support/small-unified.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Episodes of each task. */
const EACH = 3;

describe("the unified smoke benchmark", async () => {
  const out = temporaryFolder();
  const loaded = loadConfig(join(root, "configs/benchmarks/unified_smoke.yaml"), {
    set: ["evaluation.max_steps=30"],
  });
  const run = (options: EvaluatorOptions = {}) =>
    new UnifiedRobotEvaluator(loaded, {
      agent: "random",
      limit: EACH,
      filter: WITHOUT_REARRANGE,
      outDir: out,
      ...options,
    }).run();
  const merged = async (paths: readonly string[]) => {
    const { run_dir } = await mergeRuns({ paths, outDir: out, registries: createRegistries() });
    return run_dir ?? "";
  };
  const whole = await run();
  const expected = await contentOf(whole.run_dir ?? "");
  const shard = async (i: number, n: number) => (await run({ shard: `${i}/${n}` })).run_dir ?? "";

  it("the unified smoke benchmark has seven tasks, and episodes of the six that are run here", () => {
    expect(loaded.config.tasks).toHaveLength(7);
    expect(expected.lines).toHaveLength(6 * EACH);
    expect(new Set(expected.lines.map(({ task }) => task)).size).toBe(6);
  });

  it("two merged shards, one of them resumed, equal an unsharded run", async () => {
    const first = await shard(1, 2);
    const stop = new AbortController();
    let seen = 0;
    const cut = await run({
      shard: "2/2",
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "episode" && ++seen === 4) stop.abort();
      },
    });
    expect(cut.status).toBe("cancelled");
    const paths = [first, cut.run_dir ?? ""];
    await expect(merged(paths)).rejects.toMatchObject({ code: "incomplete" });
    await resumeRun(cut.run_dir ?? "");
    expect(await contentOf(await merged(paths))).toEqual(expected);
  });

  it.runIf(IS_SOAK)(
    "three shards merged in any order equal an unsharded run and can be replayed",
    async () => {
      const path = await merged([await shard(2, 3), await shard(3, 3), await shard(1, 3)]);
      expect(await contentOf(path)).toEqual(expected);
      const replayed = await replayRun(path, { workers: 1 });
      expect(replayed).toMatchObject({
        total: 6 * EACH,
        equal: 6 * EACH,
        different: [],
        skipped: [],
      });
    },
  );

  it("a rescored run has the same results", async () => {
    const { run_dir } = await scoreRun({
      path: whole.run_dir ?? "",
      outDir: out,
      registries: createRegistries(),
    });
    expect(await contentOf(run_dir ?? "")).toEqual(expected);
  });

  it("the thresholds of the benchmark are checked when shards are merged, not in a shard", async () => {
    const smoke = join(root, "configs/benchmarks/unified_smoke.yaml");
    const parts = join(out, "parts");
    const flags = ["--filter", "task=vln", "--limit", "2", "--agent", "random", "--out", parts];
    const set = ["--set", 'evaluation.thresholds=["vln.success>=0.9"]'];
    for (const i of [1, 2]) {
      const shard = ["--shard", `${i}/2`, "--run-id", `shard-${i}`];
      const { code, stderr } = await robotEvalHere(["run", smoke, ...flags, ...set, ...shard]);
      expect(code, stderr).toBe(0);
    }
    const paths = [1, 2].map((i) => join(parts, `shard-${i}`));
    expect(await robotEvalHere(["merge", ...paths, "--out", parts])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("threshold missed: vln.success is 0"),
    });
  });

  it("a run can be rescored with other settings", async () => {
    const flags = ["--set", "vln_task.config.success_distance=1000", "--json", "--out", out];
    const { code, stdout } = await robotEvalHere(["score", whole.run_dir ?? "", ...flags]);
    const results = JSON.parse(stdout) as RunResults;
    expect(code).toBe(0);
    expect(whole.per_task.vln?.success?.mean).toBe(0);
    // With this distance every episode that stopped is a success.
    const stopped = expected.lines.filter(
      ({ task, end_reason }) => task === "vln" && end_reason === "stop",
    );
    expect(stopped.length).toBeGreaterThan(0);
    expect(results.per_task.vln?.success?.mean).toBe(stopped.length / EACH);
    expect(results.per_task.objectnav).toEqual(whole.per_task.objectnav);
  });

  it("score reports a missed threshold and an unknown metric", async () => {
    const score = (threshold: string) =>
      robotEvalHere(["score", whole.run_dir ?? "", "--out", out, "--threshold", threshold]);
    expect(await score("spl=0.5")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("threshold missed: spl is"),
    });
    expect(await score("spl=0")).toMatchObject({ code: 0 });
    const before = readdirSync(out);
    expect(await score("slp=0")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "spl"?'),
    });
    expect(readdirSync(out)).toEqual(before);
  });
});
