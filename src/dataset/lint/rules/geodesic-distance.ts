import { type BaseEpisode, goalPlaces } from "../../../core/episode/base.js";
import { distance3 } from "../../../core/math/vec3.js";
import type { NavGraph } from "../../../core/scene/graph.js";
import { startPlace, toNearest } from "../geometry.js";
import type { LintRule, Problem } from "../types.js";

/** Published distances are of single precision, or rounded to millimetres. */
const ROUNDING_M = 1e-3;
/** Metres and share by which a distance may differ from the graph's. */
const GRAPH_TOLERANCE_M = 0.05;
const GRAPH_TOLERANCE = 0.01;

/** A shortest distance in the file that cannot be one. */
export const geodesicDistance: LintRule = {
  code: "geodesic_distance",
  severity: "error",
  why: "no way is shorter than the straight line: start, goal and distance are not of one episode, or not in one unit",
  *check(episode, { graph }) {
    const stated = episode.taskConfig.geodesic_distance;
    if (stated === undefined || stated === null) return;
    const problem = { field: "task_config.geodesic_distance", value: stated };
    if (typeof stated !== "number" || Number.isNaN(stated) || stated < 0) {
      yield { ...problem, message: "expected metres, 0 or more" };
    } else if (stated === Number.POSITIVE_INFINITY) {
      yield { ...problem, message: "the dataset itself says that no way leads to the goal" };
    } else {
      yield* compare(episode, stated, graph, problem);
    }
  },
};

function* compare(
  episode: BaseEpisode,
  stated: number,
  graph: NavGraph | undefined,
  problem: Pick<Problem, "field" | "value">,
): Generator<Problem> {
  const start = startPlace(episode);
  const goals = goalPlaces(episode);
  if (!start || goals.length === 0) return;
  const straight = toNearest(start.position, goals, distance3);
  if (stated < straight - ROUNDING_M && measuresToGoals(episode)) {
    yield {
      ...problem,
      message: `${stated.toFixed(3)} m, and the straight line to the nearest goal is ${straight.toFixed(3)} m`,
    };
    return;
  }
  if (!graph || start.node === undefined || goals.some(({ node }) => node === undefined)) return;
  if (![start, ...goals].every(({ node }) => node !== undefined && graph.has(node))) return;
  const shortest = Math.min(...goals.map((goal) => graph.distance(start, goal)));
  const off = Math.abs(stated - shortest);
  if (off <= Math.max(GRAPH_TOLERANCE_M, GRAPH_TOLERANCE * shortest)) return;
  yield {
    ...problem,
    message: `${stated.toFixed(3)} m, and the graph's shortest way is ${shortest.toFixed(3)} m`,
    severity: "warning",
  };
}

/** An object's own centre is no place to stand: distances to objects are measured to view points. */
function measuresToGoals({ taskType, goals }: BaseEpisode): boolean {
  return taskType !== "objectnav" || (goals.view_points?.length ?? 0) > 0;
}
