import { existsSync } from "node:fs";
import type { BenchmarkTaskSummary } from "../../config/benchmark-index.js";
import { type LoadedConfig, type LoadOptions, loadConfig } from "../../config/load.js";
import { ConfigProblems } from "../../config/problems.js";
import { DataError } from "../../core/errors.js";
import { loadPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import { at } from "../../registry/resolved-task.js";
import { checkCriteria } from "../check-criteria.js";
import { findAgent, parseAgentSpec } from "./agent-spec.js";
import { type CheckedTask, checkWorlds, type TaskProblem } from "./check-worlds.js";
import { checkOffered, perturberOf, resolvePerturbation } from "./perturbation.js";
import { pickEpisodes } from "./prepare.js";
import { resolveTasks } from "./resolve-tasks.js";
import type { TaskSensors } from "./sensors.js";

/** What `validate` reports about a benchmark. */
export interface BenchmarkInspection {
  readonly benchmark: string;
  readonly agent: string | null;
  readonly tasks: readonly InspectedTask[];
  /** Data files that the benchmark names and that do not exist. */
  readonly missing: readonly { readonly path: string; readonly where: string }[];
}

/** An inspection that has also looked for what would keep episodes from running. */
export interface CheckedBenchmark extends BenchmarkInspection {
  /** Of tasks whose data exists. */
  readonly problems: readonly TaskProblem[];
}

/**
 * Loads and inspects a benchmark and the worlds of its episodes. Mistakes in the form of the file and in what it says
 * about tasks are reported together.
 *
 * @throws ConfigError with all problems
 */
export async function loadAndInspect(
  file: string,
  registries: Registries,
  options: LoadOptions = {},
): Promise<CheckedBenchmark> {
  const problems = new ConfigProblems();
  const loaded = problems.attempt(() => loadConfig(file, options));
  if (loaded) return inspectWorlds(loaded, registries);
  const rest = new ConfigProblems().attempt(() =>
    loadConfig(file, { ...options, omitsWrong: true }),
  );
  if (rest) {
    // A plugin that cannot be loaded may be a consequence of the mistakes.
    await loadPlugins(rest, registries).then(
      () => problems.attempt(() => resolveTasks(rest, registries)),
      () => undefined,
    );
  }
  problems.throwAll();
  throw new TypeError("a benchmark without problems was not loaded");
}

async function inspectWorlds(
  loaded: LoadedConfig,
  registries: Registries,
): Promise<CheckedBenchmark> {
  const mistakes = new ConfigProblems();
  const { checked, ...inspection } = await inspectTasks(loaded, registries, mistakes);
  const problems = await checkWorlds(loaded, checked);
  if (!mistakes.isEmpty) {
    for (const { task, code, message, where, hint } of problems) {
      mistakes.add(new DataError(code, `${task}: ${message}`, { where, hint }));
    }
    mistakes.throwAll();
  }
  return { ...inspection, problems };
}

interface InspectedTask extends BenchmarkTaskSummary {
  readonly sensors: TaskSensors;
}

/**
 * Checks everything that needs no run: names, settings, plugins and the data files that exist. Missing data is
 * reported, not thrown: a benchmark may be written before its data arrives.
 */
export async function inspectBenchmark(
  loaded: LoadedConfig,
  registries: Registries,
): Promise<BenchmarkInspection> {
  const mistakes = new ConfigProblems();
  const { checked: _, ...inspection } = await inspectTasks(loaded, registries, mistakes);
  mistakes.throwAll();
  return inspection;
}

/** @param mistakes collects those of all tasks; a task with one is left out of the result */
async function inspectTasks(
  loaded: LoadedConfig,
  registries: Registries,
  mistakes: ConfigProblems,
): Promise<BenchmarkInspection & { readonly checked: readonly CheckedTask[] }> {
  await loadPlugins(loaded, registries);
  const { config } = loaded;
  const tasks: InspectedTask[] = [];
  const checked: CheckedTask[] = [];
  const missing: { path: string; where: string }[] = [];
  const setups = resolveTasks(loaded, registries);
  const perturbation = resolvePerturbation(loaded, registries);
  if (perturbation) checkOffered(loaded, perturbation, setups);
  for (const { section, task, ...simulated } of setups) {
    const { simulatorName, simulator, sensors } = simulated;
    const agent = config.agent;
    if (agent !== undefined) {
      mistakes.attempt(() =>
        at(loaded.locate(["agent"]), () =>
          findAgent(parseAgentSpec(agent)(section.name, section.type), registries),
        ),
      );
    }
    const { dataPath: path } = task;
    const { data_path } = section.dataset;
    const there = existsSync(path);
    const change = perturberOf(perturbation, task.name, config.evaluation.seed);
    const picked = await mistakes.attemptAsync(async () => {
      const some = there
        ? await pickEpisodes(loaded, section, task, { registries }, change)
        : undefined;
      checkCriteria(loaded, section, task, simulator, some?.episodes ?? []);
      return { episodes: some?.episodes ?? [], format: some?.format ?? null };
    });
    if (!picked) continue;
    checked.push({ task, ...simulated, episodes: picked.episodes });
    if (!there) {
      const where = loaded.locate(["dataset", section.name, "data_path"]);
      missing.push({ path: data_path, where });
    }
    tasks.push({
      name: task.name,
      type: task.type,
      profile: task.profile,
      metrics: task.metricNames,
      simulator: simulatorName,
      sensors,
      data_path,
      format: picked.format,
      episodes: there ? picked.episodes.length : null,
    });
  }
  return { benchmark: config.benchmark.name, agent: config.agent ?? null, tasks, missing, checked };
}
