import { join } from "node:path";
import { DataError } from "../core/errors.js";
import type { SceneSource } from "../core/scene/source.js";
import { exists } from "./source.js";

/** Where Habitat's own tools keep scenes, and what many published files prefix their scene ids with. */
const HABITAT_PREFIX = /^(\.\/)*(data\/scene_datasets\/)?(\.\/)*/;

/** Scenes that are made from their id, and have no file. */
export function isGenerated(sceneId: string): boolean {
  return /^apartment\/\d+$/.test(sceneId);
}

/** A scene's id without the folder that somebody's scenes lay in: `mp3d/<scan>/<scan>.glb`. */
export function normaliseSceneId(sceneId: string): string {
  return sceneId.replace(HABITAT_PREFIX, "");
}

/**
 * The file of a scene: below `<dataRoot>/scene_datasets`, below `dataRoot` itself, or where the id says
 * as it stands. Undefined when it is in none of these places.
 */
export async function resolveScene(sceneId: string, dataRoot: string): Promise<string | undefined> {
  for (const candidate of candidates(sceneId, dataRoot)) {
    if (await exists(candidate)) return candidate;
  }
  return undefined;
}

function candidates(sceneId: string, dataRoot: string): string[] {
  const id = normaliseSceneId(sceneId);
  if (id === "") return [];
  return [join(dataRoot, "scene_datasets", id), join(dataRoot, id), sceneId];
}

/** Scenes' files below a folder. */
export class SceneFolder implements SceneSource {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async locate(sceneId: string): Promise<string> {
    const found = await resolveScene(sceneId, this.#root);
    if (found !== undefined) return found;
    throw new DataError("missing_scene", `there is no file of the scene ${sceneId}`, {
      where: candidates(sceneId, this.#root).join(", "),
      hint: "name the folder that holds it: simulator.scenes or dataset.<x>.scenes in the benchmark, --scenes for `score`, `map` and `scene`; apartment/<seed> needs no file. Navigation graphs are given by connectivity, or --connectivity",
    });
  }
}
