import { existsSync, realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isBelow } from "../config/paths.js";
import { DataError } from "../core/errors.js";
import type { SceneSource } from "../core/scene/source.js";
import { exists } from "./source.js";

/** The folder in which Habitat's tools keep scenes. Many published files prefix scene ids with it. */
const HABITAT_PREFIX = /^(\.\/)*(data\/scene_datasets\/)?(\.\/)*/;

/** True for scenes that are generated from their id and have no file. */
export function isGenerated(sceneId: string): boolean {
  return /^apartment\/\d+$/.test(sceneId);
}

/** Removes the scene folder from a scene's id, which leaves `mp3d/<scan>/<scan>.glb`. */
export function normaliseSceneId(sceneId: string): string {
  return sceneId.replace(HABITAT_PREFIX, "");
}

/**
 * Finds a scene's file below `<dataRoot>/scene_datasets`, below `dataRoot`, or at the id taken as a path.
 * Undefined if none of these exists.
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

/** Finds scene files below a folder. */
export class SceneFolder implements SceneSource {
  readonly #root: string;
  /** True if scene ids come from an untrusted benchmark and must stay below the root. */
  readonly #isForeign: boolean;
  /** Set if the root is in the benchmark's own folder. */
  readonly within: string | undefined;

  /** @param within see `LoadedConfig.within` */
  constructor(root: string, within?: string) {
    this.#root = within === undefined ? root : real(root);
    this.#isForeign = within !== undefined;
    this.within =
      within !== undefined && isBelow(real(within), this.#root) ? real(within) : undefined;
  }

  async locate(sceneId: string): Promise<string> {
    const places = candidates(sceneId, this.#root).filter(
      (path) => !this.#isForeign || isBelow(this.#root, resolve(path)),
    );
    for (const place of places) if (await this.#has(place)) return place;
    const tried = places.length > 0 ? `; looked for ${places.join(", ")}` : "";
    throw new DataError("missing_scene", `the file of scene ${sceneId} does not exist${tried}`, {
      where: this.#root,
      hint: "set the folder that contains it: simulator.scenes or dataset.<x>.scenes in the benchmark, --scenes for commands that read a run or a bundle; apartment/<seed> needs no file. Navigation graphs are given by connectivity, or --connectivity",
    });
  }

  /** A link in an untrusted folder may lead out of it; links in the user's own folder are trusted. */
  async #has(path: string): Promise<boolean> {
    if (!(await exists(path))) return false;
    return this.within === undefined || isBelow(this.within, await realpath(path));
  }
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
