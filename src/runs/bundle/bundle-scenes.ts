import type { LoadedConfig } from "../../config/load.js";
import { resolvePath } from "../../config/paths.js";
import { DataError, RobotEvalError } from "../../core/errors.js";
import type { RunInfo } from "../../core/interfaces/result.js";
import { loadRunPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import { ResolvedTask } from "../../registry/resolved-task.js";
import type { RunDirectory } from "../directory/run-directory.js";
import { type RunPermissions, recordedBenchmark } from "../recorded/recorded-benchmark.js";
import type { FileHash } from "./file-hash.js";
import type { BundleManifest, BundleScene } from "./manifest.js";
import { needsOf } from "./scene-files.js";
import { layoutScenes, type NeededScene, type PlacedFile } from "./scene-layout.js";

export interface SceneOptions {
  readonly permissions?: Pick<RunPermissions, "plugins" | "scenes" | "connectivity"> | undefined;
  readonly registries: Registries;
  /** False to list scene files without including them. */
  readonly scenes: boolean;
  readonly hashOf: (file: string) => Promise<FileHash>;
}

export interface BundledScenes extends Pick<BundleManifest, "places" | "scenes"> {
  readonly files: readonly PlacedFile[];
}

/** A scene whose files cannot be bundled, and the reason. */
interface LostScene {
  readonly task: string;
  readonly sceneId: string;
  readonly why: string;
}

/** Collects the scene files that a replay of the run needs. */
export async function bundleScenes(
  run: RunDirectory,
  info: RunInfo,
  options: SceneOptions,
): Promise<BundledScenes> {
  const loaded = recordedBenchmark(run, info, ["plugins", "scenes", "graphs"], options.permissions);
  await loadRunPlugins(loaded, options.registries);
  const needed: NeededScene[] = [];
  const lost: LostScene[] = [];
  for (const one of await scenesOf(run, loaded, options)) {
    if ("why" in one) lost.push(one);
    else needed.push(one);
  }
  const layout = layoutScenes(needed);
  const scenes: BundleScene[] = [];
  const files = new Map<string, PlacedFile>();
  for (const one of needed) {
    const placed = layout.filesOf(one);
    if (!placed) {
      if (options.scenes) throw tooFar(one);
      lost.push({ ...one, why: "its files have no common folder near the scene" });
      continue;
    }
    for (const file of options.scenes ? placed : []) addUnlessOther(files, file);
    const listed = await Promise.all(
      placed.map(async ({ from, to }) => ({ path: to, ...(await options.hashOf(from)) })),
    );
    scenes.push({
      ...{ task: one.task, scene_id: one.sceneId },
      source: placed.length > 0 ? "files" : "generated",
      files: listed,
      ...(options.scenes || placed.length === 0 ? {} : { left_out: "on request" }),
    });
  }
  for (const { task, sceneId, why } of lost) {
    scenes.push({ task, scene_id: sceneId, source: "files", files: [], left_out: why });
  }
  return { places: layout.places, scenes, files: [...files.values()] };
}

async function scenesOf(
  run: RunDirectory,
  loaded: LoadedConfig,
  options: SceneOptions,
): Promise<(NeededScene | LostScene)[]> {
  const { registries } = options;
  const { tasks, simulator, plugins } = loaded.config;
  // A plugin simulator may load scenes in ways that this code does not know.
  const mayBeLost = !options.scenes || plugins.length > 0;
  const resolvedTasks = new Map<string, { resolved: ResolvedTask; root: string }>();
  const found = new Map<string, NeededScene | LostScene>();
  for await (const { task, scene_id: sceneId, outcome } of run.episodes()) {
    const name = JSON.stringify([task, sceneId]);
    const section = tasks.find((one) => one.name === task);
    // Invalid episodes are not replayed, and often their scene was missing.
    if (outcome === "invalid" || found.has(name) || !section) continue;
    const known = resolvedTasks.get(task) ?? {
      resolved: new ResolvedTask(loaded, section, registries),
      root: resolvePath(loaded, section.dataset.scenes ?? simulator.scenes ?? "data"),
    };
    resolvedTasks.set(task, known);
    const { resolved, root } = known;
    try {
      const needs = await needsOf(resolved, sceneId, { backend: simulator.backend, registries });
      found.set(name, { task, sceneId, root, ...needs });
    } catch (error) {
      if (!(error instanceof RobotEvalError)) throw error;
      if (!mayBeLost) throw missing(sceneId, error);
      found.set(name, { task, sceneId, why: error.message });
    }
  }
  return [...found.values()];
}

function missing(sceneId: string, error: RobotEvalError): DataError {
  return new DataError(error.code, `scene ${sceneId}: ${error.message}`, {
    where: error.where,
    hint: "restore the file at the path that the run used, or exclude scenes with --no-scenes",
    cause: error,
  });
}

function tooFar({ sceneId, scene }: NeededScene): DataError {
  return new DataError(
    "scattered_scene",
    `the files of scene ${sceneId} have no common folder near the scene`,
    {
      where: scene?.file,
      hint: "move the files it uses into or near the scene folder, or exclude scenes with --no-scenes",
    },
  );
}

function addUnlessOther(files: Map<string, PlacedFile>, file: PlacedFile): void {
  const known = files.get(file.to);
  if (known && known.from !== file.from) {
    throw new DataError(
      "same_scene",
      "two scenes of the run have the same name but different files",
      {
        where: `${known.from}, ${file.from}`,
        hint: "exclude scenes with --no-scenes",
      },
    );
  }
  files.set(file.to, file);
}
