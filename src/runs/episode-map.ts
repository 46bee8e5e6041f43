import { resolve } from "node:path";
import { type BaseEpisode, referencePlaces } from "../core/episode/base.js";
import { DataError, show } from "../core/errors.js";
import type { EpisodeLine, RunInfo } from "../core/interfaces/result.js";
import type { StepRecord, StepState } from "../core/interfaces/step.js";
import { quatXyzwToHeading } from "../core/math/rotation.js";
import { type Rules, rulesOf } from "../core/profiles.js";
import { isRecord } from "../core/record.js";
import type { SceneSource } from "../core/scene/source.js";
import { SceneFolder } from "../dataset/scenes.js";
import type { TopDownMap } from "../simulator/maps/top-down.js";
import type { NavMeshSettings } from "../simulator/navigation/navmesh/settings.js";
import { findEpisode } from "./find-episode.js";
import { RunDirectory } from "./run-directory.js";
import { readTrajectory } from "./trajectory.js";

/** Where the scenes of a run are, and the body that their navmesh is for; by default as the run had them. */
export interface EpisodeMapOptions {
  readonly source?: SceneSource | undefined;
  readonly settings?: NavMeshSettings | undefined;
}

/** An episode of a recorded run, to be drawn from above: its scene, what was asked and where it went. */
export async function episodeMap(
  runDir: string,
  episodeKey: string,
  options: EpisodeMapOptions = {},
): Promise<TopDownMap> {
  const run = await RunDirectory.open(runDir);
  return mapOfLine(run, await run.info(), await findEpisode(run, episodeKey), options);
}

/** As `episodeMap`, for those who have the run open. */
export async function mapOfLine(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  options: EpisodeMapOptions = {},
): Promise<TopDownMap> {
  const file = run.trajectoryOf(line);
  if (file === null) {
    throw new DataError("no_trajectory", `episode ${line.episode_key} has no saved trajectory`, {
      where: run.path,
      hint: "run the benchmark again with `output.save_trajectories: true`",
    });
  }
  const { episode, records } = await readTrajectory(file);
  const taken = takenOf(records);
  if (taken.length === 0) {
    throw new DataError(
      "no_positions",
      `the steps of episode ${line.episode_key} have no positions: there is no way to draw`,
      { where: file, hint: "maps are for navigation" },
    );
  }
  const rules = rulesFor(info, line);
  return {
    ...(await sceneOf(info, line, records, options)),
    ...goalsOf(episode),
    ...startOf(episode, records),
    reference: referencePlaces(episode, rules.reference).map(({ position }) => position),
    taken,
    successDistanceM: rules.successDistanceM,
    title: `${line.task} ${line.scene_id} ${line.episode_id}: ${line.explanation}`,
  };
}

function takenOf(records: readonly StepRecord[]): NonNullable<TopDownMap["taken"]> {
  return records.flatMap(({ state }) => {
    const { position, collided } = state;
    return position ? { position, ...headingIn(state), collided: collided === true } : [];
  });
}

function headingIn({ heading, rotation }: StepState): { headingRad?: number } {
  if (heading !== undefined) return { headingRad: heading };
  return rotation ? { headingRad: quatXyzwToHeading(rotation) } : {};
}

function startOf({ startState }: BaseEpisode, records: readonly StepRecord[]) {
  const state = records[0]?.state ?? {};
  // Where the simulator put it: a start beside the mesh is moved onto it.
  const position = state.position ?? startState.position;
  if (!position) return {};
  const told = startState.rotation ? { rotation: startState.rotation } : {};
  return { start: { position, ...headingIn({ ...told, ...state }) } };
}

function goalsOf({ goals }: BaseEpisode): Pick<TopDownMap, "goals" | "viewPoints"> {
  const { position, positions, view_points } = goals;
  return {
    goals: positions && positions.length > 0 ? positions : position ? [position] : [],
    ...(view_points ? { viewPoints: view_points } : {}),
  };
}

/** The conventions by which the line was judged, from the run's own benchmark. */
function rulesFor({ config }: RunInfo, line: EpisodeLine): Rules {
  const task = config[`${line.task}_task`];
  return rulesOf(line.task_type, {
    ...(isRecord(config.evaluation) ? config.evaluation : {}),
    ...(isRecord(task) && isRecord(task.config) ? task.config : {}),
  });
}

/** On a graph there is no surface: its viewpoints are all there is to stand on. */
async function sceneOf(
  info: RunInfo,
  line: EpisodeLine,
  records: readonly StepRecord[],
  options: EpisodeMapOptions,
): Promise<Pick<TopDownMap, "surface" | "model">> {
  if (records.some(({ state }) => state.node !== undefined)) {
    return { surface: { vertices: new Float32Array(), polygons: [] } };
  }
  // Recast is loaded where it is needed, and not by every command that looks at runs.
  const { sceneLibrary } = await import("../simulator/scenes/library.js");
  const { navMeshSettings, navmeshConfig } = await import(
    "../simulator/navigation/navmesh-config.js"
  );
  const settings = options.settings ?? navMeshSettings(navmeshConfig.parse(info.config.simulator));
  const source = options.source ?? scenesOf(info, line.task);
  const scene = await sceneLibrary.scene(line.scene_id, source, settings);
  try {
    checkScene(line, scene.sha256, records[0]?.state.scene_sha256);
    const { rooms, doors, instances } = scene.model;
    return { surface: scene.navMesh.surface(), model: { rooms, doors, instances } };
  } finally {
    scene.release();
  }
}

/** Where the benchmark said that scenes are, else the folder `data`. */
function scenesOf({ config }: RunInfo, task: string): SceneSource {
  const datasets = isRecord(config.dataset) ? config.dataset : {};
  const [own, common] = [datasets[task], config.simulator];
  const named = (isRecord(own) && own.scenes) || (isRecord(common) && common.scenes);
  return new SceneFolder(resolve(typeof named === "string" ? named : "data"));
}

/** A path through other walls than those it was walked between would tell a false story. */
function checkScene(line: EpisodeLine, found: string, recorded: unknown): void {
  if (recorded === undefined || found === recorded) return;
  throw new DataError(
    "other_scene",
    `episode ${line.episode_key} was recorded in another ${line.scene_id} than the one found now`,
    {
      where: `sha256 recorded ${show(recorded)}, found "${found}"`,
      hint: "bring back the scene's file, or name the folder that has it with --scenes",
    },
  );
}
