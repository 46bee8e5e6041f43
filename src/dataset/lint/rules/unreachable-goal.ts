import { goalPlaces } from "../../../core/episode/base.js";
import { nodeNear, startPlace } from "../geometry.js";
import type { LintRule } from "../types.js";

/** No way leads from the start to any goal. Needs the scene: a graph, or whoever knows its floor. */
export const unreachableGoal: LintRule = {
  code: "unreachable_goal",
  severity: "error",
  why: "no policy can succeed, and the shortest way is infinite, which SPL cannot use: the episode is invalid when it is run",
  *check(episode, { graph, reachable }) {
    const start = startPlace(episode);
    const goals = goalPlaces(episode);
    const [goal] = goals;
    if (!start || !goal) return;
    const problem = { field: "goals", value: goal.node ?? goal.position };
    const hint = "leave the episode out";
    if (reachable === false) {
      yield { ...problem, message: "the scene has no way from the start to a goal", hint };
    }
    if (reachable !== undefined || !graph) return;
    const from = nodeNear(graph, start);
    const ends = goals.map((place) => nodeNear(graph, place));
    // Off the graph there is nothing to say; `off_graph` tells that.
    if (!from || ends.some((end) => end === undefined)) return;
    const exact = from.exact && ends.every((end) => end?.exact);
    if (ends.some((end) => end && graph.shortestPath(from.node, end.node).length > 0)) return;
    yield {
      ...problem,
      message: exact
        ? `the graph of ${graph.sceneId} has no way from ${from.node} to a goal`
        : `the graph of ${graph.sceneId} has no way between the viewpoints nearest to start and goal`,
      // In a continuous scene there may be a way that the graph lacks.
      severity: exact ? "error" : "warning",
      hint,
    };
  },
};
