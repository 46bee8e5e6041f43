import { type BaseEpisode, referencePoints } from "../../../core/episode/base.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { mujocoSimulatorFactory } from "../../../simulator/manipulation/mujoco-backend.js";
import { handlingOf, isDrive, stepOf } from "../../../simulator/maps/handling.js";
import type { TopDownMap } from "../../../simulator/maps/top-down.js";
import { navmeshSimulatorFactory } from "../../../simulator/navigation/navmesh.js";
import type { TaskPlan } from "../../plan/prepare.js";
import { FilmMap, type MapBox, type Ways } from "./film-map.js";

/** Graph edges within this height of the episode's path belong to its floor. */
const STOREY_M = 1.5;

const NOTHING = { vertices: new Float32Array(), polygons: [] };

/** The map of a navigation episode; undefined if its records have no positions. */
export async function makeFilmMap(
  plan: TaskPlan,
  episode: BaseEpisode,
  records: readonly StepRecord[],
  box: MapBox,
): Promise<FilmMap | undefined> {
  const taken = records.flatMap(({ state }) => stepOf(state) ?? []);
  const [start] = taken;
  if (!start) return undefined;
  const drives = isDrive(records);
  const handling = drives ? handlingOf(episode, records) : undefined;
  const { rules } = plan.task;
  const { position, positions = position ? [position] : [], view_points } = episode.goals;
  const map: Omit<TopDownMap, "surface"> = {
    start,
    goals: positions,
    ...(view_points ? { viewPoints: view_points } : {}),
    reference: referencePoints(episode, rules.reference).map((place) => place.position),
    taken,
    successDistanceM: rules.successDistanceM,
    ...(handling ? { handling } : {}),
  };
  // Only the built-in simulators can provide a navmesh.
  const isApartment = plan.simulator === mujocoSimulatorFactory && drives;
  if (plan.simulator !== navmeshSimulatorFactory && !isApartment) {
    return FilmMap.draw({ ...map, surface: NOTHING }, await waysOf(plan, episode, map), box);
  }
  const scene = await sceneOf(plan, episode.sceneId, isApartment);
  try {
    const { rooms, doors, instances } = scene.model;
    const surface = scene.navMesh.surface();
    return await FilmMap.draw({ ...map, surface, model: { rooms, doors, instances } }, [], box);
  } finally {
    scene.release();
  }
}

/** The scene of the film's simulator, which is already loaded. */
async function sceneOf({ task, simulatorConfig }: TaskPlan, sceneId: string, isApartment: boolean) {
  const { sceneLibrary } = await import("../../../simulator/navigation/scene-library.js");
  const { navMeshSettings, readNavmeshConfig } = await import(
    "../../../simulator/navigation/navmesh-config.js"
  );
  const { STRETCH_NAVMESH } = await import("../../../simulator/navmesh/settings.js");
  const settings = isApartment
    ? STRETCH_NAVMESH
    : navMeshSettings(readNavmeshConfig(simulatorConfig));
  return sceneLibrary.scene(sceneId, task.scenes, settings);
}

/** The graph edges on the floors that the episode visits. */
async function waysOf(
  { task }: TaskPlan,
  { sceneId }: BaseEpisode,
  { goals = [], reference = [], taken = [] }: Omit<TopDownMap, "surface">,
): Promise<Ways> {
  const graph = await task.graphs?.graph(sceneId);
  if (!graph) return [];
  const heights = [...goals, ...reference, ...taken.map(({ position }) => position)].map(
    ([, y]) => y,
  );
  const isNear = ([, y]: Vec3) => heights.some((height) => Math.abs(height - y) < STOREY_M);
  return graph.nodes.flatMap(({ id, position }) =>
    graph.neighbours(id).flatMap((other): Ways => {
      const end = graph.position(other);
      return id < other && isNear(position) && isNear(end) ? [[position, end]] : [];
    }),
  );
}
