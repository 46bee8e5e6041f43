import { existsSync } from "node:fs";
import type { BenchmarkTaskSummary } from "../../config/benchmark-index.js";
import { type LoadedConfig, type LoadOptions, loadConfig } from "../../config/load.js";
import { ConfigProblems } from "../../config/problems.js";
import { resolveFormat } from "../../dataset/loader.js";
import { loadPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import { at } from "../../registry/resolved-task.js";
import { checkCriteria } from "../check-criteria.js";
import { findAgent, parseAgentSpec } from "./agent-spec.js";
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

/**
 * Loads and inspects a benchmark. Mistakes in the form of the file and in what it says about tasks are reported together.
 *
 * @throws ConfigError with all problems
 */
export async function loadAndInspect(
  file: string,
  registries: Registries,
  options: LoadOptions = {},
): Promise<BenchmarkInspection> {
  const problems = new ConfigProblems();
  const loaded = problems.attempt(() => loadConfig(file, options));
  if (loaded) return inspectBenchmark(loaded, registries);
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
  await loadPlugins(loaded, registries);
  const { config } = loaded;
  const tasks: InspectedTask[] = [];
  const missing: { path: string; where: string }[] = [];
  const setups = resolveTasks(loaded, registries);
  const perturbation = resolvePerturbation(loaded, registries);
  if (perturbation) checkOffered(loaded, perturbation, setups);
  for (const { section, task, ...simulated } of setups) {
    const { simulatorName, simulator, sensors } = simulated;
    const agent = config.agent;
    if (agent !== undefined) {
      at(loaded.locate(["agent"]), () =>
        findAgent(parseAgentSpec(agent)(section.name, section.type), registries),
      );
    }
    const { dataPath: path } = task;
    const { data_path, format } = section.dataset;
    const there = existsSync(path);
    const change = perturberOf(perturbation, task.name, config.evaluation.seed);
    const picked = there
      ? await pickEpisodes(loaded, section, task, { registries }, change)
      : undefined;
    checkCriteria(loaded, section, task, simulator, picked?.episodes ?? []);
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
      format: there
        ? (await resolveFormat({ path, format, formats: registries.formats })).name
        : null,
      episodes: there ? (picked?.episodes.length ?? 0) : null,
    });
  }
  return { benchmark: config.benchmark.name, agent: config.agent ?? null, tasks, missing };
}
