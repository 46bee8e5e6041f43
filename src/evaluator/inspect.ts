import { existsSync } from "node:fs";
import type { LoadedConfig } from "../config/load.js";
import { resolveFormat } from "../dataset/loader.js";
import type { Registries } from "../registry/registries.js";
import { at, JudgedTask } from "../runs/judged-task.js";
import { loadPlugins } from "../runs/run-plugins.js";
import { parseAgentSpec } from "./agent-spec.js";
import { findAgent } from "./find-agent.js";
import { pickEpisodes, pickSimulator } from "./prepare.js";

/** A benchmark as `validate` tells it. */
export interface BenchmarkInspection {
  readonly benchmark: string;
  readonly agent: string | null;
  readonly tasks: readonly TaskInspection[];
  /** Data files that the benchmark names and that are not there. */
  readonly missing: readonly { readonly path: string; readonly where: string }[];
}

interface TaskInspection {
  readonly name: string;
  readonly type: string;
  readonly profile: string;
  readonly metrics: readonly string[];
  /** `none` when nothing registered can serve the task. */
  readonly simulator: string;
  readonly data_path: string;
  readonly format: string | null;
  /** Null while the data is missing. */
  readonly episodes: number | null;
}

/**
 * Checks all that can be checked without running: names, settings, plugins and, where they are there,
 * the data files. Missing data is told, not thrown: a benchmark is written before its data arrives.
 */
export async function inspectBenchmark(
  loaded: LoadedConfig,
  registries: Registries,
): Promise<BenchmarkInspection> {
  await loadPlugins(loaded, registries);
  const { config } = loaded;
  const tasks: TaskInspection[] = [];
  const missing: { path: string; where: string }[] = [];
  for (const section of config.tasks) {
    const judged = new JudgedTask(loaded, section, registries);
    const agent = config.agent;
    if (agent !== undefined) {
      at(loaded.locate(["agent"]), () =>
        findAgent(parseAgentSpec(agent)(section.name, section.type), registries),
      );
    }
    const [simulator] = pickSimulator(loaded, judged, registries);
    const there = existsSync(judged.dataPath);
    if (!there) {
      const where = loaded.locate(["dataset", section.name, "data_path"]);
      missing.push({ path: section.dataset.data_path, where });
    }
    tasks.push({
      name: judged.name,
      type: judged.type,
      profile: judged.profile,
      metrics: judged.metricNames,
      simulator,
      data_path: section.dataset.data_path,
      format: there ? (await formatOf(judged, section.dataset.format, registries)).name : null,
      episodes: there
        ? ((await pickEpisodes(loaded, section, judged, { registries }))?.episodes.length ?? 0)
        : null,
    });
  }
  return { benchmark: config.benchmark.name, agent: config.agent ?? null, tasks, missing };
}

function formatOf(judged: JudgedTask, format: string | undefined, { formats }: Registries) {
  return resolveFormat({ path: judged.dataPath, format, formats });
}
