import { type BaseEpisode, episodeKey } from "../../core/episode/base.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { NavGraph } from "../../core/scene/graph.js";
import type { Place } from "../../core/scene/place.js";
import type { DatasetFormat } from "../format.js";

export function keyOf({ taskType, sceneId, episodeId }: BaseEpisode): string {
  return episodeKey(taskType, sceneId, episodeId);
}

/**
 * Metres apart on the floor. Heights are left out on purpose: datasets give the floor's, the robot's
 * base's or the camera's, and mix them.
 */
export function horizontal(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}

/** The distance to the nearest of several places; Infinity when there are none. */
export function toNearest(
  from: Vec3,
  places: readonly Place[],
  distance: (a: Vec3, b: Vec3) => number,
): number {
  let best = Number.POSITIVE_INFINITY;
  for (const { position } of places) best = Math.min(best, distance(from, position));
  return best;
}

export function startPlace({ startState }: BaseEpisode): Place | undefined {
  const { position, node } = startState;
  return position && { position, node };
}

/** A path of an episode, and what one may expect of its points. */
interface NamedPath {
  readonly field: string;
  readonly points: readonly Vec3[];
  /** Names of the viewpoints, where the path is one of a graph. */
  readonly nodes: readonly string[] | undefined;
  /** Metres between neighbours above which something is missing or wrong. */
  readonly longestStepM: number;
}

/**
 * Viewpoints that can see each other are up to 8.5 m apart in Matterport's graphs, and paths of corner
 * points have legs like that too. A dense path has a point a step, and the longest steps are 0.25 m.
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

/** Places of a continuous dataset stand near a viewpoint, not on it. */
const NEAR_A_NODE_M = 1;

/** The node that a place names or stands exactly on; else the nearest within a metre on its floor. */
export function nodeNear(
  graph: NavGraph,
  place: Place,
): { readonly node: string; readonly exact: boolean } | undefined {
  if (place.node !== undefined) {
    return graph.has(place.node) ? { node: place.node, exact: true } : undefined;
  }
  const { node, distanceM, exact } = nearestNode(graph, place.position);
  return node === undefined || distanceM > NEAR_A_NODE_M ? undefined : { node, exact };
}

/** Metres on the floor; nodes more than a storey above or below do not count. */
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

/** Profiles of continuous scenes, where places stand beside viewpoints and not on them. */
const CONTINUOUS: readonly string[] = ["vlnce", "habitat"];

export function isContinuous({ profile }: Pick<DatasetFormat, "profile">): boolean {
  return CONTINUOUS.includes(profile);
}

/** A camera's height above the floor is less, a ceiling's is more. */
const STOREY_M = 2;
