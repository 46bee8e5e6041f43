import { existsSync } from "node:fs";
import type { BenchmarkTaskSummary } from "../../config/benchmark-index.js";
import type { LoadedConfig } from "../../config/load.js";
import { resolveFormat } from "../../dataset/loader.js";
import { loadPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import { at, ResolvedTask } from "../../registry/resolved-task.js";
import { checkCriteria } from "../check-criteria.js";
import { findAgent, parseAgentSpec } from "./agent-spec.js";
import { pickEpisodes, pickSimulator } from "./prepare.js";

/** What `validate` reports about a benchmark. */
export interface BenchmarkInspection {
  readonly benchmark: string;
  readonly agent: string | null;
  readonly tasks: readonly BenchmarkTaskSummary[];
  /** Data files that the benchmark names and that do not exist. */
  readonly missing: readonly { readonly path: string; readonly where: string }[];
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
  const tasks: BenchmarkTaskSummary[] = [];
  const missing: { path: string; where: string }[] = [];
  for (const section of config.tasks) {
    const task = new ResolvedTask(loaded, section, registries);
    const agent = config.agent;
    if (agent !== undefined) {
      at(loaded.locate(["agent"]), () =>
        findAgent(parseAgentSpec(agent)(section.name, section.type), registries),
      );
    }
    const [simulator, factory] = pickSimulator(loaded, task, registries);
    const { dataPath: path } = task;
    const { data_path, format } = section.dataset;
    const there = existsSync(path);
    const picked = there ? await pickEpisodes(loaded, section, task, { registries }) : undefined;
    checkCriteria(loaded, section, task, factory, picked?.episodes ?? []);
    if (!there) {
      const where = loaded.locate(["dataset", section.name, "data_path"]);
      missing.push({ path: data_path, where });
    }
    tasks.push({
      name: task.name,
      type: task.type,
      profile: task.profile,
      metrics: task.metricNames,
      simulator,
      data_path,
      format: there
        ? (await resolveFormat({ path, format, formats: registries.formats })).name
        : null,
      episodes: there ? (picked?.episodes.length ?? 0) : null,
    });
  }
  return { benchmark: config.benchmark.name, agent: config.agent ?? null, tasks, missing };
}
