import { type BaseEpisode, episodeKey } from "../../core/episode/base.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { NavGraph } from "../../core/scene/graph.js";
import type { ScenePoint } from "../../core/scene/scene-point.js";
import type { DatasetFormat } from "../format.js";

export function keyOf({ taskType, sceneId, episodeId }: BaseEpisode): string {
  return episodeKey(taskType, sceneId, episodeId);
}

/**
 * Horizontal distance in metres. Ignores heights, because datasets mix those of the floor, the robot's base
 * and the camera.
 */
export function horizontal(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}

/** The distance to the nearest of several positions; Infinity if there are none. */
export function toNearest(
  from: Vec3,
  places: readonly ScenePoint[],
  distance: (a: Vec3, b: Vec3) => number,
): number {
  let best = Number.POSITIVE_INFINITY;
  for (const { position } of places) best = Math.min(best, distance(from, position));
  return best;
}

export function startPlace({ startState }: BaseEpisode): ScenePoint | undefined {
  const { position, node } = startState;
  return position && { position, node };
}

/** A path of an episode, with the expected spacing of its points. */
interface NamedPath {
  readonly field: string;
  readonly points: readonly Vec3[];
  /** Names of the viewpoints, if the path follows a graph. */
  readonly nodes: readonly string[] | undefined;
  /** Distance in metres between consecutive points above which points are missing or wrong. */
  readonly longestStepM: number;
}

/**
 * In Matterport's graphs, mutually visible viewpoints are up to 8.5 m apart, and paths of corner points
 * have similar legs. A dense path has one point per step, and the longest steps are 0.25 m.
 */
const LONGEST_LEG_M = 10;
const LONGEST_DENSE_STEP_M = 1;

export function* pathsOf({ referenceData }: BaseEpisode): Generator<NamedPath> {
  const { path, nodes, dense_path } = referenceData ?? {};
  if (path) {
    yield { field: "reference_data.path", points: path, nodes, longestStepM: LONGEST_LEG_M };
  }
  if (dense_path) {
    yield {
      field: "reference_data.dense_path",
      points: dense_path,
      nodes: undefined,
      longestStepM: LONGEST_DENSE_STEP_M,
    };
  }
}

/** Positions in continuous datasets are near a viewpoint, not exactly on it. */
const NEAR_A_NODE_M = 1;

/**
 * Returns the node that a position names or coincides with; otherwise the nearest within a metre on its
 * floor.
 */
export function nodeNear(
  graph: NavGraph,
  place: ScenePoint,
): { readonly node: string; readonly exact: boolean } | undefined {
  if (place.node !== undefined) {
    return graph.has(place.node) ? { node: place.node, exact: true } : undefined;
  }
  const { node, distanceM, exact } = nearestNode(graph, place.position);
  return node === undefined || distanceM > NEAR_A_NODE_M ? undefined : { node, exact };
}

/** Horizontal distance in metres; ignores nodes more than a storey above or below. */
export function nearestNode(graph: NavGraph, position: Vec3) {
  let node: string | undefined;
  let distanceM = Number.POSITIVE_INFINITY;
  for (const candidate of graph.nodes) {
    if (Math.abs(candidate.position[1] - position[1]) > STOREY_M) continue;
    const d = horizontal(candidate.position, position);
    if (d >= distanceM) continue;
    distanceM = d;
    node = candidate.id;
  }
  const exact = node !== undefined && distance3(graph.position(node), position) === 0;
  return { node, distanceM, exact };
}

/** Profiles of continuous scenes, whose positions are near viewpoints, not on them. */
const CONTINUOUS: readonly string[] = ["vlnce", "habitat"];

export function isContinuous({ profile }: Pick<DatasetFormat, "profile">): boolean {
  return CONTINUOUS.includes(profile);
}

/** More than a camera's height above the floor, less than a ceiling's. */
const STOREY_M = 2;
