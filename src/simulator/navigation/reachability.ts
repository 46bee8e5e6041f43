import { type BaseEpisode, goalPlaces } from "../../core/episode/base.js";
import { RobotEvalError } from "../../core/errors.js";
import type { SceneSource } from "../../core/scene/source.js";
import { sceneLibrary } from "../scenes/library.js";
import { HABITAT_NAVMESH } from "./navmesh/settings.js";
import { startOnMesh } from "./start.js";

/**
 * Whether a way leads from an episode's start to one of its goals, for Habitat's body; undefined where
 * the scene is not at hand, or the episode has no start or no goal.
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
    // A start that is not on the floor has no way to anywhere; a scene that is not there says nothing.
    return error.code === "start_off_mesh" ? false : undefined;
  }
}
