import { z } from "zod";
import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { check, type DataLocation, idSchema, whereOf } from "../check.js";
import { hasKeys } from "../readers/json.js";
import { type JsonPart, streamJson } from "../readers/json-stream.js";
import type { ImportedEpisode, ResultsFormat, ResultsOptions } from "./format.js";
import { aborted, completed, invalid, type Reported } from "./judge.js";
import { checkStatedRate, durationOf, metricsOf, stepsOf, successOf, wrong } from "./values.js";

const DEFAULT_TASK = "manipulation";

const taskSchema = z.looseObject({
  task: z.string().min(1),
  episodes: z.array(
    z.looseObject({
      episode_id: idSchema,
      /** Newer versions store `success` and the benchmark's other metrics here. */
      metrics: z.record(z.string(), z.unknown()).optional(),
      failure_reason: z.string().nullish(),
      failure_detail: z.string().nullish(),
      error: z.string().nullish(),
      policy_terminated: z.boolean().optional(),
    }),
  ),
  num_episodes: z.int().optional(),
});

type Episode = z.output<typeof taskSchema>["episodes"][number];

/** Failures attributed to the policy server; an `exception` comes from the harness or simulator. */
const AGENT_REASONS = new Set(["server_unreachable", "connection_closed", "timeout"]);

/**
 * Results of the VLA evaluation harness (allenai/vla-evaluation-harness):
 * `{benchmark, tasks: [{task, episodes: [{success, steps, elapsed_sec, episode_id}]}]}`.
 *
 * The suite becomes one task and its tasks become scenes. The headline is then the rate over all
 * episodes, as published, and confidence intervals account for tasks whose episodes are alike.
 */
export const vlaEval: ResultsFormat = {
  name: "vla-eval",
  description:
    "VLA evaluation harness (LIBERO, SimplerEnv, CALVIN, ...): one JSON file per benchmark",

  detect: ({ head }) =>
    hasKeys(head, "benchmark", "tasks") &&
    Array.isArray(head.tasks) &&
    (head.tasks.length === 0 || hasKeys(head.tasks[0], "task", "episodes")),

  async *read(path, options) {
    const count = { total: 0, judged: 0, success: 0 };
    const about = new Map<string, unknown>();
    for await (const part of streamJson(path, { lists: ["tasks"] })) {
      if (part.kind === "member") about.set(part.key, part.value);
      if (part.kind !== "item" || part.key !== "tasks") continue;
      for (const episode of episodesOf(part, path, options)) {
        count.total++;
        if (episode.outcome !== "invalid") count.judged++;
        if (episode.outcome === "success") count.success++;
        yield episode;
      }
    }
    checkCounts(about, count, path, options);
  },
};

function* episodesOf(
  { value, index, text }: Extract<JsonPart, { kind: "item" }>,
  path: string,
  options: ResultsOptions,
): Generator<ImportedEpisode> {
  const place: DataLocation = { file: path, item: `tasks[${index}]`, text };
  const { task, episodes, num_episodes } = check(taskSchema, value, place);
  if (num_episodes !== undefined && num_episodes !== episodes.length) {
    throw new DataError(
      "missing_episodes",
      `task "${task}" states ${num_episodes} episodes but contains ${episodes.length}`,
      { where: `${path}, tasks[${index}]`, hint: "check that the file was written completely" },
    );
  }
  for (const [i, episode] of episodes.entries()) {
    const at: DataLocation = {
      file: path,
      item: `tasks[${index}].episodes[${i}]`,
      subject: `episode ${episode.episode_id}`,
    };
    yield outcomeOf(episode, reportedOf(episode, task, options.task ?? DEFAULT_TASK, at));
  }
}

function reportedOf(episode: Episode, scene: string, task: string, at: DataLocation): Reported {
  const own = episode.metrics ?? {};
  const success = own.success ?? episode.success;
  if (success === undefined && !episode.failure_reason && !episode.error) {
    throw wrong(at, "success", "true or false", undefined);
  }
  const steps = stepsOf(episode.steps, at, "steps");
  const seconds = durationOf(episode.elapsed_sec, at, "elapsed_sec");
  // The harness itself averages numbers and ignores other values.
  const numbers = Object.entries(own).filter(([, value]) => /number|boolean/.test(typeof value));
  return {
    episodeId: withoutTask(episode.episode_id, scene),
    sceneId: scene,
    task,
    taskType: DEFAULT_TASK,
    success: successOf(success ?? null, at, "success"),
    metrics: {
      ...metricsOf(Object.fromEntries(numbers), at, new Set(["success"])),
      ...(steps === undefined ? {} : { steps }),
    },
    steps,
    wallMs: seconds === undefined ? undefined : seconds * 1000,
    where: whereOf(at),
  };
}

/**
 * Older files write `<task>_ep20` where newer ones write 20. Normalised to 20, so that both can be
 * compared.
 */
function withoutTask(id: string, task: string): string {
  const prefix = `${task}_ep`;
  return id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : id;
}

function outcomeOf(episode: Episode, reported: Reported): ImportedEpisode {
  const reason = episode.failure_reason || (episode.error ? "error" : "");
  const detail = episode.failure_detail || episode.error || "";
  if (reason !== "") {
    const fault = AGENT_REASONS.has(reason) ? "agent" : "platform";
    const message = detail === "" ? reason : `${reason}: ${lastLine(detail)}`;
    const acted = fault === "agent" && (reported.steps ?? 0) > 0;
    return (acted ? aborted : invalid)(reported, { code: reason, message, fault });
  }
  // Older harness versions recorded a timeout of the first action like this.
  if (reported.steps === 0 && reported.success === 0 && !episode.policy_terminated) {
    return invalid(reported, {
      code: "cold_start",
      message: "ended without a step: the policy never returned a first action",
      fault: "agent",
    });
  }
  return completed(reported);
}

/** The last line of a Python traceback describes the error. */
function lastLine(detail: string): string {
  return detail.trim().split("\n").at(-1) ?? "";
}

function checkCounts(
  about: ReadonlyMap<string, unknown>,
  count: { readonly total: number; readonly judged: number; readonly success: number },
  path: string,
  { onWarning }: ResultsOptions,
): void {
  const merge = about.get("merge_info");
  const merged = isRecord(merge) ? merge : {};
  const stated = merged.total_episodes ?? about.get("num_episodes_total");
  if (typeof stated === "number" && stated !== count.total) {
    throw new DataError(
      "missing_episodes",
      `the file states ${stated} episodes but contains ${count.total}`,
      {
        where: path,
        hint: "check that the file was written completely and not edited",
      },
    );
  }
  const { shards_missing } = merged;
  if (Array.isArray(shards_missing) && shards_missing.length > 0) {
    onWarning?.(`${path} is missing the shards ${shards_missing.join(", ")} of its run`);
  }
  if (about.get("partial") === true) onWarning?.(`${path} is from a run that was aborted`);
  const shard = about.get("shard");
  if (hasKeys(shard, "id", "total")) {
    onWarning?.(`${path} is one of ${show(shard.total)} shards of a run`);
  }
  const rates = [count.success / count.total, count.success / count.judged];
  const rate = about.get("overall_success_rate") ?? about.get("mean_success");
  checkStatedRate(rate, rates, path, onWarning);
}
