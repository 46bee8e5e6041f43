import { DataError, show } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunResults } from "../core/interfaces/result.js";
import type { BaseMetric } from "../core/metric/base.js";
import { isRecord } from "../core/record.js";
import { JudgedTask } from "./judged-task.js";
import { keepFiles } from "./kept-files.js";
import { mapOrdered } from "./ordered.js";
import { recordedBenchmark } from "./recorded-config.js";
import { RunDirectory } from "./run-directory.js";
import { loadRunPlugins } from "./run-plugins.js";
import { scoreEpisode, type Verdict } from "./score-episode.js";
import { checkScoreOptions, type ScoreOptions, stopIfAborted } from "./score-options.js";
import { withSet, withWishes } from "./score-settings.js";
import { ScoreWriter } from "./score-writer.js";
import { readTrajectory } from "./trajectory.js";

/** Files are awaited more than they are worked on; a few under way hide that. */
const READ_AHEAD = 16;

/** The summary, and what is to be told beside it. */
export type ScoredRun = RunResults & { readonly warnings: readonly string[] };

/**
 * Scores a recorded run again, with other metrics, another profile or other settings, from its step records
 * alone: no policy and no simulator runs. Episodes that were invalid stay so. A run that is not finished
 * is scored as far as it is. A few episodes are in memory at a time, however many there are.
 */
export async function scoreRun(options: ScoreOptions): Promise<ScoredRun> {
  const run = await RunDirectory.open(options.path);
  const info = await run.info();
  const own = recordedBenchmark(run, info);
  await loadRunPlugins(withSet(own, options.set ?? []), options.registries);
  checkScoreOptions(options);
  const loaded = withWishes(own, options);
  // A filter may have left a whole task out of the run.
  const ran = Object.keys(info.data ?? {});
  const sections = loaded.config.tasks.filter(({ name }) => ran.length === 0 || ran.includes(name));
  const tasks = new Map(
    sections.map((section) => {
      const judged = new JudgedTask(loaded, section, options.registries);
      return [section.name, { judged, metrics: judged.makeMetrics() }];
    }),
  );
  options.onMetrics?.([...tasks.values()].flatMap(({ judged }) => judged.metricNames));
  const writer = await ScoreWriter.open({
    loaded,
    tasks: [...tasks.values()].map(({ judged }) => judged),
    agent: info.agent,
    seed: info.seed,
    source: { run: options.path, run_id: info.run_id },
    recorded: info,
    outDir: options.outDir,
  });
  try {
    const lines = mapOrdered(run.episodes(), READ_AHEAD, async (line) => {
      const task = tasks.get(line.task);
      if (!task) {
        throw new DataError("unknown_task", `run.json knows no task "${line.task}"`, {
          where: run.file("episodes"),
        });
      }
      const scored = await again(run, line, task.judged, task.metrics);
      return writer.path === undefined ? scored : keepFiles(run, scored, writer.path);
    });
    for await (const line of lines) {
      stopIfAborted(options.signal);
      await writer.add(line);
    }
    const warnings = warningsOf(info);
    const status = info.status === "done" ? "done" : "cancelled";
    return { ...(await writer.finish(warnings, status)), warnings };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** What limits the new numbers as it did the old, or more. */
function warningsOf({ status, config: { evaluation } }: RunInfo): string[] {
  const warnings: string[] = [];
  if (status !== "done") {
    warnings.push(`the run was not done (its status is ${status}): what it had by now is scored`);
  }
  if (isRecord(evaluation) && evaluation.early_stop !== undefined) {
    warnings.push(
      "the run was to stop early: intervals here are those of a fixed number of episodes, which do not allow for that and may be too narrow",
    );
  }
  return warnings;
}

async function again(
  run: RunDirectory,
  line: EpisodeLine,
  judged: JudgedTask,
  metrics: readonly BaseMetric[],
): Promise<EpisodeLine> {
  if (line.outcome === "invalid") return line;
  const file = run.trajectoryOf(line);
  if (file === null) {
    throw new DataError("no_trajectory", `episode ${line.episode_key} has no saved trajectory`, {
      where: run.path,
      hint: "a run made with `output.save_trajectories: false` cannot be scored again",
    });
  }
  const { episode, records } = await readTrajectory(file);
  // The scene may be gone; most metrics have all they need in the step records.
  const scene = judged.needsDistances(metrics)
    ? await judged.distancesIn(episode.sceneId)
    : undefined;
  const brokenOff = line.fault === "agent";
  let verdict: Verdict;
  try {
    checkScene(line, scene?.sha256, records[0]?.state.scene_sha256);
    verdict = scoreEpisode(
      { task: judged.taskFor(episode), metrics, distance: scene?.distance },
      episode,
      records,
      { reason: line.end_reason, brokenOff },
    );
  } finally {
    scene?.release();
  }
  return {
    ...line,
    metrics: verdict.metrics,
    outcome: brokenOff ? "failure" : verdict.outcome,
    profile: judged.profile,
    explanation: brokenOff ? line.explanation : verdict.explanation,
  };
}

/** Distances in another scene than the recorded one would be numbers of something else. */
function checkScene(line: EpisodeLine, found: string | undefined, recorded: unknown): void {
  if (found === undefined || recorded === undefined || found === recorded) return;
  throw new DataError(
    "other_scene",
    `episode ${line.episode_key} was recorded in another ${line.scene_id} than the one found now`,
    {
      where: `sha256 recorded ${show(recorded)}, found "${found}"`,
      hint: "bring back the scene's file and simulator.agent, or leave out the metrics that measure in the scene",
    },
  );
}
