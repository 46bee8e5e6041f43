import { basename, resolve } from "node:path";
import { stringify } from "yaml";
import { type LoadedConfig, parseConfig } from "../../config/load.js";
import { episodeKey } from "../../core/episode/base.js";
import { ConfigError } from "../../core/errors.js";
import type { EpisodeLine, RunResults } from "../../core/interfaces/result.js";
import { getProfile } from "../../core/profiles.js";
import { resolveResultsFormat } from "../../dataset/results/detect.js";
import { type ImportedEpisode, type ResultsFormat, SUCCESS } from "../../dataset/results/format.js";
import type { Registries } from "../../registry/registries.js";
import { at } from "../../registry/resolved-task.js";
import { type SceneRate, SceneRates } from "../summary/scene-rates.js";
import { type SurveyedTask, survey, taskName, typeOf } from "./results-survey.js";
import { type ScoreOptions, stopIfAborted } from "./score-options.js";
import { ScoreWriter } from "./score-writer.js";

/** Profile of imported numbers with unknown conventions; `compare` does not mix it with others. */
const IMPORTED = "imported";

export interface ScoreResultsOptions extends Omit<ScoreOptions, "connectivity" | "set"> {
  /** The results format; detected from the content if absent. */
  readonly format?: string | undefined;
  /** For tables: column names by our field names, `{ episode_id: "id", success: "ok" }`. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Task name for a file that has none. */
  readonly task?: string | undefined;
}

/** The summary, with success rates by scene and warnings. */
export type ImportedResults = RunResults & {
  /** Rates of tasks with several scenes, keyed by task. In a LIBERO suite, each task counts as a scene. */
  readonly per_scene: Readonly<Record<string, readonly SceneRate[]>>;
  readonly warnings: readonly string[];
};

/**
 * Imports results computed elsewhere as a run, so that all tools for runs work on them: intervals, comparison,
 * counts of invalid episodes. Metrics are copied, not computed again.
 *
 * @example
 * const registries = createRegistries();
 * const { warnings } = await scoreResults({ path: "results.csv", outDir: "runs", registries });
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
  const names = tasks.map((task) => [task.name, task.metrics.map((info) => info.name)] as const);
  options.onMetrics?.(Object.fromEntries(names));
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
 * The benchmark for run.json. It names the tasks and the source of the numbers; it cannot be run, since a results
 * file has no episodes.
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
