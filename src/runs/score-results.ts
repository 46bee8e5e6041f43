import { basename, resolve } from "node:path";
import { stringify } from "yaml";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import { episodeKey } from "../core/episode/base.js";
import { ConfigError } from "../core/errors.js";
import type { EpisodeLine, RunResults } from "../core/interfaces/result.js";
import { getProfile } from "../core/profiles.js";
import { resolveResultsFormat } from "../dataset/results/detect.js";
import { type ImportedEpisode, type ResultsFormat, SUCCESS } from "../dataset/results/format.js";
import type { Registries } from "../registry/registries.js";
import { at } from "./judged-task.js";
import { type SurveyedTask, survey, taskName, typeOf } from "./results-survey.js";
import { type SceneRate, SceneRates } from "./scene-rates.js";
import { type ScoreOptions, stopIfAborted } from "./score-options.js";
import { ScoreWriter } from "./score-writer.js";

/** The conventions of numbers whose makers did not say: not to be compared with any profile's. */
const IMPORTED = "imported";

export interface ScoreResultsOptions extends Omit<ScoreOptions, "connectivity" | "set"> {
  /** The results format; found out from the content when absent. */
  readonly format?: string | undefined;
  /** For tables: our name to the column's, `{ episode_id: "id", success: "ok" }`. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** What to call the task, where the file does not name its tasks. */
  readonly task?: string | undefined;
}

/** The summary, and what an import has to say beside it. */
export type ImportedResults = RunResults & {
  /** By task, for tasks with several scenes; a LIBERO suite's tasks are its scenes. */
  readonly per_scene: Readonly<Record<string, readonly SceneRate[]>>;
  readonly warnings: readonly string[];
};

/**
 * Makes a run of results that others computed, so that every tool for runs works on them: intervals,
 * comparison, invalid episodes counted beside the rate. The numbers are theirs; nothing is scored again.
 */
export async function scoreResults(options: ScoreResultsOptions): Promise<ImportedResults> {
  const { path, columns, task, profile, registries, signal } = options;
  if (profile !== undefined) at("--profile", () => getProfile(profile));
  const format = await formatOf(options);
  const found: string[] = [];
  const onWarning = (text: string) => found.push(text);
  const { tasks, warnings } = await survey(
    interruptible(format.read(path, { columns, task, onWarning }), signal),
    path,
    options,
  );
  options.onMetrics?.(tasks.flatMap(({ metrics }) => metrics.map((info) => info.name)));
  const label = profile ?? IMPORTED;
  const writer = await ScoreWriter.open({
    loaded: asBenchmark(options, format, tasks),
    tasks: tasks.map(({ name, metrics }) => ({
      name,
      summaryTask: { profile: label, primaryMetric: SUCCESS, metrics },
    })),
    agent: basename(path),
    seed: 0,
    source: { results: path, format: format.name },
    outDir: options.outDir,
  });
  try {
    const kept = new Map(
      tasks.map(({ name, metrics }) => [name, new Set(metrics.map((info) => info.name))]),
    );
    const rates = new SceneRates();
    for await (const episode of interruptible(format.read(path, { columns, task }), signal)) {
      const line = lineOf(episode, label, registries, kept);
      rates.add(line);
      await writer.add(line);
    }
    const all = [...found, ...warnings, ...rates.invalidNotes()];
    const results = await writer.finish(all);
    return { ...results, per_scene: rates.perScene(), warnings: all };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function formatOf(options: ScoreResultsOptions): Promise<ResultsFormat> {
  const { path, format, columns, registries } = options;
  const { results, formats } = registries;
  if (format !== undefined && !results.has(format)) {
    if (formats.has(format)) throw needsDataset(format);
    at("--format", () => results.get(format));
  }
  return resolveResultsFormat({ path, format, columns, results, formats });
}

function needsDataset(format: string): ConfigError {
  return new ConfigError("no_dataset", `${format} is a format of datasets and submissions`, {
    where: "--format",
    hint: "a submission is scored against its dataset: name it with --dataset",
  });
}

async function* interruptible<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  stopIfAborted(signal);
  for await (const item of items) {
    stopIfAborted(signal);
    yield item;
  }
}

/**
 * The benchmark that run.json keeps. It names the tasks and where the numbers came from; it cannot be
 * run, since the episodes themselves are not in a results file.
 */
function asBenchmark(
  { path, profile }: ScoreResultsOptions,
  format: ResultsFormat,
  tasks: readonly SurveyedTask[],
): LoadedConfig {
  const config = profile === undefined ? {} : { profile };
  const document = {
    benchmark: { name: `${format.name} results` },
    ...Object.fromEntries(tasks.map(({ name, type }) => [`${name}_task`, { type, config }])),
    dataset: Object.fromEntries(
      tasks.map(({ name, type }) => [
        name,
        { type, data_path: resolve(path), format: format.name },
      ]),
    ),
    output: { save_trajectories: false },
  };
  return parseConfig(stringify(document), { file: "score", baseDir: process.cwd() });
}

function lineOf(
  episode: ImportedEpisode,
  profile: string,
  registries: Registries,
  kept: ReadonlyMap<string, ReadonlySet<string>>,
): EpisodeLine {
  const { episodeId, sceneId, outcome, fault, error } = episode;
  const task = taskName(episode.task);
  const wanted = kept.get(task);
  return {
    episode_key: episodeKey(task, sceneId, episodeId),
    episode_id: episodeId,
    scene_id: sceneId,
    task,
    task_type: typeOf(episode, registries),
    repeat: 0,
    attempt: 1,
    seed: 0,
    agent_seed: 0,
    outcome,
    ...(fault === undefined ? {} : { fault }),
    end_reason: episode.endReason,
    metrics: Object.fromEntries(
      Object.entries(episode.metrics).filter(([name]) => wanted?.has(name)),
    ),
    profile,
    steps: episode.steps,
    wall_ms: episode.wallMs,
    sim_ms: 0,
    agent_ms: 0,
    agent_latency_ms: null,
    initial_state_hash: null,
    final_state_hash: null,
    trajectory: null,
    ...(error === undefined ? {} : { error }),
    explanation: episode.explanation,
  };
}
