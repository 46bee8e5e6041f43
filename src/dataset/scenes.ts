import { join } from "node:path";
import { exists } from "./source.js";

/** Where Habitat's own tools keep scenes, and what many published files prefix their scene ids with. */
const HABITAT_PREFIX = /^(\.\/)*(data\/scene_datasets\/)?(\.\/)*/;

/** A scene's id without the folder that somebody's scenes lay in: `mp3d/<scan>/<scan>.glb`. */
export function normaliseSceneId(sceneId: string): string {
  return sceneId.replace(HABITAT_PREFIX, "");
}

/**
 * The file of a scene: below `<dataRoot>/scene_datasets`, below `dataRoot` itself, or where the id says
 * as it stands. Undefined when it is in none of these places.
 */
export async function resolveScene(sceneId: string, dataRoot: string): Promise<string | undefined> {
  const id = normaliseSceneId(sceneId);
  if (id === "") return undefined;
  for (const candidate of [join(dataRoot, "scene_datasets", id), join(dataRoot, id), sceneId]) {
    if (await exists(candidate)) return candidate;
  }
  return undefined;
}
