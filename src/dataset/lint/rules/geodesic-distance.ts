import { type BaseEpisode, goalPoints } from "../../../core/episode/base.js";
import { distance3 } from "../../../core/math/vec3.js";
import type { NavGraph } from "../../../core/scene/graph.js";
import { startPlace, toNearest } from "../geometry.js";
import type { LintRule, Problem } from "../types.js";

/** Published distances are in single precision or rounded to millimetres. */
const ROUNDING_M = 1e-3;
/** Absolute and relative tolerance for the difference from the graph's distance. */
const GRAPH_TOLERANCE_M = 0.05;
const GRAPH_TOLERANCE = 0.01;

/** Finds stated shortest distances that are impossible. */
export const geodesicDistance: LintRule = {
  code: "geodesic_distance",
  severity: "error",
  why: "no path is shorter than the straight line: start, goal and distance belong to different episodes or have different units",
  *check(episode, { graph }) {
    const stated = episode.taskConfig.geodesic_distance;
    if (stated === undefined || stated === null) return;
    const problem = { field: "task_config.geodesic_distance", value: stated };
    if (typeof stated !== "number" || Number.isNaN(stated) || stated < 0) {
      yield { ...problem, message: "expected metres, 0 or more" };
    } else if (stated === Number.POSITIVE_INFINITY) {
      yield { ...problem, message: "the dataset itself states that the goal is unreachable" };
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
  const goals = goalPoints(episode);
  if (!start || goals.length === 0) return;
  const straight = toNearest(start.position, goals, distance3);
  if (stated < straight - ROUNDING_M && measuresToGoals(episode)) {
    yield {
      ...problem,
      message: `${stated.toFixed(3)} m, but the straight line to the nearest goal is ${straight.toFixed(3)} m`,
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
    message: `${stated.toFixed(3)} m, but the graph's shortest path is ${shortest.toFixed(3)} m`,
    severity: "warning",
  };
}

/**
 * True if distances are measured to the goals' positions. For objects they are measured to view points,
 * because an agent cannot stand at an object's centre.
 */
function measuresToGoals({ taskType, goals }: BaseEpisode): boolean {
  return taskType !== "objectnav" || (goals.view_points?.length ?? 0) > 0;
}
