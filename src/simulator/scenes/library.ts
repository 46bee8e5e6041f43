import { readFile, stat } from "node:fs/promises";
import {
  ConfigError,
  DataError,
  errorCode,
  errorMessage,
  RobotEvalError,
} from "../../core/errors.js";
import type { SceneSource } from "../../core/scene/source.js";
import { NavMesh } from "../navigation/navmesh/navmesh.js";
import { HABITAT_NAVMESH, type NavMeshSettings } from "../navigation/navmesh/settings.js";
import { Renderer } from "../render/renderer.js";
import { generateApartment } from "./apartment/apartment.js";
import { solidGeometry } from "./geometry.js";
import { type Lease, LeaseCache } from "./lease-cache.js";
import { loadScene } from "./load.js";
import type { SceneModel } from "./model.js";
import { findNavMesh } from "./navmesh-file.js";
import { sceneFileError } from "./scene-file.js";
import { hashFileScene, hashGeneratedScene, settingsText } from "./scene-hash.js";

/** Everything heavy about a scene. */
export interface LoadedScene {
  readonly id: string;
  readonly model: SceneModel;
  readonly navMesh: NavMesh;
  /** Habitat's `.navmesh` beside the scene, or made here from its triangles. */
  readonly navMeshFrom: "file" | "built";
  /** Made on first use. */
  readonly renderer: Renderer;
  /** Of what defines the scene and what can be walked on in it. */
  readonly sha256: string;
  /** What was left out or guessed when it was read, in sentences for people. */
  readonly warnings: readonly string[];
}

/** A scene while somebody uses it: its navmesh lives until the last user has let go. */
export type LeasedScene = LoadedScene & { release(): void };

/** Failures kept: a benchmark seldom has more broken scenes than this at a time. */
const FAILURES_KEPT = 64;

const APARTMENT = "apartment/";

/**
 * Scenes that were made or read, shared by a whole process: the last few stay, so that episodes in one
 * scene load it once, and thousands of scenes can pass through without memory growing.
 */
export class SceneLibrary {
  readonly #cache: LeaseCache<LoadedScene>;

  constructor({ capacity = 8 }: { readonly capacity?: number } = {}) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new ConfigError(
        "bad_capacity",
        `a scene library keeps 1 or more scenes, not ${capacity}`,
      );
    }
    this.#cache = new LeaseCache({
      capacity,
      failures: FAILURES_KEPT,
      dispose: (scene) => scene.navMesh.dispose(),
      // A broken file is broken until it changes, and then it has another key; so are wrong settings.
      // Anything else, like too many open files, may pass.
      keepFailure: (error) => error instanceof DataError || error instanceof ConfigError,
    });
  }

  /**
   * `apartment/<seed>` is generated; anything else is located by `source` and read. Concurrent calls for
   * one scene share one load. Whoever gets a scene calls its `release` when done with it.
   */
  async scene(
    sceneId: string,
    source: SceneSource | undefined,
    settings: NavMeshSettings,
  ): Promise<LeasedScene> {
    const walk = settingsText(settings);
    if (sceneId.startsWith(APARTMENT) && !/\.[a-z]\w*$/i.test(sceneId)) {
      const seed = apartmentSeed(sceneId);
      return leased(
        await this.#cache.lease(`${sceneId}\n${walk}`, () => makeApartment(seed, settings)),
      );
    }
    if (!source) {
      throw new DataError(
        "missing_scene",
        `nobody said where the scene ${sceneId} is to be found`,
        {
          where: sceneId,
          hint: "name the folder of scenes in the benchmark, or use apartment/<seed>, which needs none",
        },
      );
    }
    const file = await source.locate(sceneId);
    const navMeshFile = await findNavMesh(file);
    const version = `${await versionOf(file)} ${navMeshFile && (await versionOf(navMeshFile))}`;
    const key = [sceneId, file, version, walk].join("\n");
    return leased(
      await this.#cache.lease(key, () => readScene(sceneId, file, navMeshFile, settings)),
    );
  }
}

/** The process's own. */
export const sceneLibrary = new SceneLibrary();

async function makeApartment(seed: number, settings: NavMeshSettings): Promise<LoadedScene> {
  const model = generateApartment(seed);
  const navMesh = await NavMesh.build(solidGeometry(model), settings, model.id);
  return loaded(model, navMesh, "built", hashGeneratedScene(model, settings), []);
}

async function readScene(
  id: string,
  file: string,
  navMeshFile: string | undefined,
  settings: NavMeshSettings,
): Promise<LoadedScene> {
  // Another body walks elsewhere: the file, made for Habitat's, holds for no other settings.
  const asHabitat = settingsText(settings) === settingsText(HABITAT_NAVMESH);
  const baked = asHabitat && navMeshFile !== undefined ? await readNavMesh(navMeshFile) : undefined;
  let navMesh = baked?.navMesh;
  try {
    const { warnings, files, guides, up, ...model } = await loadScene(id, file, navMesh?.bounds);
    const sha256 = await hashFileScene({ files, up }, baked?.bytes ?? settings);
    navMesh ??= await NavMesh.build(solidGeometry(model), settings, file);
    return loaded(model, navMesh, baked ? "file" : "built", sha256, warnings);
  } catch (error) {
    navMesh?.dispose();
    throw error;
  }
}

async function readNavMesh(file: string): Promise<{ navMesh: NavMesh; bytes: Uint8Array }> {
  try {
    const bytes = await readFile(file);
    return { navMesh: await NavMesh.load(bytes, file), bytes };
  } catch (error) {
    const message = error instanceof RobotEvalError ? error.message : errorMessage(error);
    throw new DataError("bad_navmesh", `the .navmesh beside the scene cannot be used: ${message}`, {
      where: file,
      hint: "replace it, or delete it and one will be made from the scene itself",
      cause: error,
    });
  }
}

function loaded(
  model: SceneModel,
  navMesh: NavMesh,
  navMeshFrom: "file" | "built",
  sha256: string,
  warnings: readonly string[],
): LoadedScene {
  let renderer: Renderer | undefined;
  return {
    id: model.id,
    model,
    navMesh,
    navMeshFrom,
    get renderer() {
      renderer ??= new Renderer(model);
      return renderer;
    },
    sha256,
    warnings,
  };
}

/** A view of the scene that knows its lease; the getter must stay one. */
function leased(lease: Lease<LoadedScene>): LeasedScene {
  const { value } = lease;
  return {
    id: value.id,
    model: value.model,
    navMesh: value.navMesh,
    navMeshFrom: value.navMeshFrom,
    get renderer() {
      return value.renderer;
    },
    sha256: value.sha256,
    warnings: value.warnings,
    release: () => lease.release(),
  };
}

function apartmentSeed(sceneId: string): number {
  const text = sceneId.slice(APARTMENT.length);
  const seed = Number(text);
  if (/^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new DataError("bad_scene_id", `${sceneId} is no generated apartment`, {
    where: sceneId,
    hint: `apartment/<seed> takes a whole number from 0 to ${Number.MAX_SAFE_INTEGER}: apartment/7`,
  });
}

async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(file);
    return `${mtimeMs} ${size}`;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw sceneFileError(error, file);
  }
}
