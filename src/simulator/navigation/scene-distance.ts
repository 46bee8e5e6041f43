import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneDistance } from "../../core/scene/place.js";
import type { SceneSource } from "../../core/scene/source.js";
import { type LoadedScene, sceneLibrary } from "../scenes/library.js";
import { ExactGeodesic } from "./geodesic/exact.js";
import { navMeshSettings, navmeshConfig } from "./navmesh-config.js";

/** Lengths of ways in a scene. Pure: what was asked before does not show. */
export interface Geodesic {
  distance(from: Vec3, to: Vec3): number;
  distanceToAny(from: Vec3, goals: readonly Vec3[]): number;
  /** Both ends included; empty when there is no way. */
  path(from: Vec3, to: Vec3): Vec3[];
}

const exact = new WeakMap<LoadedScene["navMesh"], ExactGeodesic>();

/** `detour` is what Habitat measures; `exact` the true shortest way on the same mesh, never longer. */
export function geodesicOf({ navMesh }: LoadedScene, method: "detour" | "exact"): Geodesic {
  if (method === "detour") return new Remembering(navMesh);
  let geodesic = exact.get(navMesh);
  if (!geodesic) {
    geodesic = new ExactGeodesic(navMesh.surface());
    exact.set(navMesh, geodesic);
  }
  return new Remembering(geodesic);
}

/**
 * Half of an agent's steps are turns: it asks again from where it stands. The last answer is kept, which
 * cannot be told from asking anew.
 */
class Remembering implements Geodesic {
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
 * Distances in a scene that no simulator has open, for scoring what was recorded. `config` is the
 * benchmark's `simulator:` section, since the body decides the navmesh.
 */
export async function sceneDistance(
  sceneId: string,
  source: SceneSource | undefined,
  config: unknown,
): Promise<{ readonly distance: SceneDistance; readonly sha256: string; release(): void }> {
  const parsed = navmeshConfig.parse(config);
  const scene = await sceneLibrary.scene(sceneId, source, navMeshSettings(parsed));
  const geodesic = geodesicOf(scene, parsed.geodesic);
  return {
    distance: (from, to) => geodesic.distance(from.position, to.position),
    sha256: scene.sha256,
    release: () => scene.release(),
  };
}
