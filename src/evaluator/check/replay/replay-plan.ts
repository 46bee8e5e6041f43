import { dirname, join, resolve } from "node:path";
import { isTaskSection } from "../../../config/schema.js";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { ConfigError } from "../../../core/errors.js";
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
  const plan = await prepareRun(loaded, {
    registries: registries ?? programRegistries(),
    agent: `replay:${resolve(run.path)}`,
    seed: info.seed,
    episodes: { ...none, ...byTask(recorded) },
  });
  checkGraphs(plan, run, info, recorded);
  return plan;
}

/**
 * Rejects a task that ran on navigation graphs which were not found. Runs do not record a folder of graphs that was
 * found beside the dataset, and without graphs the default simulator is the one for meshes.
 *
 * @throws ConfigError `missing_graphs`
 */
function checkGraphs(
  { loaded, tasks }: RunPlan,
  run: RunDirectory,
  info: RunInfo,
  { tasksOnGraphs }: RecordedRun,
): void {
  // The states of other simulators, such as remote ones, may name nodes and need no graphs.
  if (!["abstract", "graph"].includes(loaded.config.simulator.backend)) return;
  const missing = tasks.find(({ task }) => !task.graphs && tasksOnGraphs.has(task.name));
  if (!missing) return;
  const { name } = missing.task;
  const { data_path } = sectionOf(sectionOf(info.config.dataset)[name]);
  const folder = join(dirname(String(data_path)), "connectivity");
  throw new ConfigError(
    "missing_graphs",
    `the task ${name} ran on navigation graphs, but no folder of graphs is given`,
    {
      where: run.path,
      hint: `name the folder that holds <scene>_connectivity.json, which was beside the run's dataset, ${folder}: --connectivity <folder>`,
    },
  );
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
