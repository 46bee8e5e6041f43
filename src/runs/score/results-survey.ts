import { episodeKey } from "../../core/episode/base.js";
import { ConfigError, DataError } from "../../core/errors.js";
import type { MetricInfo } from "../../core/metric/base.js";
import { suggestion } from "../../core/registry.js";
import { type ImportedEpisode, SUCCESS } from "../../dataset/results/format.js";
import type { Registries } from "../../registry/registries.js";

/** A task of a results file. */
export interface SurveyedTask {
  /** A valid section name: `pick_up_the_book`. */
  readonly name: string;
  readonly type: string;
  /** `success` first, then in the file's order. */
  readonly metrics: readonly MetricInfo[];
}

export interface SurveyOptions {
  readonly registries: Registries;
  /** Only these metrics, in addition to `success`. */
  readonly metrics?: readonly string[] | undefined;
}

interface TaskSurvey {
  /** The name in the file. */
  readonly task: string;
  readonly type: string;
  readonly ranges: Map<string, [low: number, high: number]>;
}

/**
 * Reads a results file to check it and to find its tasks and metrics: at least one episode, no duplicates. It is
 * read completely before anything is written, so that a damaged file leaves no partial run.
 */
export async function survey(
  episodes: AsyncIterable<ImportedEpisode>,
  path: string,
  options: SurveyOptions,
): Promise<{ readonly tasks: readonly SurveyedTask[]; readonly warnings: readonly string[] }> {
  const seen = new Set<string>();
  const surveys = new Map<string, TaskSurvey>();
  for await (const episode of episodes) {
    const name = taskName(episode.task);
    const key = episodeKey(name, episode.sceneId, episode.episodeId);
    if (seen.has(key)) throw twice(episode);
    seen.add(key);
    let found = surveys.get(name);
    if (!found) {
      found = { task: episode.task, type: typeOf(episode, options.registries), ranges: new Map() };
      surveys.set(name, found);
    }
    if (found.task !== episode.task) throw sameName(found.task, episode);
    for (const [metric, value] of Object.entries(episode.metrics)) widen(found, metric, value);
  }
  if (seen.size === 0) {
    throw new DataError("no_episodes", "the file has no episodes", {
      where: path,
      hint: "check that it is the right file and was written completely",
    });
  }
  checkWanted(surveys, options.metrics);
  const warnings: string[] = [];
  const tasks = [...surveys].map(([name, survey]) => ({
    name,
    type: survey.type,
    metrics: infosOf(survey, options, warnings),
  }));
  return { tasks, warnings: [...new Set(warnings)] };
}

/** Task names appear in section names, flags and file names, so they have only letters, digits, _ and -. */
export function taskName(task: string): string {
  const name = task.replace(/[^\p{L}\p{N}_-]+/gu, "_").replace(/^[_-]+|_+$/g, "");
  return name === "" ? "task" : name;
}

/** A task named like a task type has that type; otherwise the format decides. */
export function typeOf({ task, taskType }: ImportedEpisode, { tasks }: Registries): string {
  return tasks.has(task) ? task : taskType;
}

function widen({ ranges }: TaskSurvey, metric: string, value: number | null): void {
  const range = ranges.get(metric) ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  ranges.set(metric, range);
  if (value === null) return;
  range[0] = Math.min(range[0], value);
  range[1] = Math.max(range[1], value);
}

function infosOf(survey: TaskSurvey, options: SurveyOptions, warnings: string[]): MetricInfo[] {
  const { registries, metrics } = options;
  const names = [SUCCESS, ...[...survey.ranges.keys()].filter((name) => name !== SUCCESS)];
  const wanted = names.filter((name) => name === SUCCESS || (metrics?.includes(name) ?? true));
  return wanted.map((name) => {
    const info = registries.metrics.has(name) ? registries.metrics.get(name, {}).info : undefined;
    const [low, high] = survey.ranges.get(name) ?? [0, 0];
    if (!info) return plain(name);
    if (low >= info.range[0] && high <= info.range[1]) return info;
    if (low > high) return info;
    warnings.push(
      `${name} ranges from ${low} to ${high}, but the metric of this name ranges from ${info.range[0]} to ${info.range[1]}: it is treated as an unknown metric, because its definition or unit differs`,
    );
    return plain(name);
  });
}

/** Metric info for an unknown metric name. */
function plain(name: string): MetricInfo {
  return {
    name,
    summary: "As in the results file.",
    unit: "1",
    direction: "none",
    range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    kind: "mean",
    needs: { state: [] },
  };
}

function checkWanted(
  surveys: ReadonlyMap<string, TaskSurvey>,
  metrics: readonly string[] | undefined,
): void {
  const there = new Set([...surveys.values()].flatMap(({ ranges }) => [...ranges.keys()]));
  const missing = metrics?.find((name) => name !== SUCCESS && !there.has(name));
  if (missing === undefined) return;
  throw new ConfigError("unknown_metric", `the results have no metric "${missing}"`, {
    where: "--metrics",
    hint: suggestion(missing, [...there]),
  });
}

function twice({ episodeId, sceneId, where }: ImportedEpisode): DataError {
  return new DataError(
    "duplicate_episode",
    `episode ${episodeId} of scene ${sceneId} occurs twice`,
    { where, hint: "make ids unique within a task and scene: rename or remove one" },
  );
}

function sameName(first: string, { task, where }: ImportedEpisode): DataError {
  return new DataError(
    "ambiguous_task",
    `the tasks "${first}" and "${task}" would both be called ${taskName(task)}`,
    {
      where,
      hint: "only letters, digits, _ and - of a task's name are kept: rename one of the tasks",
    },
  );
}
