import { copyFile, link } from "node:fs/promises";
import { join } from "node:path";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import { resolvePath } from "../config/paths.js";
import { DataError, errorMessage, show } from "../core/errors.js";
import type { EpisodeLine, RunResults } from "../core/interfaces/result.js";
import type { BaseMetric } from "../core/metric/base.js";
import { loadPlugin } from "../registry/plugins.js";
import type { Registries } from "../registry/registries.js";
import { JudgedTask } from "./judged-task.js";
import { mapOrdered } from "./ordered.js";
import { recordedBenchmark } from "./recorded-config.js";
import { RunDirectory } from "./run-directory.js";
import { scoreEpisode, type Verdict } from "./score-episode.js";
import { checkScoreOptions, type ScoreOptions, stopIfAborted } from "./score-options.js";
import { ScoreWriter } from "./score-writer.js";
import { readTrajectory } from "./trajectory.js";

/** Files are awaited more than they are worked on; a few under way hide that. */
const READ_AHEAD = 16;

/**
 * Scores a recorded run again, with other metrics or another profile, from its step records alone: no
 * policy and no simulator runs. Episodes that were invalid stay so. A few episodes are in memory at a time,
 * however many there are.
 */
export async function scoreRun(options: ScoreOptions): Promise<RunResults> {
  const run = await RunDirectory.open(options.path);
  const info = await run.info();
  const own = recordedBenchmark(run, info);
  await loadPlugins(own, options.registries);
  checkScoreOptions(options);
  const loaded = asWished(own, options);
  const tasks = new Map(
    loaded.config.tasks.map((section) => {
      const judged = new JudgedTask(loaded, section, options.registries);
      return [section.name, { judged, metrics: judged.makeMetrics() }];
    }),
  );
  const writer = await ScoreWriter.open({
    loaded,
    tasks: [...tasks.values()].map(({ judged }) => judged),
    agent: info.agent,
    seed: info.seed,
    source: { run: options.path, run_id: info.run_id },
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
      if (writer.path !== undefined) await keepTrajectory(run, line, writer.path);
      return scored;
    });
    for await (const line of lines) {
      stopIfAborted(options.signal);
      await writer.add(line);
    }
    return await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
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

/** The same file under a second name where the file system can, a copy where it cannot. */
async function keepTrajectory(run: RunDirectory, line: EpisodeLine, to: string): Promise<void> {
  const from = run.trajectoryOf(line);
  if (from === null || line.trajectory === null) return;
  const target = join(to, line.trajectory);
  try {
    await link(from, target).catch(() => copyFile(from, target));
  } catch (cause) {
    throw new DataError("missing_file", `cannot be copied: ${errorMessage(cause)}`, {
      where: from,
      cause,
    });
  }
}

async function loadPlugins(own: LoadedConfig, registries: Registries): Promise<void> {
  for (const [i, name] of own.config.plugins.entries()) {
    const plugin = name.startsWith(".") ? resolvePath(own, name) : name;
    await loadPlugin(plugin, registries, own.baseDir, own.locate(["plugins", i]));
  }
}

/** The run's own benchmark with the scorer's wishes in it. */
function asWished(own: LoadedConfig, options: ScoreOptions): LoadedConfig {
  const { profile, metrics, connectivity, scenes } = options;
  const wishes = own.config.tasks.flatMap(({ section, name }) => [
    ...(profile === undefined ? [] : [`${section}.config.profile=${profile}`]),
    ...(metrics === undefined ? [] : [`${section}.config.metrics=${JSON.stringify(metrics)}`]),
    ...(connectivity === undefined
      ? []
      : [`dataset.${name}.connectivity=${JSON.stringify(connectivity)}`]),
    ...(scenes === undefined ? [] : [`dataset.${name}.scenes=${JSON.stringify(scenes)}`]),
  ]);
  return parseConfig(own.text, { file: own.file, baseDir: own.baseDir, set: wishes });
}
