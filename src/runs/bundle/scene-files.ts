import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { DataError } from "../../core/errors.js";
import { isGenerated } from "../../dataset/scenes.js";
import type { Registries } from "../../registry/registries.js";
import type { JudgedTask } from "../judged-task.js";

/** What must be there to be in a scene again. All paths are absolute. */
export interface SceneNeeds {
  readonly scene?: {
    /** The one that the scene's id stands for. */
    readonly file: string;
    /** That and all that it names. */
    readonly all: readonly string[];
  };
  readonly graph?: string;
}

export async function needsOf(
  judged: JudgedTask,
  sceneId: string,
  { backend, registries }: { readonly backend: string; readonly registries: Registries },
): Promise<SceneNeeds> {
  const { graphs } = judged;
  const graph = graphs?.fileOf?.(sceneId);
  if (graph !== undefined) await checkIsThere(graph);
  const known = graph === undefined ? {} : { graph: resolve(graph) };
  const isOnGraph =
    graphs !== undefined &&
    (backend === "abstract" || registries.simulators.get(backend).needsGraphs === true);
  // A simulator elsewhere has its scenes itself.
  if (isOnGraph || backend === "remote" || isMadeFromId(judged, sceneId)) return known;
  const file = resolve(await judged.scenes.locate(sceneId));
  const all = isMjcf(sceneId) ? await mjcfFiles(file) : await meshFiles(sceneId, file);
  return { ...known, scene: { file, all } };
}

function isMadeFromId({ task }: JudgedTask, sceneId: string): boolean {
  return isGenerated(sceneId) || (task.family === "manipulation" && !isMjcf(sceneId));
}

function isMjcf(sceneId: string): boolean {
  return /\.(xml|mjcf)$/i.test(sceneId);
}

async function mjcfFiles(file: string): Promise<string[]> {
  const { readMjcf } = await import("../../simulator/manipulation/mjcf-files.js");
  const { files } = await readMjcf(file);
  return Object.keys(files);
}

async function meshFiles(sceneId: string, file: string): Promise<string[]> {
  const { loadScene } = await import("../../simulator/scenes/load.js");
  const { findNavMesh } = await import("../../simulator/scenes/navmesh-file.js");
  const scene = await loadScene(sceneId, file);
  const navMesh = await findNavMesh(file);
  const beside = navMesh === undefined ? [] : [navMesh];
  return [...new Set([file, ...scene.files, ...scene.guides, ...beside])];
}

async function checkIsThere(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isFile()) return;
  throw new DataError("missing_scene", "there is no such navigation graph", { where: file });
}
