import type { BaseEpisode } from "../../../core/episode/base.js";
import type { MjcfFragment } from "../../../core/mjcf/fragment.js";
import { apartmentSeed } from "../../navigation/find-scene.js";
import { type LeasedScene, sceneLibrary } from "../../navigation/scene-library.js";
import type { NavMesh } from "../../navmesh/navmesh.js";
import { STRETCH_NAVMESH } from "../../navmesh/settings.js";
import { type ApartmentLook, redecoratedApartment } from "../../scenes/apartment/apartment.js";
import type { SceneModel } from "../../scenes/model.js";
import { type Receptacle, receptaclesOf } from "../../scenes/receptacles.js";
import { readTaskConfig } from "../world/task-config.js";
import type { FixtureSpec } from "../world/world.js";
import { apartmentFragment } from "./fragment.js";

/** A generated apartment as the world of a robot that drives. */
export interface ApartmentWorld {
  /** What cameras see; axes of the scene: y up. */
  readonly model: SceneModel;
  /** Where the robot's base can stand, in the axes of the scene. */
  readonly navMesh: NavMesh;
  /** Where distances are measured: with all drawers closed, so that a recorded run is scored with the same ones. */
  readonly distanceMesh: NavMesh;
  /** Hash of the apartment with all drawers closed, and of its walkable surface. */
  readonly sha256: string;
  /** Each is a static body of its name. */
  readonly receptacles: readonly Receptacle[];
  /** Static collision geometry. */
  readonly fragment: MjcfFragment;
  /** The drawers that move; `model` and `fragment` are without them. */
  readonly drawers: readonly FixtureSpec[];
}

type Derived = Pick<ApartmentWorld, "receptacles" | "fragment">;

/** What was computed of the scenes that the scene library shares between simulators. */
const derived = new WeakMap<SceneModel, Derived>();

interface Leased {
  readonly apartment: ApartmentWorld;
  readonly scene: Pick<LeasedScene, "renderer" | "release">;
}

/**
 * Generates an apartment, or takes it from the process's cache. The caller releases the scene after use.
 *
 * @param look other colours and materials; everything else stays the same
 * @param drawersIn the drawers that move
 */
export async function leaseApartment(
  sceneId: string,
  look?: ApartmentLook,
  drawersIn?: (model: SceneModel) => readonly FixtureSpec[],
): Promise<Leased> {
  const scene = await sceneLibrary.scene(sceneId, undefined, STRETCH_NAVMESH);
  try {
    const drawers = drawersIn?.(scene.model) ?? [];
    if (drawers.length > 0) return await leaseOpened(scene, drawers, look);
    const { navMesh, sha256 } = scene;
    const model = look ? redecoratedApartment(apartmentSeed(sceneId), look) : scene.model;
    const own = { model, navMesh, distanceMesh: navMesh, sha256, drawers };
    return { apartment: { ...own, ...derivedOf(scene.model, scene.model) }, scene };
  } catch (error) {
    scene.release();
    throw error;
  }
}

/** The same apartment with drawers that move. */
async function leaseOpened(
  closed: LeasedScene,
  drawers: readonly FixtureSpec[],
  look: ApartmentLook | undefined,
): Promise<Leased> {
  const open = drawers.map(({ name, opened, range }) => ({ name, openedM: opened * range }));
  const scene = await sceneLibrary.scene(closed.id, undefined, STRETCH_NAVMESH, {
    drawers: open,
    look,
  });
  const { model, navMesh } = scene;
  const { sha256, navMesh: distanceMesh } = closed;
  const own = { model, navMesh, distanceMesh, sha256, drawers };
  return {
    apartment: { ...own, ...derivedOf(model, closed.model) },
    scene: {
      get renderer() {
        return scene.renderer;
      },
      release() {
        scene.release();
        closed.release();
      },
    },
  };
}

/** The look that an episode's randomisation of the textures gives its apartment. */
export function apartmentLook(episode: BaseEpisode): ApartmentLook | undefined {
  const { level = 0, axes, seed } = readTaskConfig(episode).randomization ?? {};
  const share = axes?.textures?.value ?? (level > 0 ? 1 : 0);
  if (share === 0) return undefined;
  return { share, seed: axes?.textures?.seed ?? seed ?? episode.episodeId };
}

/** @param closed the apartment with all drawers closed: what an opening shows of the inside is no place for objects */
function derivedOf(model: SceneModel, closed: SceneModel): Derived {
  const known = derived.get(model);
  if (known) return known;
  const receptacles =
    model === closed ? receptaclesOf(model) : derivedOf(closed, closed).receptacles;
  const made = { receptacles, fragment: apartmentFragment(model, receptacles) };
  derived.set(model, made);
  return made;
}
