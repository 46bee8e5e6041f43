import { basename } from "node:path";
import { stringify } from "yaml";
import { type LoadedConfig, parseConfig } from "../../config/load.js";
import { type BaseEpisode, episodeKey } from "../../core/episode/base.js";
import { ConfigError, DataError, errorMessage, RobotEvalError } from "../../core/errors.js";
import type { EpisodeLine, PartialScore } from "../../core/interfaces/result.js";
import type { DatasetFormat, Submission } from "../../dataset/format.js";
import { loadEpisodes, resolveFormat } from "../../dataset/loader.js";
import { ScoredInstructions } from "../../dataset/scored-instructions.js";
import {
  missingGoals,
  missingPredictions,
  readSubmission,
  type SubmissionReading,
  submissionRecords,
} from "../../dataset/submission.js";
import { at, ResolvedTask } from "../../registry/resolved-task.js";
import { TrajectoryBuffer } from "../directory/trajectory.js";
import { scoreEpisode } from "./score-episode.js";
import { checkScoreOptions, type ScoreOptions, stopIfAborted } from "./score-options.js";
import type { ScoredRun } from "./score-run.js";
import { ScoreWriter } from "./score-writer.js";

export interface ScoreSubmissionOptions extends ScoreOptions {
  /** The dataset of the submission. */
  readonly dataset: string;
  /** The dataset's format; detected from the content if absent. */
  readonly format?: string | undefined;
  /** Scores an incomplete submission; without it, missing predictions are an error. */
  readonly partial?: boolean | undefined;
}

/**
 * Scores a submission file, the recorded actions of a policy, against its dataset.
 *
 * @example
 * const files = { path: "submission.json", dataset: "R2R_val_seen.json", connectivity: "graphs" };
 * await scoreSubmission({ ...files, outDir: "runs", registries: createRegistries() });
 */
export async function scoreSubmission(options: ScoreSubmissionOptions): Promise<ScoredRun> {
  const { path, registries, outDir, format: named } = options;
  checkScoreOptions(options);
  if (named !== undefined) at("--format", () => registries.formats.get(named));
  const format = await resolveFormat({
    path: options.dataset,
    format: named,
    formats: registries.formats,
  });
  const loaded = asBenchmark(options, format);
  const [section] = loaded.config.tasks;
  if (!section) throw new ConfigError("no_task", "no task to score");
  const task = new ResolvedTask(loaded, section, registries);
  const episodes = loadEpisodes({
    path: options.dataset,
    format: format.name,
    formats: registries.formats,
    graphs: task.graphs,
    taskType: task.type,
  });
  const instructions = new ScoredInstructions(task.rules);
  const reading = await readSubmission({
    ...{ path, format, episodes, graphs: task.graphs },
    isScored: (episode) => instructions.includes(episode),
  });
  const withheld = missingGoals(reading, options.dataset);
  if (withheld) throw withheld;
  if (
    reading.missing.length === reading.total ||
    (reading.missing.length > 0 && !options.partial)
  ) {
    throw missingPredictions(reading);
  }
  options.onMetrics?.({ [task.name]: task.metricNames });
  const writer = await ScoreWriter.open({
    loaded,
    tasks: [task],
    agent: basename(path),
    seed: loaded.config.evaluation.seed,
    source: { submission: path, dataset: options.dataset, format: format.name },
    partial: partialOf(reading),
    outDir,
  });
  try {
    const metrics = task.makeMetrics();
    for await (const { episode, submission } of reading.trajectories()) {
      stopIfAborted(options.signal);
      const scene = await task.distancesIn(episode.sceneId);
      const distance = scene?.distance;
      const records = submissionRecords(episode, submission, distance);
      const line = inFile(path, episode, () => {
        const judge = { task: task.taskFor(episode), metrics, distance };
        const ending = { reason: submission.stopped ? "stop" : "end", brokenOff: false };
        return lineOf(task, episode, submission, scoreEpisode(judge, episode, records, ending));
      });
      scene?.release();
      await writer.add(line, new TrajectoryBuffer(episode, records));
    }
    const warnings = instructions.note === undefined ? [] : [instructions.note];
    return { ...(await writer.finish(warnings)), warnings };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

function partialOf({ total, missing }: SubmissionReading): PartialScore | undefined {
  return missing.length === 0 ? undefined : { scored: total - missing.length, of: total };
}

/** A benchmark made from the flags, so that a scored submission is an ordinary run. */
function asBenchmark(options: ScoreSubmissionOptions, format: DatasetFormat): LoadedConfig {
  const [type] = format.taskTypes;
  if (type === undefined) {
    throw new ConfigError("no_submissions", `the format ${format.name} has no submission files`);
  }
  const { dataset, connectivity, scenes, metrics } = options;
  const document = {
    benchmark: { name: `${format.name} ${basename(dataset)}` },
    [`${type}_task`]: {
      type,
      config: { profile: options.profile ?? format.profile, ...(metrics ? { metrics } : {}) },
    },
    dataset: {
      [type]: {
        type,
        data_path: dataset,
        format: format.name,
        ...(connectivity === undefined ? {} : { connectivity }),
        ...(scenes === undefined ? {} : { scenes }),
      },
    },
  };
  return parseConfig(stringify(document), {
    file: "score",
    baseDir: process.cwd(),
    set: options.set ?? [],
  });
}

function lineOf(
  task: ResolvedTask,
  episode: BaseEpisode,
  submission: Submission,
  verdict: ReturnType<typeof scoreEpisode>,
): EpisodeLine {
  return {
    episode_key: episodeKey(task.name, episode.sceneId, episode.episodeId),
    episode_id: episode.episodeId,
    scene_id: episode.sceneId,
    task: task.name,
    task_type: task.type,
    repeat: 0,
    attempt: 1,
    seed: 0,
    agent_seed: 0,
    outcome: verdict.outcome,
    end_reason: submission.stopped ? "stop" : "end",
    metrics: verdict.metrics,
    profile: task.profile,
    steps: submission.steps.filter((step) => step.action !== null).length,
    wall_ms: 0,
    sim_ms: 0,
    agent_ms: 0,
    agent_latency_ms: null,
    initial_state_hash: null,
    final_state_hash: null,
    trajectory: null,
    explanation: verdict.explanation,
  };
}

/** Adds file and episode to a scorer's error. */
function inFile<T>(path: string, episode: BaseEpisode, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    const place = {
      where: `${path}, episode ${episode.episodeId}`,
      hint: error.hint,
      cause: error,
    };
    throw new DataError(error.code, error.message || errorMessage(error), place);
  }
}
