import { stringify } from "yaml";
import { parseConfig } from "../../config/load.js";
import { DataError } from "../../core/errors.js";
import type { EpisodeLine, RunInfo, RunResults } from "../../core/interfaces/result.js";
import type { BaseMetric } from "../../core/metric/base.js";
import { ScoredInstructions } from "../../dataset/scored-instructions.js";
import { loadRunPlugins } from "../../registry/plugins.js";
import { at, ResolvedTask } from "../../registry/resolved-task.js";
import { keepFiles } from "../directory/kept-files.js";
import { mapOrdered } from "../directory/ordered.js";
import { RunDirectory } from "../directory/run-directory.js";
import { isOwnRun } from "../directory/run-key.js";
import { checkScene, savedTrajectory, TrajectoryBuffer } from "../directory/trajectory.js";
import { recordedBenchmark } from "../recorded/recorded-benchmark.js";
import { recordedConfig, stopsEarly } from "../recorded/recorded-config.js";
import { Rejudge } from "./rejudge.js";
import { scoreEpisode, type Verdict } from "./score-episode.js";
import { checkScoreOptions, type ScoreOptions, stopIfAborted } from "./score-options.js";
import { withFlags, withSet } from "./score-settings.js";
import { ScoreWriter } from "./score-writer.js";

/** Trajectory files read concurrently, to hide disk latency. */
const READ_AHEAD = 16;

const OTHER_SCENE_HINT =
  "restore the scene file and simulator.agent, or leave out the metrics that need scene distances";

/** The summary with warnings. */
export type ScoredRun = RunResults & { readonly warnings: readonly string[] };

/**
 * Scores a recorded run again with other metrics, another profile or other settings, from its step records only:
 * no policy and no simulator runs. Invalid episodes stay invalid. Of an unfinished run the recorded episodes are
 * scored. Memory does not grow with the number of episodes.
 *
 * @example
 * const registries = createRegistries();
 * const scored = await scoreRun({ path: "runs/20260101T120000Z-vln", profile: "r2r", outDir: null, registries });
 * scored.aggregated_metrics.success?.mean;
 */
export async function scoreRun(options: ScoreOptions): Promise<ScoredRun> {
  const run = await RunDirectory.open(options.path);
  const info = await run.info();
  const { plugins, scenes, connectivity, bundle, benchmark } = options;
  const own = recordedBenchmark(run, info, ["plugins", "scenes", "graphs"], {
    ...{ plugins, scenes, connectivity, bundle, benchmark },
  });
  await loadRunPlugins(withSet(own, options.set ?? []), options.registries);
  checkScoreOptions(options);
  const loaded = withFlags(own, options);
  // A filter may have excluded a whole task from the run.
  const ran = Object.keys(info.data ?? {});
  const sections = loaded.config.tasks.filter(({ name }) => ran.length === 0 || ran.includes(name));
  const tasks = new Map(
    sections.map((section) => {
      const task = new ResolvedTask(loaded, section, options.registries);
      const before = own.config.tasks.find(({ name }) => name === section.name) ?? section;
      const rejudge = new Rejudge(new ResolvedTask(own, before, options.registries), task);
      const instructions = new ScoredInstructions(task.rules);
      return [section.name, { task, rejudge, instructions, metrics: task.makeMetrics() }];
    }),
  );
  const metrics = [...tasks].map(([name, { task }]) => [name, task.metricNames] as const);
  options.onMetrics?.(Object.fromEntries(metrics));
  const writer = await ScoreWriter.open({
    loaded,
    tasks: [...tasks.values()].map(({ task }) => task),
    agent: info.agent,
    seed: info.seed,
    source: { run: options.path, run_id: info.run_id },
    recorded: info,
    config: scoredConfig(run, info, options),
    isOwn: bundle === undefined && isOwnRun(info),
    outDir: options.outDir,
  });
  try {
    const lines = mapOrdered(run.episodes(), READ_AHEAD, async (line) => {
      const task = tasks.get(line.task);
      if (!task) {
        throw new DataError("unknown_task", `run.json has no task "${line.task}"`, {
          where: run.file("episodes"),
        });
      }
      const { scored, steps } = await rescore(run, line, task);
      if (!scored) return undefined;
      const kept = writer.path === undefined ? scored : await keepFiles(run, scored, writer.path);
      return { kept, steps };
    });
    for await (const line of lines) {
      stopIfAborted(options.signal);
      if (line) await writer.add(line.kept, line.steps);
    }
    const warnings = [
      ...warningsOf(info),
      ...[...tasks.values()].flatMap(({ rejudge }) => rejudge.warning ?? []),
      ...[...tasks.values()].flatMap(({ instructions }) => instructions.note ?? []),
    ];
    const status = info.status === "done" ? "done" : "cancelled";
    return { ...(await writer.finish(warnings, status)), warnings };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** The recorded settings with the requested changes. They are only written, never acted on. */
function scoredConfig(run: RunDirectory, { config }: RunInfo, options: ScoreOptions) {
  const recorded = { file: run.file("info"), baseDir: run.path };
  return recordedConfig(withFlags(parseConfig(stringify(config), recorded), options));
}

/** Warnings about the recorded run that also apply to the new numbers. */
function warningsOf(info: RunInfo): string[] {
  const { status } = info;
  const warnings: string[] = [];
  if (status !== "done") {
    warnings.push(`the run is not finished (status ${status}): its recorded episodes are scored`);
  }
  if (stopsEarly(info)) {
    warnings.push(
      "the run used early stopping: these intervals assume a fixed number of episodes and may be too narrow",
    );
  }
  return warnings;
}

interface ScoredTask {
  readonly task: ResolvedTask;
  readonly rejudge: Rejudge;
  readonly instructions: ScoredInstructions;
  readonly metrics: readonly BaseMetric[];
}

interface ScoredLine {
  /** Undefined if the profile does not score the episode. */
  readonly scored?: EpisodeLine;
  /** Set if the episode was judged by another rule than the recorded one. */
  readonly steps?: TrajectoryBuffer | undefined;
}

async function rescore(
  run: RunDirectory,
  line: EpisodeLine,
  { task, rejudge, instructions, metrics }: ScoredTask,
): Promise<ScoredLine> {
  if (line.outcome === "invalid") return { scored: line };
  const trajectory = await savedTrajectory(run, line);
  const { episode } = trajectory;
  if (!instructions.includes(episode)) return {};
  const rejudged = at(`episode ${line.episode_key}`, () =>
    rejudge.records(trajectory, line.end_reason),
  );
  const records = rejudged ?? trajectory.records;
  // Load the scene only if needed: it may be missing, and most metrics use the step records only.
  const scene = task.needsDistances(metrics) ? await task.distancesIn(episode.sceneId) : undefined;
  const brokenOff = line.fault === "agent";
  let verdict: Verdict;
  try {
    checkScene(line, scene?.sha256, records, OTHER_SCENE_HINT);
    verdict = scoreEpisode(
      { task: task.taskFor(episode), metrics, distance: scene?.distance },
      episode,
      records,
      { reason: line.end_reason, brokenOff },
    );
  } finally {
    scene?.release();
  }
  const scored: EpisodeLine = {
    ...line,
    metrics: verdict.metrics,
    outcome: brokenOff ? "failure" : verdict.outcome,
    profile: task.profile,
    explanation: brokenOff ? line.explanation : verdict.explanation,
  };
  return { scored, steps: rejudged && new TrajectoryBuffer(episode, rejudged) };
}
