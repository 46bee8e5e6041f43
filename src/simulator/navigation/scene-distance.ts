import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneDistance } from "../../core/scene/place.js";
import type { SceneSource } from "../../core/scene/source.js";
import { navMeshSettings, readNavmeshConfig } from "./navmesh-config.js";
import { sceneLibrary } from "./scene-library.js";

/** Path lengths in a scene. Results do not depend on earlier queries. */
export interface Geodesic {
  distance(from: Vec3, to: Vec3): number;
  distanceToAny(from: Vec3, goals: readonly Vec3[]): number;
  /** Both ends included; empty if there is no path. */
  path(from: Vec3, to: Vec3): Vec3[];
}

/**
 * Caches the last result of `distanceToAny`: half of an agent's steps are turns, which query the same
 * position again.
 */
export class CachedGeodesic implements Geodesic {
  readonly #geodesic: Geodesic;
  #from: Vec3 | undefined;
  #goals: readonly Vec3[] | undefined;
  #answer = 0;

  constructor(geodesic: Geodesic) {
    this.#geodesic = geodesic;
  }

  distance(from: Vec3, to: Vec3): number {
    return this.#geodesic.distance(from, to);
  }

  distanceToAny(from: Vec3, goals: readonly Vec3[]): number {
    if (from !== this.#from || goals !== this.#goals) {
      this.#answer = this.#geodesic.distanceToAny(from, goals);
      this.#from = from;
      this.#goals = goals;
    }
    return this.#answer;
  }

  path(from: Vec3, to: Vec3): Vec3[] {
    return this.#geodesic.path(from, to);
  }
}

/**
 * Distances in a scene that no simulator has open, for re-scoring recorded episodes. `config` is the
 * benchmark's `simulator:` section, because the body's dimensions determine the navmesh.
 */
export async function sceneDistance(
  sceneId: string,
  source: SceneSource | undefined,
  config: unknown,
): Promise<{ readonly distance: SceneDistance; readonly sha256: string; release(): void }> {
  const settings = navMeshSettings(readNavmeshConfig(config));
  const scene = await sceneLibrary.scene(sceneId, source, settings);
  return {
    distance: (from, to) => scene.navMesh.distance(from.position, to.position),
    sha256: scene.sha256,
    release: () => scene.release(),
  };
}
