import { resolvePath } from "../config/paths.js";
import { type BaseEpisode, referencePoints } from "../core/episode/base.js";
import { DataError } from "../core/errors.js";
import type { EpisodeLine, RunInfo } from "../core/interfaces/result.js";
import type { StepRecord } from "../core/interfaces/step.js";
import { quatXyzwToHeading } from "../core/math/rotation.js";
import { type Rules, rulesOf } from "../core/profiles.js";
import type { SceneSource } from "../core/scene/source.js";
import { SceneFolder } from "../dataset/scenes.js";
import { handlingOf, isDrive, stepOf } from "../simulator/maps/handling.js";
import type { TakenStep, TopDownMap } from "../simulator/maps/top-down.js";
import type { RunDirectory } from "./directory/run-directory.js";
import { checkScene, savedTrajectory } from "./directory/trajectory.js";
import { type RunPermissions, recordedBenchmark } from "./recorded/recorded-benchmark.js";
import { sectionOf, taskConfigOf } from "./recorded/recorded-config.js";

const OTHER_SCENE_HINT = "restore the scene file, or name the folder that has it with --scenes";

/** Location of the scenes. Default: as in the run. */
interface EpisodeMapOptions {
  readonly source?: SceneSource | undefined;
  readonly permissions?: Pick<RunPermissions, "scenes"> | undefined;
}

/** The top-down map of a recorded episode: scene, start, goal, reference and path. */
export async function mapOfLine(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  options: EpisodeMapOptions = {},
): Promise<TopDownMap> {
  const { episode, records } = await savedTrajectory(run, line);
  const taken = records.flatMap(({ state }) => stepOf(state) ?? []);
  if (taken.length === 0) {
    throw new DataError(
      "no_positions",
      `the steps of episode ${line.episode_key} have no positions: there is no path to draw`,
      {
        where: run.path,
        hint: "maps are for robots that move: navigation, and tasks of type rearrange",
      },
    );
  }
  const rules = rulesFor(info, line);
  const handling = isDrive(records) ? handlingOf(episode, records) : undefined;
  return {
    ...(await sceneOf(run, info, line, records, options)),
    ...goalsOf(episode),
    ...startOf(episode, taken[0]),
    ...(handling ? { handling } : {}),
    reference: referencePoints(episode, rules.reference).map(({ position }) => position),
    taken,
    successDistanceM: rules.successDistanceM,
    title: `${line.task} ${line.scene_id} ${line.episode_id}: ${line.explanation}`,
  };
}

/** The simulator moves a start beside the navmesh onto it, so the recorded position counts. */
function startOf({ startState: { rotation } }: BaseEpisode, first: TakenStep | undefined) {
  if (!first) return {};
  const { position, headingRad = rotation && quatXyzwToHeading(rotation) } = first;
  return { start: { position, ...(headingRad === undefined ? {} : { headingRad }) } };
}

function goalsOf({ goals }: BaseEpisode): Pick<TopDownMap, "goals" | "viewPoints"> {
  const { position, positions, view_points } = goals;
  return {
    goals: positions && positions.length > 0 ? positions : position ? [position] : [],
    ...(view_points ? { viewPoints: view_points } : {}),
  };
}

/** The profile rules that the line was scored with. */
function rulesFor(info: RunInfo, line: EpisodeLine): Rules {
  const { evaluation } = info.config;
  return rulesOf(line.task_type, { ...sectionOf(evaluation), ...taskConfigOf(info, line.task) });
}

/** On a graph, the viewpoints replace the navmesh. */
async function sceneOf(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  records: readonly StepRecord[],
  options: EpisodeMapOptions,
): Promise<Pick<TopDownMap, "surface" | "model">> {
  if (records.some(({ state }) => state.node !== undefined)) {
    return { surface: { vertices: new Float32Array(), polygons: [] } };
  }
  // Recast is imported on demand: most commands that read runs do not need it.
  const { sceneLibrary } = await import("../simulator/navigation/scene-library.js");
  const { navMeshSettings, readNavmeshConfig } = await import(
    "../simulator/navigation/navmesh-config.js"
  );
  const { STRETCH_NAVMESH } = await import("../simulator/navmesh/settings.js");
  const settings = isDrive(records)
    ? STRETCH_NAVMESH
    : navMeshSettings(readNavmeshConfig(info.config.simulator));
  const source = options.source ?? scenesOf(run, info, line.task, options.permissions);
  const scene = await sceneLibrary.scene(line.scene_id, source, settings);
  try {
    // In another scene the path would not fit the walls.
    checkScene(line, scene.sha256, records, OTHER_SCENE_HINT);
    const { rooms, doors, instances } = scene.model;
    return { surface: scene.navMesh.surface(), model: { rooms, doors, instances } };
  } finally {
    scene.release();
  }
}

/** The benchmark's scene folder, else `data`. For a foreign run, only the folder that the caller names. */
function scenesOf(
  run: RunDirectory,
  info: RunInfo,
  task: string,
  { scenes }: Pick<RunPermissions, "scenes"> = {},
): SceneSource {
  const loaded = recordedBenchmark(run, info, ["scenes"], { scenes });
  const { dataset, simulator } = loaded.config;
  const named = dataset[task]?.scenes ?? simulator.scenes ?? "data";
  return new SceneFolder(resolvePath(loaded, named), loaded.within);
}
