import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneDistance } from "../../core/scene/scene-point.js";
import type { SceneSource } from "../../core/scene/source.js";
import type { NavMesh } from "../navmesh/navmesh.js";
import { type NavMeshSettings, STRETCH_NAVMESH } from "../navmesh/settings.js";
import { navMeshSettings, readNavmeshConfig } from "./navmesh-config.js";
import { sceneLibrary } from "./scene-library.js";

/**
 * The distance to the nearest of some goals. Caches the last result, because half of an agent's steps are
 * turns, which query the same position again.
 */
export function distanceToGoals(
  navMesh: NavMesh,
  goals: readonly Vec3[],
): (position: Vec3) => number {
  let last: Vec3 | undefined;
  let distanceM = 0;
  return (position) => {
    if (position !== last) {
      distanceM = navMesh.distanceToAny(position, goals);
      last = position;
    }
    return distanceM;
  };
}

interface OpenDistances {
  readonly distance: SceneDistance;
  readonly sha256: string;
  release(): void;
}

/**
 * Distances in a scene that no simulator has open, for re-scoring recorded episodes. `config` is the
 * benchmark's `simulator:` section, because the body's dimensions determine the navmesh.
 */
export async function sceneDistance(
  sceneId: string,
  source: SceneSource | undefined,
  config: unknown,
): Promise<OpenDistances> {
  return distancesOn(sceneId, source, navMeshSettings(readNavmeshConfig(config)));
}

/** The same for manipulation in a generated apartment, whose navmesh is that of the robot's base. */
export async function apartmentDistance(sceneId: string): Promise<OpenDistances> {
  return distancesOn(sceneId, undefined, STRETCH_NAVMESH);
}

async function distancesOn(
  sceneId: string,
  source: SceneSource | undefined,
  settings: NavMeshSettings,
): Promise<OpenDistances> {
  const scene = await sceneLibrary.scene(sceneId, source, settings);
  return {
    distance: (from, to) => scene.navMesh.distance(from.position, to.position),
    sha256: scene.sha256,
    release: () => scene.release(),
  };
}
