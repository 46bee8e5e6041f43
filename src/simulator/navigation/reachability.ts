import { type BaseEpisode, goalPlaces } from "../../core/episode/base.js";
import { RobotEvalError } from "../../core/errors.js";
import type { SceneSource } from "../../core/scene/source.js";
import { HABITAT_NAVMESH } from "../navmesh/settings.js";
import { sceneLibrary } from "./scene-library.js";
import { startOnMesh } from "./start.js";

/**
 * Whether a path leads from an episode's start to one of its goals, for Habitat's default body. Undefined if
 * the scene is missing, or the episode has no start or no goal.
 */
export async function isReachable(
  episode: BaseEpisode,
  source: SceneSource | undefined,
): Promise<boolean | undefined> {
  const goals = goalPlaces(episode).map(({ position }) => position);
  if (goals.length === 0 || !episode.startState.position) return undefined;
  try {
    const scene = await sceneLibrary.scene(episode.sceneId, source, HABITAT_NAVMESH);
    try {
      const start = startOnMesh(episode, scene.navMesh);
      return scene.navMesh.distanceToAny(start, goals) < Number.POSITIVE_INFINITY;
    } finally {
      scene.release();
    }
  } catch (error) {
    if (!(error instanceof RobotEvalError)) throw error;
    // A start off the navmesh cannot reach any goal. A missing scene leaves the answer unknown.
    return error.code === "start_off_mesh" ? false : undefined;
  }
}
