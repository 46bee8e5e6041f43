import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { resolvedDocument } from "../../config/benchmark.js";
import type { LoadedConfig } from "../../config/load.js";
import { resolvePath } from "../../config/paths.js";
import type { BenchmarkConfig, SimulatorSection } from "../../config/schema.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";

export type Section = Readonly<Record<string, unknown>>;

/** A section of a recorded configuration; empty if it is missing. */
export function sectionOf(value: unknown): Section {
  return isRecord(value) ? value : {};
}

/** The recorded settings of a task. */
export function taskConfigOf({ config }: RunInfo, task: string): Section {
  return sectionOf(sectionOf(config[`${task}_task`]).config);
}

/** The recorded settings of a task, merged over the benchmark-wide ones. */
export function mergedTaskConfig(info: RunInfo, task: string): Section {
  return { ...sectionOf(info.config.evaluation), ...taskConfigOf(info, task) };
}

/** Whether results decided when the run stopped: by its benchmark's early stop, or by a duel. */
export function stopsEarly({ config, duel }: RunInfo): boolean {
  return duel !== undefined || sectionOf(config.evaluation).early_stop !== undefined;
}

/** How often each episode of a run is run. */
export function repeatsOf({ config }: RunInfo): number {
  return Number(sectionOf(config.evaluation).repeats ?? 1);
}

/**
 * What a limit meant in a run. Earlier versions took the first episodes and did not record of how many. A run that
 * lacks the total although it drew a sample drew all episodes, which are also the first ones.
 */
export function limitDraws({ data = {} }: Partial<Pick<RunInfo, "data">>): "sample" | "first" {
  return Object.values(data).some(({ of }) => of !== undefined) ? "sample" : "first";
}

/**
 * The benchmark as stored in run.json: with all defaults, and existing files by absolute path, since a run may be
 * read from another working directory.
 */
export function recordedConfig(loaded: LoadedConfig): Record<string, unknown> {
  const { config } = loaded;
  const found = (path: string) => ifThere(resolvePath(loaded, path)) ?? path;
  const withPlaces = <T extends object>(section: T, keys: readonly (keyof T & string)[]): T => {
    const places = keys.flatMap((key) => {
      const path = section[key];
      return typeof path === "string" ? [[key, found(path)]] : [];
    });
    return { ...section, ...Object.fromEntries(places) };
  };
  const datasets = Object.entries(config.dataset).map(([name, section]) => [
    name,
    withPlaces(section, ["data_path", "gt_path", "connectivity", "scenes"]),
  ]);
  return resolvedDocument({
    ...config,
    dataset: Object.fromEntries(datasets),
    evaluation: withSettingsFile(config.evaluation, found),
    simulator: {
      ...withPlaces(config.simulator, ["connectivity", "scenes"]),
      ...startFolder(config.simulator),
    },
    plugins: config.plugins.map((name) =>
      name.startsWith(".") ? (ifThere(resolve(loaded.baseDir, name)) ?? name) : name,
    ),
  });
}

/** The file of a perturbation's settings, such as paraphrases, by absolute path. */
function withSettingsFile(
  evaluation: BenchmarkConfig["evaluation"],
  found: (path: string) => string,
): BenchmarkConfig["evaluation"] {
  const { perturbation } = evaluation;
  const file = perturbation?.settings.file;
  if (!perturbation || typeof file !== "string") return evaluation;
  const settings = { ...perturbation.settings, file: found(file) };
  return { ...evaluation, perturbation: { ...perturbation, settings } };
}

/** Keeps the working directory of the simulator's program for replays. */
function startFolder({ command, cwd }: SimulatorSection): { readonly cwd?: string } {
  return Array.isArray(command) ? { cwd: resolve(typeof cwd === "string" ? cwd : ".") } : {};
}

function ifThere(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}
