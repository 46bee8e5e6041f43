import { resolve } from "node:path";
import { isTaskSection } from "../../config/schema.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";
import { createRegistries, type Registries } from "../../registry/registries.js";
import { recordedBenchmark } from "../../runs/recorded-config.js";
import type { RunDirectory } from "../../runs/run-directory.js";
import { prepareRun, type RunPlan } from "../prepare.js";
import type { RecordedRun } from "./recorded-run.js";

type Section = Readonly<Record<string, unknown>>;

/** Long enough for any episode: the result must not depend on how quick this machine is. */
const LONGEST_EPISODE_S = 24 * 3600;

export interface ReplayPlaces {
  /** Folder of the scenes' files, where they are not where the run had them. */
  readonly scenes?: string | undefined;
  /** Folder of the navigation graphs, likewise. */
  readonly connectivity?: string | undefined;
  readonly registries?: Registries | undefined;
}

/**
 * The run's own plan, with the recorded actions in the agent's place and the episodes from the
 * trajectories: of the dataset nothing is needed but its scenes.
 */
export async function replayPlan(
  run: RunDirectory,
  info: RunInfo,
  recorded: RecordedRun,
  places: ReplayPlaces,
): Promise<RunPlan> {
  // A simulator of others may let its state depend on its sensors; those here do not.
  const ours =
    listOf(info.config.plugins).length === 0 &&
    places.registries === undefined &&
    sectionOf(info.config.simulator).backend !== "remote";
  const config = replayConfig(info.config, {
    ...places,
    seesNothing: ours && !recorded.namesSensors,
  });
  const loaded = recordedBenchmark(run, { ...info, config });
  // A task without any is left out, and its dataset, which may be gone, is not asked.
  const none = Object.fromEntries(loaded.config.tasks.map(({ name }) => [name, []]));
  return prepareRun(loaded, {
    registries: places.registries ?? createRegistries(),
    agent: `replay:${resolve(run.path)}`,
    seed: info.seed,
    episodes: { ...none, ...byTask(recorded) },
  });
}

function byTask({ episodes }: RecordedRun): Record<string, BaseEpisode[]> {
  const tasks: Record<string, Set<BaseEpisode>> = {};
  for (const { job } of episodes) {
    const known = tasks[job.task];
    if (known) known.add(job.episode);
    else tasks[job.task] = new Set([job.episode]);
  }
  return Object.fromEntries(Object.entries(tasks).map(([name, own]) => [name, [...own]]));
}

/**
 * The recorded benchmark without what decides anything but the world's course: the recorded actions
 * already hold those that were done while the policy was thinking, what was selected is there, nobody
 * looks at pictures, and no clock ends an episode.
 */
function replayConfig(
  config: Section,
  wishes: ReplayPlaces & { readonly seesNothing: boolean },
): Section {
  const { simulated_latency, early_stop, ...evaluation } = sectionOf(config.evaluation);
  const { video, ...output } = sectionOf(config.output);
  const datasets = Object.entries(sectionOf(config.dataset)).map(([name, section]) => {
    const { limit, shuffle, ...dataset } = sectionOf(section);
    return [name, { ...dataset, ...placesIn(wishes) }];
  });
  return {
    ...config,
    ...Object.fromEntries(Object.entries(config).filter(isTask).map(withoutTimeout)),
    evaluation: { ...evaluation, timeout: LONGEST_EPISODE_S },
    output,
    dataset: Object.fromEntries(datasets),
    ...(wishes.seesNothing ? { simulator: { ...sectionOf(config.simulator), sensors: {} } } : {}),
  };
}

function placesIn({ scenes, connectivity }: ReplayPlaces): Section {
  return {
    ...(scenes === undefined ? {} : { scenes: resolve(scenes) }),
    ...(connectivity === undefined ? {} : { connectivity: resolve(connectivity) }),
  };
}

function isTask([key]: readonly [string, unknown]): boolean {
  return isTaskSection(key);
}

function withoutTimeout([key, value]: readonly [string, unknown]): readonly [string, Section] {
  const section = sectionOf(value);
  const { timeout, ...config } = sectionOf(section.config);
  return [key, { ...section, config }];
}

function sectionOf(value: unknown): Section {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
