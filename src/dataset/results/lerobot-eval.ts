import { z } from "zod";
import { isRecord } from "../../core/record.js";
import { check, type DataLocation, errorAt, idSchema, whereOf } from "../check.js";
import { hasKeys } from "../readers/json.js";
import { streamJson } from "../readers/json-stream.js";
import {
  type ImportedEpisode,
  type ResultsFormat,
  type ResultsOptions,
  UNKNOWN_SCENE,
} from "./format.js";
import { completed } from "./judge.js";
import { checkStatedRate, metricsOf, ownTasks, successOf } from "./values.js";

const DEFAULT_TASK = "manipulation";

const episodeSchema = z.looseObject({
  episode_ix: z.int().min(0),
  success: z.unknown(),
  seed: z.int().nullish(),
});

const perTaskSchema = z.looseObject({
  task_group: z.string().min(1),
  task_id: idSchema,
  metrics: z.looseObject({ successes: z.array(z.unknown()) }),
});

/** The lists in a task's `metrics`, and the metric name of each. */
const COLUMNS: Readonly<Record<string, string>> = {
  sum_rewards: "sum_reward",
  max_rewards: "max_reward",
  safety_costs: "safety_cost",
  violation_steps: "violation_steps",
};

/**
 * LeRobot's `eval_info.json`, written by `lerobot-eval`. One environment: `{per_episode: [{episode_ix,
 * sum_reward, max_reward, success, seed}], aggregated}`. Several, since 2025: `{per_task: [{task_group,
 * task_id, metrics: {sum_rewards: [], max_rewards: [], successes: []}}], per_group, overall}`; each group
 * (a LIBERO suite) becomes a task, and its tasks become scenes.
 *
 * Its success means "at any step", which other tools call `success_once`.
 */
export const lerobotEval: ResultsFormat = {
  name: "lerobot-eval",
  description: "LeRobot's eval_info.json, of one environment or by task and group",

  detect: ({ head }) => {
    if (!isRecord(head)) return false;
    const { per_episode, per_task, aggregated } = head;
    if (Array.isArray(per_episode)) {
      const [first] = per_episode;
      return first === undefined ? isRecord(aggregated) : hasKeys(first, "episode_ix");
    }
    if (!Array.isArray(per_task)) return false;
    return per_task.length === 0
      ? hasKeys(head, "per_group")
      : hasKeys(per_task[0], "task_group", "task_id");
  },

  async *read(path, options) {
    const successes = { judged: 0, success: 0 };
    let means: unknown;
    for await (const part of streamJson(path, { lists: ["per_episode", "per_task"] })) {
      if (part.kind === "member" && /^(aggregated|overall)$/.test(part.key)) means = part.value;
      if (part.kind !== "item" || part.key === null) continue;
      const at: DataLocation = { file: path, item: `${part.key}[${part.index}]` };
      const episodes =
        part.key === "per_episode"
          ? [single(part.value, at, options)]
          : group(part.value, at, options);
      for (const episode of episodes) {
        if (episode.outcome !== "invalid") successes.judged++;
        if (episode.outcome === "success") successes.success++;
        yield episode;
      }
    }
    if (!hasKeys(means, "pc_success") || typeof means.pc_success !== "number") return;
    const rate = successes.success / successes.judged;
    checkStatedRate(means.pc_success / 100, [rate], path, options.onWarning);
  },
};

function single(raw: unknown, place: DataLocation, options: ResultsOptions): ImportedEpisode {
  const episode = check(episodeSchema, raw, place);
  const { episode_ix, seed } = episode;
  const at = { ...place, subject: `episode ${episode_ix}` };
  return completed({
    // The seed in the id prevents comparing episodes with different initial states.
    episodeId: typeof seed === "number" ? `${episode_ix}-seed${seed}` : `${episode_ix}`,
    sceneId: UNKNOWN_SCENE,
    task: options.task ?? DEFAULT_TASK,
    taskType: DEFAULT_TASK,
    success: successOf(episode.success, at, "success"),
    metrics: metricsOf(episode, at, new Set(["episode_ix", "seed", "success"])),
    where: whereOf(at),
  });
}

function* group(
  raw: unknown,
  place: DataLocation,
  options: ResultsOptions,
): Generator<ImportedEpisode> {
  const { task_group, task_id, metrics } = check(perTaskSchema, raw, place);
  if (options.task !== undefined) throw ownTasks(place.file);
  const at = { ...place, subject: `${task_group}, task ${task_id}` };
  const columns = Object.entries(COLUMNS).flatMap(([list, name]) => {
    const values = metrics[list];
    if (values === undefined) return [];
    if (Array.isArray(values) && values.length === metrics.successes.length) {
      return [{ name, values: values as readonly unknown[] }];
    }
    const wanted = `a list of ${metrics.successes.length} values, one for each of successes`;
    throw errorAt(at, "bad_result", `${list} should be ${wanted}`);
  });
  for (const [i, success] of metrics.successes.entries()) {
    const row = Object.fromEntries(columns.map(({ name, values }) => [name, values[i]]));
    yield completed({
      episodeId: `${i}`,
      sceneId: `task_${task_id}`,
      task: task_group,
      taskType: DEFAULT_TASK,
      success: successOf(success, at, `successes[${i}]`),
      metrics: metricsOf(row, at, new Set()),
      where: `${whereOf(at)}.metrics.successes[${i}]`,
    });
  }
}
