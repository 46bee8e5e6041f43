import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { DataError } from "../../core/errors.js";
import { isGenerated } from "../../dataset/scenes.js";
import type { Registries } from "../../registry/registries.js";
import type { ResolvedTask } from "../../registry/resolved-task.js";
import { isMjcfFile } from "../../simulator/manipulation/mjcf/file.js";

/** Files needed to load a scene. All paths are absolute. */
export interface SceneNeeds {
  readonly scene?: {
    /** The file that the scene id refers to. */
    readonly file: string;
    /** That file and all files that it references. */
    readonly all: readonly string[];
  };
  readonly graph?: string;
}

export async function needsOf(
  task: ResolvedTask,
  sceneId: string,
  { backend, registries }: { readonly backend: string; readonly registries: Registries },
): Promise<SceneNeeds> {
  const { graphs } = task;
  const graph = graphs?.fileOf?.(sceneId);
  if (graph !== undefined) await checkIsThere(graph);
  const known = graph === undefined ? {} : { graph: resolve(graph) };
  const isOnGraph =
    graphs !== undefined &&
    (backend === "abstract" || registries.simulators.get(backend).needsGraphs === true);
  // A remote simulator has its own scenes.
  if (isOnGraph || backend === "remote" || isMadeFromId(task, sceneId)) return known;
  const file = resolve(await task.scenes.locate(sceneId));
  const { readWithin } = await import("../../simulator/scenes/within.js");
  const all = await readWithin(task.scenes.within, () =>
    isMjcfFile(sceneId) ? mjcfFiles(file) : meshFiles(sceneId, file),
  );
  return { ...known, scene: { file, all } };
}

function isMadeFromId({ instance }: ResolvedTask, sceneId: string): boolean {
  return isGenerated(sceneId) || (instance.family === "manipulation" && !isMjcfFile(sceneId));
}

async function mjcfFiles(file: string): Promise<string[]> {
  const { readMjcf } = await import("../../simulator/manipulation/mjcf/files.js");
  const { files } = await readMjcf(file);
  return Object.keys(files);
}

async function meshFiles(sceneId: string, file: string): Promise<string[]> {
  const { loadScene } = await import("../../simulator/scenes/load.js");
  const { findNavMesh } = await import("../../simulator/scenes/habitat/navmesh-file.js");
  const scene = await loadScene(sceneId, file);
  const navMesh = await findNavMesh(file);
  const beside = navMesh === undefined ? [] : [navMesh];
  return [...new Set([file, ...scene.files, ...scene.guides, ...beside])];
}

async function checkIsThere(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isFile()) return;
  throw new DataError("missing_scene", "the navigation graph does not exist", { where: file });
}
