import { goalPoints } from "../../../core/episode/base.js";
import { nodeNear, startPlace } from "../geometry.js";
import type { LintRule } from "../types.js";

/**
 * Finds episodes without a path from the start to any goal. Requires a graph or a reachability check of the
 * scene.
 */
export const unreachableGoal: LintRule = {
  code: "unreachable_goal",
  severity: "error",
  why: "no policy can succeed, and SPL is undefined for an infinite shortest path: the episode is marked invalid when it runs",
  *check(episode, { graph, reachable }) {
    const start = startPlace(episode);
    const goals = goalPoints(episode);
    const [goal] = goals;
    const problem = { field: "goals", value: goal?.node ?? goal?.position };
    const hint = "remove the episode";
    if (reachable === false) {
      yield { ...problem, message: "the scene has no path from the start to a goal", hint };
    }
    if (reachable !== undefined || !graph || !start || !goal) return;
    const from = nodeNear(graph, start);
    const ends = goals.map((place) => nodeNear(graph, place));
    // `off_graph` reports positions that are not on the graph.
    if (!from || ends.some((end) => end === undefined)) return;
    const exact = from.exact && ends.every((end) => end?.exact);
    if (ends.some((end) => end && graph.shortestPath(from.node, end.node).length > 0)) return;
    yield {
      ...problem,
      message: exact
        ? `the graph of ${graph.sceneId} has no path from ${from.node} to a goal`
        : `the graph of ${graph.sceneId} has no path between the viewpoints nearest to start and goal`,
      // A continuous scene may have a path that the graph lacks.
      severity: exact ? "error" : "warning",
      hint,
    };
  },
};
