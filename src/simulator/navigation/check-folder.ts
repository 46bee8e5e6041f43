import { relative } from "node:path";
import { errorMessage, RobotEvalError } from "../../core/errors.js";
import { findStoreys } from "../maps/storeys.js";
import { HABITAT_NAVMESH } from "../navmesh/settings.js";
import { listScenes } from "../scenes/habitat/list-scenes.js";
import { sceneCost } from "../scenes/scene-cost.js";
import type { SceneOptions } from "../scenes/texture-budget.js";
import { readSceneOnce } from "./scene-library.js";

/** What `robot-eval scene --check` found out about a scene. */
export type SceneCheck = LoadedCheck | FailedCheck;

interface LoadedCheck {
  /** Path below the checked folder. */
  readonly scene: string;
  readonly loads: true;
  readonly triangles: number;
  readonly instances: number;
  readonly categories: number;
  readonly textures: number;
  /** Bytes of the decoded textures. */
  readonly texture_bytes: number;
  /** Bytes of the meshes and textures. */
  readonly memory_bytes: number;
  readonly navmesh: "file" | "built";
  readonly walkable_m2: number;
  readonly islands: number;
  readonly floors: number;
  readonly seconds: number;
  readonly warnings: readonly string[];
}

interface FailedCheck {
  readonly scene: string;
  readonly loads: false;
  readonly code: string;
  readonly message: string;
  readonly where?: string;
  readonly hint?: string;
  readonly seconds: number;
}

export interface FolderCheck {
  readonly scenes: readonly SceneCheck[];
  /** Paths of objects and parts of robots, which are not scenes. */
  readonly skipped: readonly string[];
}

/**
 * Loads every scene below a folder, one after the other. Each is released before the next, so memory does not
 * grow with their number; a scene that fails does not affect the others.
 *
 * @param onScene is called before each scene
 */
export async function checkFolder(
  folder: string,
  options: SceneOptions = {},
  onScene: (scene: string, index: number, count: number) => void = () => {},
): Promise<FolderCheck> {
  const { files, skipped, failures } = await listScenes(folder);
  const name = (file: string) => relative(folder, file).replaceAll("\\", "/");
  const scenes: SceneCheck[] = failures.map(({ file, error }) => failed(name(file), error, 0));
  for (const [i, file] of files.entries()) {
    onScene(name(file), i, files.length);
    scenes.push(await checkScene(name(file), file, options));
  }
  return { scenes, skipped: skipped.map(name) };
}

async function checkScene(scene: string, file: string, options: SceneOptions): Promise<SceneCheck> {
  const start = performance.now();
  const seconds = () => Math.round(performance.now() - start) / 1000;
  try {
    const loaded = await readSceneOnce(file, HABITAT_NAVMESH, options);
    const { model, navMesh, navMeshFrom, warnings } = loaded;
    try {
      const { triangles, textures, textureBytes, geometryBytes } = sceneCost(model);
      return {
        scene,
        loads: true,
        triangles,
        instances: model.instances.length,
        categories: new Set(model.instances.map(({ category }) => category)).size,
        textures,
        texture_bytes: textureBytes,
        memory_bytes: textureBytes + geometryBytes,
        navmesh: navMeshFrom,
        walkable_m2: navMesh.areaM2,
        islands: navMesh.islandCount,
        floors: findStoreys(navMesh.surface()).levels.length,
        seconds: seconds(),
        warnings,
      };
    } finally {
      navMesh.dispose();
    }
  } catch (error) {
    return failed(scene, error, seconds());
  }
}

function failed(scene: string, error: unknown, seconds: number): FailedCheck {
  if (!(error instanceof RobotEvalError)) {
    return { scene, loads: false, code: "internal", message: errorMessage(error), seconds };
  }
  const { code, message, where, hint } = error;
  return {
    scene,
    loads: false,
    code,
    message,
    ...(where !== undefined && { where }),
    ...(hint !== undefined && { hint }),
    seconds,
  };
}
