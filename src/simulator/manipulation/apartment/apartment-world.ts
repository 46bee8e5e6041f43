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
import { apartmentFragment } from "./fragment.js";

/** A generated apartment as the world of a robot that drives. */
export interface ApartmentWorld {
  /** What cameras see; axes of the scene: y up. */
  readonly model: SceneModel;
  /** Where the robot's base can stand, in the axes of the scene. */
  readonly navMesh: NavMesh;
  /** Hash of the apartment and its walkable surface. */
  readonly sha256: string;
  /** Each is a static body of its name. */
  readonly receptacles: readonly Receptacle[];
  /** Static collision geometry. */
  readonly fragment: MjcfFragment;
}

type Derived = Pick<ApartmentWorld, "receptacles" | "fragment">;

/** What was computed of the scenes that the scene library shares between simulators. */
const derived = new WeakMap<SceneModel, Derived>();

/**
 * Generates an apartment, or takes it from the process's cache. The caller releases the scene after use.
 *
 * @param look other colours and materials; everything else stays the same
 */
export async function leaseApartment(
  sceneId: string,
  look?: ApartmentLook,
): Promise<{ readonly apartment: ApartmentWorld; readonly scene: LeasedScene }> {
  const scene = await sceneLibrary.scene(sceneId, undefined, STRETCH_NAVMESH);
  const { navMesh, sha256 } = scene;
  const model = look ? redecoratedApartment(apartmentSeed(sceneId), look) : scene.model;
  return { apartment: { model, navMesh, sha256, ...derivedOf(scene.model) }, scene };
}

/** The look that an episode's randomisation of the textures gives its apartment. */
export function apartmentLook(episode: BaseEpisode): ApartmentLook | undefined {
  const { level = 0, axes, seed } = readTaskConfig(episode).randomization ?? {};
  const share = axes?.textures?.value ?? (level > 0 ? 1 : 0);
  if (share === 0) return undefined;
  return { share, seed: axes?.textures?.seed ?? seed ?? episode.episodeId };
}

function derivedOf(model: SceneModel): Derived {
  const known = derived.get(model);
  if (known) return known;
  const receptacles = receptaclesOf(model);
  const made = { receptacles, fragment: apartmentFragment(model, receptacles) };
  derived.set(model, made);
  return made;
}
