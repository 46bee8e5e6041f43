import { resolve } from "node:path";
import { isTaskSection } from "../../../config/schema.js";
import type { BaseEpisode } from "../../../core/episode/base.js";
import type { RunInfo } from "../../../core/interfaces/result.js";
import { programRegistries } from "../../../registry/default.js";
import type { Registries } from "../../../registry/registries.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import {
  type ActingPart,
  type RunPermissions,
  recordedBenchmark,
} from "../../../runs/recorded/recorded-benchmark.js";
import { type Section, sectionOf } from "../../../runs/recorded/recorded-config.js";
import { prepareRun, type RunPlan } from "../../plan/prepare.js";
import type { RecordedRun } from "./recorded-run.js";

/** Time limit of an episode; effectively none, since the result must not depend on this machine's speed. */
const LONGEST_EPISODE_S = 24 * 3600;

export interface ReplayPermissions extends Omit<RunPermissions, "agent"> {
  readonly registries?: Registries | undefined;
}

/** Parts of a recorded configuration that a replay uses. */
export const REPLAY_USES: readonly ActingPart[] = ["plugins", "simulator", "scenes", "graphs"];

/**
 * The run's plan with the recorded actions as the agent and the episodes from the trajectories. Of the dataset
 * only the scenes are needed.
 */
export async function replayPlan(
  run: RunDirectory,
  info: RunInfo,
  recorded: RecordedRun,
  { registries, ...permissions }: ReplayPermissions,
  { uses = REPLAY_USES, change = (config) => config, keepsSensors = false }: PlanChanges = {},
): Promise<RunPlan> {
  // The state of a plugin's simulator may depend on its sensors; built-in ones' does not.
  const ours =
    listOf(info.config.plugins).length === 0 &&
    registries === undefined &&
    sectionOf(info.config.simulator).backend !== "remote";
  const seesNothing = ours && !recorded.namesSensors && !keepsSensors;
  const loaded = recordedBenchmark(run, info, uses, permissions, (config) =>
    replayConfig(change(config), seesNothing),
  );
  // A task without episodes is left out, so that its dataset is not read.
  const none = Object.fromEntries(loaded.config.tasks.map(({ name }) => [name, []]));
  return prepareRun(loaded, {
    registries: registries ?? programRegistries(),
    agent: `replay:${resolve(run.path)}`,
    seed: info.seed,
    episodes: { ...none, ...byTask(recorded) },
  });
}

interface PlanChanges {
  readonly uses?: readonly ActingPart[];
  /** Changes the settings before the replay's own changes. */
  readonly change?: (config: Section) => Section;
  /** Keeps the cameras of the run's benchmark. Default: nothing is rendered. */
  readonly keepsSensors?: boolean;
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
 * The recorded benchmark without settings that a replay must not apply again: simulated latency and
 * the perturbation are already in the recorded actions and episodes, episodes are already selected, cameras are not rendered, and no clock ends an episode.
 */
function replayConfig(config: Section, seesNothing: boolean): Section {
  const { simulated_latency, early_stop, perturbation, ...evaluation } = sectionOf(
    config.evaluation,
  );
  const { video, ...output } = sectionOf(config.output);
  const datasets = Object.entries(sectionOf(config.dataset)).map(([name, section]) => {
    const { limit, first, shuffle, ...dataset } = sectionOf(section);
    return [name, dataset];
  });
  const taskSections = Object.entries(config).filter(([key]) => isTaskSection(key));
  return {
    ...config,
    ...Object.fromEntries(taskSections.map(withoutTimeout)),
    evaluation: { ...evaluation, timeout: LONGEST_EPISODE_S },
    output,
    dataset: Object.fromEntries(datasets),
    ...(seesNothing ? { simulator: { ...sectionOf(config.simulator), sensors: {} } } : {}),
  };
}

function withoutTimeout([key, value]: readonly [string, unknown]): readonly [string, Section] {
  const section = sectionOf(value);
  const { timeout, ...config } = sectionOf(section.config);
  return [key, { ...section, config }];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
