import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import type { ImportedEpisode, ResultsFormat, ResultsOptions } from "./format.js";
import { habitatStats } from "./habitat-stats.js";
import { lerobotEval } from "./lerobot-eval.js";
import { vlaEval } from "./vla-eval.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-results-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(content: unknown): string {
  const path = join(folder, `${files++}.json`);
  writeFileSync(
    path,
    typeof content === "string" || content instanceof Buffer ? content : JSON.stringify(content),
  );
  return path;
}

async function read(
  format: ResultsFormat,
  content: unknown,
  options: ResultsOptions = {},
): Promise<ImportedEpisode[]> {
  const episodes: ImportedEpisode[] = [];
  for await (const episode of format.read(write(content), options)) episodes.push(episode);
  return episodes;
}

async function failure(format: ResultsFormat, content: unknown, options: ResultsOptions = {}) {
  const error = await read(format, content, options).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DataError);
  return error as DataError;
}

describe("habitat-stats", () => {
  const measures = { success: 1, spl: 0.5, distance_to_goal: 1.25, steps_taken: 8.0 };

  it("the format habitat-stats reads the measures of an episode under their own names", async () => {
    const [episode] = await read(habitatStats, { "53": measures });
    expect(episode).toMatchObject({
      episodeId: "53",
      sceneId: "unknown",
      task: "vln",
      outcome: "success",
      metrics: measures,
      steps: 8,
      explanation: "succeeded after 8 steps, 1.25 m from the goal",
    });
  });

  it("the format habitat-stats uses the given task name", async () => {
    const [episode] = await read(habitatStats, { "1": measures }, { task: "objectnav" });
    expect(episode?.task).toBe("objectnav");
  });

  it("the format habitat-stats flattens the nested measures of Habitat and reads booleans as 1 and 0", async () => {
    const nested = { success: true, collisions: { count: 3, is_collision: false } };
    const [episode] = await read(habitatStats, { "1": nested });
    expect(episode?.metrics).toEqual({
      success: 1,
      "collisions.count": 3,
      "collisions.is_collision": 0,
    });
  });

  it("the format habitat-stats treats NaN and Infinity as missing values", async () => {
    const text = '{"1": {"success": 0.0, "spl": NaN, "distance_to_goal": Infinity}}';
    const [episode] = await read(habitatStats, text);
    expect(episode?.metrics).toEqual({ success: 0, spl: null, distance_to_goal: null });
  });

  it("the format habitat-stats marks an episode invalid if its success has no value", async () => {
    const [episode] = await read(habitatStats, '{"1": {"success": NaN, "spl": 0}}');
    expect(episode).toMatchObject({
      outcome: "invalid",
      fault: "data",
      metrics: {},
      error: { code: "no_result" },
    });
  });

  it("the format habitat-stats rejects the file of means and names the per-episode file", async () => {
    writeFileSync(join(folder, "stats_ep_ckpt_0.json"), "{}");
    expect(await failure(habitatStats, { success: 0.4, spl: 0.35 })).toMatchObject({
      code: "only_means",
      hint: expect.stringContaining("stats_ep_ckpt_0.json"),
    });
  });

  it.each([
    ["no success", { "7": { spl: 1 } }, "episode 7, success: expected 1 or 0, got nothing"],
    ["a mean for a success", { "7": { success: 0.4 } }, "got 0.4"],
    [
      "a text for a number",
      { "7": { success: 1, spl: "high" } },
      'spl: expected a number, got "high"',
    ],
    ["a list for an episode", { "7": [1] }, "expected measures, got a list of 1"],
  ])("the format habitat-stats rejects %s and names its location", async (_, content, message) => {
    expect(await failure(habitatStats, content)).toMatchObject({
      where: expect.stringMatching(/\.json, "7"$/),
      message: expect.stringContaining(message),
    });
  });

  it("the format habitat-stats reads gzipped files", async () => {
    const packed = gzipSync(JSON.stringify({ "1": measures }));
    expect(await read(habitatStats, packed)).toHaveLength(1);
  });
});

describe("vla-eval", () => {
  const task = "put the mug on the plate";
  const benchmark = (episodes: readonly object[], more: object = {}) => ({
    benchmark: "LIBEROBenchmark_libero_goal",
    tasks: [{ task, episodes }],
    ...more,
  });
  const one = async (episode: object) =>
    (await read(vlaEval, benchmark([{ episode_id: 3, ...episode }])))[0];

  it("the format vla-eval reads the suite as a task and its tasks as scenes", async () => {
    const old = { success: true, steps: 82, elapsed_sec: 55.5, task, episode_id: `${task}_ep3` };
    const [episode] = await read(vlaEval, benchmark([old]));
    expect(episode).toMatchObject({
      episodeId: "3",
      sceneId: task,
      task: "manipulation",
      outcome: "success",
      metrics: { success: 1, steps: 82 },
      steps: 82,
      wallMs: 55500,
      where: expect.stringContaining("tasks[0].episodes[0]"),
    });
  });

  it("the format vla-eval reads the newer layout with the benchmark metrics", async () => {
    const metrics = { success: false, completed_subtasks: 2, note: "slow" };
    expect(await one({ metrics, steps: 360 })).toMatchObject({
      episodeId: "3",
      outcome: "failure",
      metrics: { success: 0, completed_subtasks: 2, steps: 360 },
      explanation: "failed after 360 steps",
    });
  });

  it("the format vla-eval marks an episode without a step invalid, as a cold start", async () => {
    expect(await one({ success: false, steps: 0, elapsed_sec: 300 })).toMatchObject({
      outcome: "invalid",
      fault: "agent",
      endReason: "cold_start",
      metrics: {},
    });
  });

  it("the format vla-eval counts an episode without steps as failed if the policy answered", async () => {
    const gaveUp = { metrics: { success: false }, steps: 0, policy_terminated: true };
    expect(await one(gaveUp)).toMatchObject({ outcome: "failure" });
  });

  it.each([
    ["timeout", "agent"],
    ["connection_closed", "agent"],
    ["exception", "platform"],
  ])(
    "the format vla-eval marks an episode that ended by %s invalid, with fault %s",
    async (reason, fault) => {
      const crashed = {
        metrics: { success: false },
        failure_reason: reason,
        failure_detail: "Traceback:\n  line 3\nRuntimeError: no EGL",
      };
      expect(await one(crashed)).toMatchObject({
        outcome: "invalid",
        fault,
        endReason: reason,
        error: { code: reason, message: `${reason}: RuntimeError: no EGL` },
      });
    },
  );

  it("the format vla-eval marks an episode with an error invalid, even if other fields are missing", async () => {
    expect(await one({ error: "simulator died" })).toMatchObject({
      outcome: "invalid",
      fault: "platform",
      error: { message: "error: simulator died" },
    });
  });

  it("the format vla-eval counts an agent that disconnected after its first action as failed, with its fault", async () => {
    const hungUp = { success: false, steps: 40, failure_reason: "connection_closed" };
    expect(await one(hungUp)).toMatchObject({
      outcome: "failure",
      fault: "agent",
      metrics: { success: 0 },
      explanation: "the agent broke off after 40 steps: connection_closed",
    });
  });

  it.each([
    ["fewer episodes than it states", { merge_info: { total_episodes: 2 } }, "states 2"],
    ["fewer in newer files", { num_episodes_total: 5 }, "states 5"],
  ])("the format vla-eval rejects a file with %s", async (_, more, words) => {
    const content = benchmark([{ success: true, steps: 1, episode_id: 1 }], more);
    const error = await failure(vlaEval, content);
    expect(error).toMatchObject({
      code: "missing_episodes",
      message: expect.stringContaining(words),
    });
  });

  it.each([
    ["shards that are missing", { merge_info: { shards_missing: [3] } }, "is missing the shards 3"],
    ["an aborted run", { partial: true }, "aborted"],
    ["a single shard", { shard: { id: 0, total: 8 } }, "one of 8 shards"],
    [
      "a rate that its episodes do not give",
      { overall_success_rate: 0.5 },
      "check whether the file was edited",
    ],
  ])("the format vla-eval warns of %s", async (_, more, words) => {
    const warnings: string[] = [];
    const content = benchmark([{ success: true, steps: 1, episode_id: 1 }], more);
    await read(vlaEval, content, { onWarning: (text) => warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    ["no success", { steps: 3 }, "success: expected true or false"],
    ["half a step", { success: true, steps: 2.5 }, "steps: expected a whole number"],
    ["a negative time", { success: true, steps: 2, elapsed_sec: -1 }, "elapsed_sec"],
  ])("the format vla-eval rejects %s and names its location", async (_, episode, words) => {
    expect(await failure(vlaEval, benchmark([{ episode_id: 3, ...episode }]))).toMatchObject({
      where: expect.stringContaining("tasks[0].episodes[0]"),
      message: expect.stringContaining(words),
    });
  });
});

describe("lerobot-eval", () => {
  const episode = { episode_ix: 0, sum_reward: 3.5, max_reward: 1, success: true, seed: 1000 };

  it("the format lerobot-eval reads the episodes of one environment, with seeds in their ids", async () => {
    const content = { per_episode: [episode], aggregated: { pc_success: 100 } };
    expect(await read(lerobotEval, content)).toMatchObject([
      {
        episodeId: "0-seed1000",
        sceneId: "unknown",
        task: "manipulation",
        outcome: "success",
        metrics: { success: 1, sum_reward: 3.5, max_reward: 1 },
      },
    ]);
  });

  it("the format lerobot-eval accepts episodes without seeds", async () => {
    const content = { per_episode: [{ ...episode, seed: null }] };
    expect((await read(lerobotEval, content))[0]?.episodeId).toBe("0");
  });

  const grouped = {
    per_task: [
      {
        task_group: "libero_goal",
        task_id: 3,
        metrics: {
          sum_rewards: [1, 0],
          max_rewards: [1, 0],
          successes: [true, false],
          video_paths: ["a.mp4"],
        },
      },
    ],
    per_group: {},
    overall: { pc_success: 50 },
  };

  it("the format lerobot-eval reads groups as tasks and their tasks as scenes", async () => {
    const episodes = await read(lerobotEval, grouped);
    expect(episodes.map(({ task, sceneId, episodeId }) => [task, sceneId, episodeId])).toEqual([
      ["libero_goal", "task_3", "0"],
      ["libero_goal", "task_3", "1"],
    ]);
    expect(episodes.map(({ metrics }) => metrics)).toEqual([
      { success: 1, sum_reward: 1, max_reward: 1 },
      { success: 0, sum_reward: 0, max_reward: 0 },
    ]);
  });

  it("the format lerobot-eval rejects task for a file that names its tasks", async () => {
    await expect(read(lerobotEval, grouped, { task: "mine" })).rejects.toMatchObject({
      code: "task_named",
      where: "--task",
    });
  });

  it("the format lerobot-eval warns about a stated rate that contradicts the episodes", async () => {
    const warnings: string[] = [];
    const content = { ...grouped, overall: { pc_success: 90 } };
    await read(lerobotEval, content, { onWarning: (text) => warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining("0.5000")]);
  });

  it("the format lerobot-eval rejects lists of different lengths", async () => {
    const [first] = grouped.per_task;
    const metrics = { ...first?.metrics, sum_rewards: [1] };
    expect(await failure(lerobotEval, { per_task: [{ ...first, metrics }] })).toMatchObject({
      message: expect.stringContaining("sum_rewards should be a list of 2 values"),
      where: expect.stringContaining("per_task[0]"),
    });
  });
});
