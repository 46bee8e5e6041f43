import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { stringify } from "yaml";
import { resolvedDocument } from "../config/benchmark.js";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import { resolvePath } from "../config/paths.js";
import type { SimulatorSection } from "../config/schema.js";
import type { RunInfo } from "../core/interfaces/result.js";
import type { RunDirectory } from "./run-directory.js";

/**
 * The benchmark as run.json keeps it: all defaults written out, and files that are there by their
 * absolute path, since a run is read from other folders than the one that it was started in.
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
    simulator: {
      ...withPlaces(config.simulator, ["connectivity", "scenes"]),
      ...startFolder(config.simulator),
    },
    plugins: config.plugins.map((name) =>
      name.startsWith(".") ? (ifThere(resolve(loaded.baseDir, name)) ?? name) : name,
    ),
  });
}

/** A simulator's program is started where it was, wherever it is replayed from. */
function startFolder({ command, cwd }: SimulatorSection): { readonly cwd?: string } {
  return Array.isArray(command) ? { cwd: resolve(typeof cwd === "string" ? cwd : ".") } : {};
}

/** The benchmark that a run was of, from its run.json. */
export function recordedBenchmark(run: RunDirectory, { config }: RunInfo): LoadedConfig {
  return parseConfig(stringify(config), { file: run.file("info"), baseDir: run.path });
}

function ifThere(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}
