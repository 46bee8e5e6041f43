import { z } from "zod";
import { type BaseEpisode, goalPoints } from "../../core/episode/base.js";
import { RobotEvalError } from "../../core/errors.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";
import type { SceneSource } from "../../core/scene/source.js";
import { HABITAT_NAVMESH, STRETCH_NAVMESH } from "../navmesh/settings.js";
import { isApartment } from "./find-scene.js";
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
  if (episode.taskType === "rearrange") return isRearrangeable(episode);
  const goals = goalPoints(episode).map(({ position }) => position);
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

/** Whether a robot reaches the poses that an episode names for its object, and from there those of its goal. */
async function isRearrangeable({ sceneId, startState, goals, taskConfig }: BaseEpisode) {
  const { base_pose } = startState;
  const { candidates } = goals;
  if (!isApartment(sceneId) || !base_pose || !isRecord(candidates)) return undefined;
  const stages = [candidates.objects, candidates.goal_receptacles].map(viewPointsOf);
  if (stages.some((points) => points.length === 0)) return undefined;
  const open = drawerList.safeParse(taskConfig.drawers).data ?? [];
  const drawers = open.map(({ name, opened }) => ({ name, openedM: opened }));
  const scene = await sceneLibrary.scene(sceneId, undefined, STRETCH_NAVMESH, { drawers });
  try {
    const start = floorPoint(base_pose);
    const { navMesh } = scene;
    return (
      navMesh.isNavigable(start) &&
      stages.every((points) => navMesh.distanceToAny(start, points) < Number.POSITIVE_INFINITY)
    );
  } finally {
    scene.release();
  }
}

const candidateList = z.array(
  z.looseObject({ view_points: z.array(z.tuple([z.number(), z.number(), z.number()])) }),
);

const drawerList = z.array(z.looseObject({ name: z.string(), opened: z.number().default(0) }));

function viewPointsOf(candidates: unknown): Vec3[] {
  const { data } = candidateList.safeParse(candidates);
  return (data ?? []).flatMap(({ view_points }) => view_points.map(floorPoint));
}

/** Converts a point from MuJoCo's axes. All floors of apartments are at height 0. */
function floorPoint([x, y]: readonly [number, number, number]): Vec3 {
  return [x, 0, 0 - y];
}
