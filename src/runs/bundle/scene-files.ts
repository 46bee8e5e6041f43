import { stat } from "node:fs/promises";
import { dirname, posix, relative, sep } from "node:path";
import { errorMessage } from "../../core/errors.js";
import { isGenerated, normaliseSceneId } from "../../dataset/scenes.js";
import type { JudgedTask } from "../judged-task.js";
import { PARTS } from "./manifest.js";

/** A file that a scene needs, and where it goes in the bundle. */
export interface SceneFile {
  readonly from: string;
  readonly to: string;
}

export interface SceneFiles {
  readonly files: readonly SceneFile[];
  readonly note?: string;
}

/** What must be there to be in a scene again. */
export async function filesOfScene(judged: JudgedTask, sceneId: string): Promise<SceneFiles> {
  const { graphs } = judged;
  if (graphs) {
    if (!graphs.fileOf) return { files: [], note: "left out: its graph is in no file" };
    return { files: [graphFile(graphs.fileOf(sceneId))] };
  }
  if (isGenerated(sceneId)) return { files: [], note: "made from its id" };
  if (judged.task.family === "manipulation" && !sceneId.endsWith(".xml")) {
    return { files: [], note: "made from its id" };
  }
  let file: string;
  try {
    file = await judged.scenes.locate(sceneId);
  } catch (error) {
    return { files: [], note: `left out: ${errorMessage(error)}` };
  }
  const all = sceneId.endsWith(".xml") ? await mjcfFiles(file) : await meshFiles(sceneId, file);
  const id = posix.normalize(normaliseSceneId(sceneId).replaceAll(sep, "/"));
  const placed = all.map((from) => ({ from, to: placeOf(from, file, id) }));
  const outside = placed.find(({ to }) => to === undefined);
  if (outside) {
    return { files: [], note: `left out: it uses ${outside.from}, which lies too far from it` };
  }
  return { files: placed.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }])) };
}

function graphFile(from: string): SceneFile {
  return { from, to: `${PARTS.graphs}/${posix.basename(from.replaceAll(sep, "/"))}` };
}

/** As far from the scene's file as it was; undefined where that would be outside. */
function placeOf(from: string, sceneFile: string, id: string): string | undefined {
  const path = posix.join(
    posix.dirname(id),
    relative(dirname(sceneFile), from).replaceAll(sep, "/"),
  );
  return path.startsWith("../") || posix.isAbsolute(path) ? undefined : `${PARTS.scenes}/${path}`;
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
  const all = new Set([file, ...scene.files, ...(navMesh === undefined ? [] : [navMesh])]);
  const there = await Promise.all([...all].map(async (path) => ((await isFile(path)) ? path : [])));
  return there.flat();
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
