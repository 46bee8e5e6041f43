import { existsSync } from "node:fs";
import type { BenchmarkTaskSummary } from "../../config/benchmark-index.js";
import { type LoadedConfig, type LoadOptions, loadConfig } from "../../config/load.js";
import { ConfigProblems } from "../../config/problems.js";
import { DataError } from "../../core/errors.js";
import { loadPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import { parseThresholds } from "../../runs/thresholds.js";
import { type CheckedTask, checkWorlds, type TaskProblem } from "./check-worlds.js";
import { type PrepareOptions, planOf, type RunPlan, withAgent } from "./prepare.js";
import { type ReadMode, type ReadTasks, readTasks } from "./read-tasks.js";
import type { TaskSensors } from "./sensors.js";

/** What `validate` reports about a benchmark. */
export interface BenchmarkInspection {
  readonly benchmark: string;
  readonly agent: string | null;
  readonly tasks: readonly InspectedTask[];
  /** Data files that the benchmark names and that do not exist. */
  readonly missing: readonly { readonly path: string; readonly where: string }[];
  readonly warnings: readonly string[];
}

interface InspectedTask extends BenchmarkTaskSummary {
  readonly sensors: TaskSensors;
}

/** An inspection that has also looked for what would keep episodes from running. */
export interface CheckedBenchmark extends BenchmarkInspection {
  /** The problems of tasks whose data exists. */
  readonly problems: readonly TaskProblem[];
}

/** A run that could start, apart from the problems that are listed. */
export interface CheckedPlan {
  readonly plan: RunPlan;
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
  const { loaded, read, problems } = await check(file, { ...options, registries }, DATA_MAY_COME);
  return { ...inspectionOf(loaded, read), problems };
}

/**
 * Loads a benchmark and plans a run of it, and checks the same as `loadAndInspect` for the selected episodes.
 *
 * @throws ConfigError with all problems
 */
export async function loadAndPlan(
  file: string,
  options: PrepareOptions & LoadOptions,
): Promise<CheckedPlan> {
  const { loaded, read, problems } = await check(file, options, { needsAgent: true });
  return { plan: planOf(loaded, read, options), problems };
}

/** Inspects a benchmark without the worlds of its episodes. */
export async function inspectBenchmark(
  loaded: LoadedConfig,
  registries: Registries,
): Promise<BenchmarkInspection> {
  const mistakes = new ConfigProblems();
  const read = await readTasks(loaded, { registries }, mistakes, DATA_MAY_COME);
  mistakes.throwAll();
  return inspectionOf(loaded, read);
}

const DATA_MAY_COME: ReadMode = { allowsMissing: true };

async function check(
  file: string,
  options: PrepareOptions & LoadOptions,
  mode: ReadMode & { readonly needsAgent?: boolean },
): Promise<{
  readonly loaded: LoadedConfig;
  readonly read: ReadTasks;
  readonly problems: readonly TaskProblem[];
}> {
  const mistakes = new ConfigProblems();
  const loaded = mistakes.attempt(() => loadConfig(file, options));
  if (!loaded) return throwFormMistakes(file, options, mistakes);
  if (mode.needsAgent) mistakes.attempt(() => withAgent(loaded, options));
  const read = await readTasks(loaded, options, mistakes, mode);
  const isWhole = mistakes.isEmpty || read.tasks.length === loaded.config.tasks.length;
  // A shard has some of the episodes only; `merge` checks the thresholds.
  if (isWhole && options.shard === undefined) {
    mistakes.attempt(() => checkThresholds(loaded, read));
  }
  const checked = read.tasks.map(
    ({ setup: { section: _, ...setup }, picked }): CheckedTask => ({
      ...setup,
      episodes: picked?.episodes ?? [],
    }),
  );
  const problems = await checkWorlds(loaded, checked);
  if (!mistakes.isEmpty) {
    for (const { task, level, code, message, where, hint } of problems) {
      if (level !== "error") continue;
      mistakes.add(new DataError(code, `${task}: ${message}`, { where, hint }));
    }
    mistakes.throwAll();
  }
  return { loaded, read, problems };
}

/** Throws the mistakes in the form of a file, with those that its other parts have. */
async function throwFormMistakes(
  file: string,
  options: PrepareOptions & LoadOptions,
  mistakes: ConfigProblems,
): Promise<never> {
  const rest = new ConfigProblems().attempt(() =>
    loadConfig(file, { ...options, omitsWrong: true }),
  );
  if (rest) {
    // A plugin that cannot be loaded may be a consequence of the mistakes.
    await loadPlugins(rest, options.registries).then(
      () => readTasks(rest, options, mistakes, { endsEarly: true }),
      () => undefined,
    );
  }
  mistakes.throwAll();
  throw new TypeError("a benchmark without problems was not loaded");
}

function checkThresholds({ config, locate }: LoadedConfig, { tasks }: ReadTasks): void {
  const where = locate(["evaluation", "thresholds"]);
  const reported = tasks.map(({ setup: { task } }) => [task.name, task.metricNames]);
  parseThresholds(config.evaluation.thresholds, Object.fromEntries(reported), where);
}

function inspectionOf(loaded: LoadedConfig, { tasks, warnings }: ReadTasks): BenchmarkInspection {
  const { config } = loaded;
  const missing = tasks.flatMap(({ setup: { section, task } }) => {
    if (existsSync(task.dataPath)) return [];
    const where = loaded.locate(["dataset", section.name, "data_path"]);
    return [{ path: section.dataset.data_path, where }];
  });
  const inspected = tasks.map(
    ({ setup: { section, task, simulatorName, sensors }, picked }): InspectedTask => ({
      name: task.name,
      type: task.type,
      profile: task.profile,
      metrics: task.metricNames,
      simulator: simulatorName,
      sensors,
      data_path: section.dataset.data_path,
      format: picked?.format ?? null,
      episodes: picked?.episodes.length ?? null,
    }),
  );
  const { benchmark, agent = null } = config;
  return { benchmark: benchmark.name, agent, tasks: inspected, missing, warnings };
}
