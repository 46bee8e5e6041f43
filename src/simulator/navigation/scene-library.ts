import { readFile, stat } from "node:fs/promises";
import {
  ConfigError,
  DataError,
  errorCode,
  errorMessage,
  RobotEvalError,
} from "../../core/errors.js";
import { rejectLfsPointer } from "../../core/lfs-pointer.js";
import type { SceneSource } from "../../core/scene/source.js";
import { NavMesh } from "../navmesh/navmesh.js";
import { startRecast } from "../navmesh/recast.js";
import { HABITAT_NAVMESH, type NavMeshSettings } from "../navmesh/settings.js";
import { Renderer } from "../render/renderer.js";
import {
  type ApartmentLook,
  apartmentWithoutDrawers,
  generateApartment,
  redecoratedApartment,
} from "../scenes/apartment/apartment.js";
import { drawerObstacle, type OpenDrawer } from "../scenes/apartment/open-drawers.js";
import type { SceneAxes } from "../scenes/draft.js";
import { solidGeometry } from "../scenes/geometry.js";
import { findNavMesh } from "../scenes/habitat/navmesh-file.js";
import type { SceneModel } from "../scenes/model.js";
import { type SceneCost, sceneCost } from "../scenes/scene-cost.js";
import { sceneFileError } from "../scenes/scene-file.js";
import type { SceneOptions } from "../scenes/texture-budget.js";
import { readWithin } from "../scenes/within.js";
import { apartmentSeed, isApartment, locateScene } from "./find-scene.js";
import { type Lease, LeaseCache } from "./lease-cache.js";
import { hashFileScene, hashGeneratedScene, settingsText } from "./scene-hash.js";

/** A scene with its navmesh and renderer. */
export interface LoadedScene {
  readonly id: string;
  readonly model: SceneModel;
  readonly navMesh: NavMesh;
  /** Read from Habitat's `.navmesh` file next to the scene, or built from the scene's triangles. */
  readonly navMeshFrom: "file" | "built";
  /** Created on first use. */
  readonly renderer: Renderer;
  /** What semantic cameras use; differs from `renderer` if the annotations are a mesh of their own. */
  readonly semanticRenderer: Renderer;
  /** Hash of the scene's content and of its walkable surface. */
  readonly sha256: string;
  /** The axes of the scene's file; undefined for generated scenes. */
  readonly orientation?: SceneAxes | undefined;
  /** What was ignored or guessed while reading the scene, as sentences for users. */
  readonly warnings: readonly string[];
  /** What it takes in memory. */
  readonly cost: SceneCost;
}

/** A scene in use. Its navmesh is freed after the last user has released it. */
export type LeasedScene = LoadedScene & { release(): void };

interface ApartmentOptions {
  readonly look?: ApartmentLook | undefined;
  readonly drawers?: readonly OpenDrawer[] | undefined;
}

/** Number of cached load errors. A benchmark seldom has more broken scenes than this. */
const FAILURES_KEPT = 64;

/** Memory of the cached scenes together. A scan with its textures takes some 400 MB. */
const CACHED_BYTES = 1024 ** 3;

/**
 * A cache of scenes that is shared by the whole process. It keeps the last few, so that consecutive episodes
 * in one scene load it once and memory stays bounded over thousands of scenes.
 *
 * @example
 * const library = new SceneLibrary({ capacity: 2 });
 * const scene = await library.scene("apartment/7", undefined, HABITAT_NAVMESH);
 * scene.release();
 */
export class SceneLibrary {
  readonly #cache: LeaseCache<LoadedScene>;

  constructor({ capacity = 8 }: { readonly capacity?: number } = {}) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new ConfigError(
        "bad_capacity",
        `the capacity of a scene library must be a whole number of at least 1; received ${capacity}`,
      );
    }
    this.#cache = new LeaseCache({
      capacity,
      maxSize: CACHED_BYTES,
      sizeOf: ({ cost }) => memoryOf(cost),
      failures: FAILURES_KEPT,
      dispose: (scene) => scene.navMesh.dispose(),
      // Cache errors that recur until the file changes (which changes the key) or the settings do. Other
      // errors, such as too many open files, are transient.
      keepFailure: (error) => error instanceof DataError || error instanceof ConfigError,
    });
  }

  /**
   * Generates `apartment/<seed>`; locates any other scene with `source` and reads it. Concurrent calls for
   * one scene share one load. The caller must call `release` on the result.
   *
   * @param options.look another look of a generated apartment
   * @param options.drawers drawers of a generated apartment that its model leaves out, because a simulator moves them;
   *   the navmesh goes around them
   * @param options.maxTextureSize reduces the textures of a file
   */
  async scene(
    sceneId: string,
    source: SceneSource | undefined,
    settings: NavMeshSettings,
    options: SceneOptions & ApartmentOptions = {},
  ): Promise<LeasedScene> {
    const { look, drawers = [], maxTextureSize } = options;
    const walk = settingsText(settings);
    if (isApartment(sceneId)) {
      const seed = apartmentSeed(sceneId);
      const looks = look ? `\n${look.share} ${look.seed}` : "";
      const open = drawers.map(({ name, openedM }) => `\n${name} ${openedM}`).join("");
      return leased(
        await this.#cache.lease(`${sceneId}\n${walk}${looks}${open}`, () =>
          drawers.length > 0
            ? makeOpenedApartment(seed, settings, drawers, look)
            : makeApartment(seed, settings, look),
        ),
      );
    }
    if (look) {
      throw new DataError("no_other_look", "only generated apartments can have another look", {
        where: sceneId,
      });
    }
    const file = await locateScene(sceneId, source);
    const within = source?.within;
    const navMeshFile = await readWithin(within, () => findNavMesh(file));
    const version = `${await versionOf(file)} ${navMeshFile && (await versionOf(navMeshFile))}`;
    const key = [sceneId, file, version, walk, within ?? "", maxTextureSize ?? ""].join("\n");
    return leased(
      await this.#cache.lease(key, () =>
        readWithin(within, () => readScene(sceneId, file, navMeshFile, settings, options)),
      ),
    );
  }
}

/** Reads a scene file past the cache. The caller must dispose of the navmesh. */
export async function readSceneOnce(
  file: string,
  settings: NavMeshSettings,
  options: SceneOptions,
): Promise<LoadedScene> {
  return readScene(file, file, await findNavMesh(file), settings, options);
}

/** Shared by the whole process. */
export const sceneLibrary = new SceneLibrary();

async function makeApartment(
  seed: number,
  settings: NavMeshSettings,
  look: ApartmentLook | undefined,
): Promise<LoadedScene> {
  // Compiles Recast on other threads in the meantime. `NavMesh.build` reports a failure.
  startRecast().catch(() => {});
  const usual = generateApartment(seed);
  const navMesh = await NavMesh.build(solidGeometry(usual), settings, usual.id);
  // Another look has the same walkable surface. Scoring compares the hash with that of the usual scene.
  const model = look ? redecoratedApartment(seed, look) : usual;
  const sha256 = hashGeneratedScene(usual, settings);
  return loaded({ model, navMesh, navMeshFrom: "built", sha256, warnings: [] });
}

async function makeOpenedApartment(
  seed: number,
  settings: NavMeshSettings,
  open: readonly OpenDrawer[],
  look: ApartmentLook | undefined,
): Promise<LoadedScene> {
  startRecast().catch(() => {});
  const names = open.map(({ name }) => name);
  const usual = apartmentWithoutDrawers(seed, names);
  const obstacles = open.flatMap(({ name, openedM }) => {
    const drawer = usual.drawers?.find((one) => one.name === name);
    return drawer ? [drawerObstacle(drawer, openedM)] : [];
  });
  const full = { ...usual, parts: [...usual.parts, ...obstacles] };
  const navMesh = await NavMesh.build(solidGeometry(full), settings, usual.id);
  const model = look ? apartmentWithoutDrawers(seed, names, look) : usual;
  const sha256 = hashGeneratedScene(full, settings);
  return loaded({ model, navMesh, navMeshFrom: "built", sha256, warnings: [] });
}

async function readScene(
  id: string,
  file: string,
  navMeshFile: string | undefined,
  settings: NavMeshSettings,
  options: SceneOptions,
): Promise<LoadedScene> {
  // The file holds for Habitat's default body only, so any other settings need a new navmesh.
  const asHabitat = settingsText(settings) === settingsText(HABITAT_NAVMESH);
  const baked = asHabitat && navMeshFile !== undefined ? await readNavMesh(navMeshFile) : undefined;
  let navMesh = baked?.navMesh;
  try {
    // Loaded on first use: generated apartments need no reader of files.
    const { loadScene } = await import("../scenes/load.js");
    const read = await loadScene(id, file, navMesh?.bounds, options);
    const { warnings, files, guides, up, orientation, ...model } = read;
    const sha256 = await hashFileScene({ files, up }, baked?.bytes ?? settings);
    navMesh ??= await NavMesh.build(solidGeometry(model), settings, file);
    const navMeshFrom = baked ? "file" : "built";
    return loaded({ model, navMesh, navMeshFrom, sha256, warnings, orientation });
  } catch (error) {
    navMesh?.dispose();
    throw error;
  }
}

async function readNavMesh(file: string): Promise<{ navMesh: NavMesh; bytes: Uint8Array }> {
  try {
    const bytes = await readFile(file);
    rejectLfsPointer(bytes, file);
    return { navMesh: await NavMesh.load(bytes, file), bytes };
  } catch (error) {
    if (error instanceof DataError && error.code === "lfs_pointer") throw error;
    const message = error instanceof RobotEvalError ? error.message : errorMessage(error);
    throw new DataError(
      "bad_navmesh",
      `the .navmesh file next to the scene cannot be used: ${message}`,
      {
        where: file,
        hint: "replace it, or delete it to have a navmesh built from the scene",
        cause: error,
      },
    );
  }
}

type ReadScene = Omit<LoadedScene, "id" | "renderer" | "semanticRenderer" | "cost">;

function loaded(scene: ReadScene): LoadedScene {
  const { model } = scene;
  let renderer: Renderer | undefined;
  let semanticRenderer: Renderer | undefined;
  return {
    ...scene,
    id: model.id,
    get renderer() {
      renderer ??= new Renderer(model);
      return renderer;
    },
    get semanticRenderer() {
      const { semanticParts: parts } = model;
      semanticRenderer ??= parts ? new Renderer({ parts }) : this.renderer;
      return semanticRenderer;
    },
    cost: sceneCost(model),
  };
}

/** Texture memory grows by a third with mip levels; the renderer and the navmesh copy the geometry. */
function memoryOf({ textureBytes, geometryBytes }: SceneCost): number {
  return (textureBytes * 4) / 3 + geometryBytes * 3;
}

/** Adds `release` to the scene. The renderers must stay getters so that they are created on first use. */
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
    get semanticRenderer() {
      return value.semanticRenderer;
    },
    sha256: value.sha256,
    orientation: value.orientation,
    warnings: value.warnings,
    cost: value.cost,
    release: () => lease.release(),
  };
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
