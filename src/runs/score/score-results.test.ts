import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf, temporaryFolder } from "../../../test/support/cli.js";
import { RobotEvalError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import { wilsonInterval } from "../../stats/wilson.js";
import { compareRuns } from "../compare/compare.js";
import { RunDirectory } from "../directory/run-directory.js";
import { type ScoreResultsOptions, scoreResults } from "./score-results.js";
import { scoreRun } from "./score-run.js";

const folder = temporaryFolder();
let files = 0;

function write(content: string | Uint8Array | object, name = `${files++}.results`): string {
  const path = join(folder, name);
  const raw = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(path, raw ? content : JSON.stringify(content));
  return path;
}

function score(
  content: string | Uint8Array | object,
  options: Partial<ScoreResultsOptions> = {},
  name?: string,
) {
  const path = write(content, name);
  return scoreResults({ path, outDir: null, registries: createRegistries(), ...options });
}

/** Ten tasks of 50 episodes: the first 30 episodes never received a first action, 7 failed. */
function coldStarts() {
  const tasks = Array.from({ length: 10 }, (_, t) => ({
    task: `task ${t}`,
    episodes: Array.from({ length: 50 }, (_unused, e) => {
      const n = 50 * t + e;
      if (n < 30) return { success: false, steps: 0, elapsed_sec: 300, episode_id: e };
      return { success: n >= 37, steps: 100 + e, elapsed_sec: 10, episode_id: e };
    }),
  }));
  return { benchmark: "LIBEROBenchmark_libero_goal", mode: "sync", tasks };
}

describe("30 cold starts among 500 LIBERO episodes", async () => {
  const results = await score(coldStarts(), { outDir: temporaryFolder() });

  it("cold starts are reported separately and excluded from the rate", () => {
    expect(results.aggregated_metrics.success).toMatchObject({
      mean: 463 / 470,
      count: 470,
      n_invalid: 30,
      ci_method: "wilson_scenes",
    });
    // All seven failures are in one of ten tasks, so the interval is wider than of independent episodes.
    const [low = 0, high = 1] = wilsonInterval(463, 470) ?? [];
    expect(results.aggregated_metrics.success?.ci95?.[0]).toBeLessThan(low);
    expect(results.aggregated_metrics.success?.ci95?.[1]).toBeGreaterThan(high);
    expect(results.episodes).toEqual({ total: 500, success: 463, failure: 7, invalid: 30 });
  });

  it("cold starts are listed with their fault and reason", () => {
    expect(results.invalid_episodes).toHaveLength(30);
    expect(results.invalid_episodes[0]).toMatchObject({ fault: "agent", code: "cold_start" });
    expect(results.end_reasons).toMatchObject({ cold_start: 30, success: 463, end: 7 });
  });

  it("cold starts are reported with both rates, also in the run", async () => {
    const note =
      "manipulation: 30 of 500 episodes are invalid. Success without them: 98.5 % (463/470); with them as failures: 92.6 % (463/500)";
    expect(results.warnings).toEqual([note]);
    const run = await RunDirectory.open(results.run_dir ?? "");
    expect((await run.info()).warnings).toEqual([note]);
  });

  it("cold starts affect the rate of their own task", () => {
    const scenes = results.per_scene.manipulation ?? [];
    expect(scenes).toHaveLength(10);
    expect(scenes[0]).toMatchObject({ scene_id: "task 0", success: 13, count: 20, n_invalid: 30 });
    expect(scenes[1]).toMatchObject({ mean: 1, count: 50, ci95: wilsonInterval(50, 50) });
  });

  it("intervals account for tasks whose episodes are alike", () => {
    expect(results.aggregated_metrics.steps?.ci_method).toBe("cluster_t");
  });
});

it("an episode in which the agent disconnected counts as failed, and the rate without it is reported", async () => {
  const episode = (episode_id: number, more: object) => ({ episode_id, steps: 9, ...more });
  const episodes = [
    episode(0, { success: true }),
    episode(1, { success: true }),
    episode(2, { success: false }),
    episode(3, { success: false, failure_reason: "timeout" }),
  ];
  const results = await score({ benchmark: "b", tasks: [{ task: "t", episodes }] });
  expect(results.aggregated_metrics.success).toMatchObject({
    mean: 0.5,
    count: 4,
    mean_without_agent_faults: 2 / 3,
  });
  expect(results.faults).toEqual({ agent: 1 });
});

describe("an imported run", () => {
  const csv = (third: number) =>
    `episode_id,success,scene_id,spl,reward\n1,1,hall,0.5,3\n2,0,hall,0,1\n3,${third},yard,${third},2\n`;

  it("an imported run is a complete run directory", async () => {
    const outDir = temporaryFolder();
    const results = await score(csv(1), { outDir }, "mine.csv");
    const run = await RunDirectory.open(results.run_dir ?? "");
    const info = await run.info();
    expect(info).toMatchObject({ kind: "score", status: "done", agent: "mine.csv" });
    expect(info.source).toMatchObject({ format: "table", results: join(folder, "mine.csv") });
    const { per_scene, warnings, run_dir, ...summary } = results;
    expect(await run.summary()).toEqual(summary);
    const lines = await linesOf(run_dir);
    expect(lines.map((line) => line.episode_key)).toEqual([
      "vln/hall/1",
      "vln/hall/2",
      "vln/yard/3",
    ]);
    expect(lines[0]).toMatchObject({ profile: "imported", trajectory: null, outcome: "success" });
    expect(Object.keys(per_scene)).toEqual(["vln"]);
    expect(warnings).toEqual([]);
  });

  it("an imported run can be compared with another imported run", async () => {
    const outDir = temporaryFolder();
    const [a, b] = [await score(csv(0), { outDir }), await score(csv(1), { outDir })];
    const comparison = await compareRuns(a.run_dir ?? "", b.run_dir ?? "");
    expect(comparison.episodes).toMatchObject({ shared: 3, only_a: 0, only_b: 0 });
    expect(comparison.flipped.to_success).toEqual(["vln/yard/3"]);
  });

  it("an imported run cannot be compared with a run of another metric profile", async () => {
    const outDir = temporaryFolder();
    const a = await score(csv(0), { outDir });
    const b = await score(csv(0), { outDir, profile: "vlnce" });
    expect(b.profiles).toEqual({ vln: "vlnce" });
    await expect(compareRuns(a.run_dir ?? "", b.run_dir ?? "")).rejects.toMatchObject({
      code: "different_profiles",
    });
  });

  it("score rejects an imported run with the reason", async () => {
    const { run_dir } = await score(csv(1), { outDir: temporaryFolder() });
    const options = { path: run_dir ?? "", outDir: null, registries: createRegistries() };
    await expect(scoreRun(options)).rejects.toMatchObject({ code: "no_trajectory" });
  });

  it("an imported run keeps the definitions of known metrics and reports unknown ones as plain means", async () => {
    const { aggregated_metrics: table } = await score(csv(1));
    expect(table.spl).toMatchObject({ unit: "1", direction: "higher" });
    expect(table.reward).toMatchObject({ mean: 2, unit: "1", direction: "none" });
  });

  it("an imported run treats a metric with out-of-range values as unknown", async () => {
    const results = await score("episode_id,success,spl\n1,1,35.5\n2,0,0\n");
    expect(results.aggregated_metrics.spl).toMatchObject({ mean: 17.75, direction: "none" });
    expect(results.warnings).toEqual([expect.stringContaining("spl ranges from 0 to 35.5")]);
  });

  it("an imported run contains only the requested metrics and success", async () => {
    const results = await score(csv(1), { metrics: ["reward"] });
    expect(Object.keys(results.aggregated_metrics)).toEqual(["success", "reward"]);
    await expect(score(csv(1), { metrics: ["rewards"] })).rejects.toMatchObject({
      where: "--metrics",
      hint: expect.stringContaining('did you mean "reward"?'),
    });
  });

  it("an imported run averages several tasks with equal weight", async () => {
    const rows = ["1,1,pick it", "2,1,pick it", "3,1,pick it", "4,0,place it"];
    const results = await score(`episode_id,success,task\n${rows.join("\n")}`);
    expect(Object.keys(results.per_task)).toEqual(["pick_it", "place_it"]);
    expect(results.aggregated_metrics.success).toMatchObject({ mean: 0.5, pooling: "macro" });
  });

  it("an imported run has the task that the user gives", async () => {
    const results = await score('{"1": {"success": 1, "spl": 1}}', {
      task: "objectnav",
      outDir: temporaryFolder(),
    });
    expect((await linesOf(results.run_dir))[0]).toMatchObject({
      task: "objectnav",
      task_type: "objectnav",
    });
  });
});

describe("scoreResults with bad input", () => {
  it.each([
    ["a duplicate episode", "episode_id,success\n1,1\n1,0", "duplicate_episode", ":3"],
    [
      "a duplicate episode in JSON",
      '{"1": {"success": 1}, "1": {"success": 0}}',
      "duplicate_episode",
      '"1"',
    ],
    ["a table without episodes", "episode_id,success\n", "no_episodes", ""],
    ["JSON without episodes", '{"benchmark": "b", "tasks": []}', "no_episodes", ""],
    [
      "an eval_info.json without episodes",
      '{"per_episode": [], "aggregated": {"pc_success": 50}}',
      "no_episodes",
      "",
    ],
    [
      "two tasks with the same file name",
      "episode_id,success,task\n1,1,a b\n2,1,a_b",
      "ambiguous_task",
      ":3",
    ],
    ["an unknown layout", '{"a": 1}', "unknown_format", ""],
    ["text", "hello\n", "unknown_format", ""],
    ["damaged JSON", '{"a": [1, 2', "bad_json", ":1:"],
    ["an empty file", "", "empty_file", ""],
  ])("scoreResults rejects %s", async (_, content, code, place) => {
    const outDir = temporaryFolder();
    const path = write(content);
    const error = await scoreResults({ path, outDir, registries: createRegistries() }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ code, where: expect.stringContaining(path), exitCode: 2 });
    expect((error as RobotEvalError).where).toContain(place);
    expect(readdirSync(outDir)).toEqual([]);
  });

  it("scoreResults rejects a submission, which needs its dataset", async () => {
    const submission = [{ instr_id: "7_0", trajectory: [["a", 0, 0]] }];
    await expect(score(submission)).rejects.toMatchObject({
      code: "no_dataset",
      hint: expect.stringContaining("--dataset"),
    });
  });

  it("scoreResults rejects an unknown format", async () => {
    await expect(score("a,b\n", { format: "tabel" })).rejects.toMatchObject({
      where: "--format",
      hint: expect.stringContaining('did you mean "table"?'),
    });
  });

  it("scoreResults rejects column names for a format with fixed columns", async () => {
    const options = { format: "vla-eval", columns: { success: "ok" } };
    await expect(score("a,b\n", options)).rejects.toMatchObject({ where: "--columns" });
  });

  it("scoreResults stops when interrupted", async () => {
    const outDir = temporaryFolder();
    const signal = AbortSignal.abort();
    await expect(score(coldStarts(), { outDir, signal })).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(readdirSync(outDir)).toEqual([]);
  });
});

const samples: Readonly<Record<string, string>> = {
  "habitat-stats": JSON.stringify({
    "53": { success: 0, spl: 0, distance_to_goal: 3.5 },
    "54": { success: 1, spl: 0.75, distance_to_goal: 0.5 },
  }),
  "vla-eval": JSON.stringify({
    benchmark: "LIBERO",
    tasks: [
      { task: "a", episodes: [{ success: true, steps: 5, elapsed_sec: 1.5, episode_id: "a_ep0" }] },
      { task: "b", episodes: [{ success: false, steps: 0, elapsed_sec: 9, episode_id: "b_ep0" }] },
    ],
    merge_info: { total_episodes: 2 },
  }),
  "lerobot-eval": JSON.stringify({
    per_task: [
      { task_group: "g", task_id: 0, metrics: { sum_rewards: [1, 0], successes: [true, false] } },
    ],
    overall: { pc_success: 50 },
  }),
  "lerobot-eval of one environment": JSON.stringify({
    per_episode: [{ episode_ix: 0, sum_reward: 1, max_reward: 1, success: true, seed: 7 }],
    aggregated: { pc_success: 100 },
  }),
  csv: 'episode_id,success,scene_id,spl\r\n1,true,"hall, upper",0.5\r\n2,false,yard,\r\n',
  "json lines": '{"episode_id": 1, "success": true}\n{"episode_id": 2, "success": false}\n',
};

describe.each(Object.entries(samples))("a damaged file of %s", (kind, sample) => {
  const whole = Buffer.from(sample);

  /** True if the import succeeded; otherwise checks that the error names the file and no files are left. */
  async function imports(content: Uint8Array, outDir: string | null): Promise<boolean> {
    const path = write(content, "damaged");
    const before = outDir === null ? [] : readdirSync(outDir);
    try {
      const { episodes } = await scoreResults({ path, outDir, registries: createRegistries() });
      expect(episodes.total).toBeGreaterThan(0);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(RobotEvalError);
      expect((error as RobotEvalError).where).toContain(path);
      if (outDir !== null) expect(readdirSync(outDir)).toEqual(before);
      return false;
    }
  }

  it("an undamaged results file is imported", async () => {
    expect(await imports(whole, temporaryFolder())).toBe(true);
  });

  it("a results file truncated anywhere is rejected if its format can detect it", async () => {
    const imported: number[] = [];
    for (let length = 0; length < whole.length; length++) {
      if (await imports(whole.subarray(0, length), null)) imported.push(length);
    }
    // A table truncated after a complete row is valid: neither CSV nor JSON lines mark their end.
    const text = sample.trimEnd();
    if (kind !== "csv" && kind !== "json lines") expect(imported).toEqual([]);
    else expect(imported.length).toBeLessThan(text.length / 3);
  });

  it("a results file with any changed byte is read or rejected, and never leaves a partial run", async () => {
    const outDir = temporaryFolder();
    const change = fc.record({
      at: fc.integer({ min: 0, max: whole.length - 1 }),
      byte: fc.oneof(
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom(...Buffer.from('{}[]",:\n-0x')),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const content = Uint8Array.from(whole);
        for (const { at, byte } of changes) content[at] = byte;
        await imports(content, outDir);
      }),
      { numRuns: 60 },
    );
    // A property that reaches its time limit ends while its last case is still running.
    const partial = () => readdirSync(outDir).filter((name) => name.startsWith("."));
    await expect.poll(partial).toEqual([]);
  });
});
