import { goalPoints } from "../../../core/episode/base.js";
import type { NavGraph } from "../../../core/scene/graph.js";
import type { ScenePoint } from "../../../core/scene/scene-point.js";
import { isContinuous, nearestNode, startPlace } from "../geometry.js";
import type { LintContext, LintRule, Problem } from "../types.js";

const NEAR_M = 1;

/** Finds starts and goals that are not at a viewpoint of the scene's graph. */
export const offGraph: LintRule = {
  code: "off_graph",
  severity: "error",
  why: "an agent on a graph can only be at a viewpoint: the graph simulator does not guess which one was meant, and marks the episode invalid",
  *check(episode, context) {
    const { graph } = context;
    if (!graph) return;
    const start = startPlace(episode);
    if (start) yield* offGraphAt("start_state", start, graph, context);
    for (const goal of goalPoints(episode)) {
      const found = [...offGraphAt("goals", goal, graph, context)];
      yield* found;
      // One finding is enough, because an episode can have hundreds of view points.
      if (found.length > 0) return;
    }
  },
};

function* offGraphAt(
  field: string,
  place: ScenePoint,
  graph: NavGraph,
  { format }: LintContext,
): Generator<Problem> {
  if (place.node !== undefined) {
    if (graph.has(place.node)) return;
    yield {
      field: `${field}.node`,
      value: place.node,
      message: `the graph of ${graph.sceneId} has no such viewpoint`,
      hint: "check that this is the right scene; viewpoints marked as not included cannot be used",
    };
    return;
  }
  const { node, distanceM, exact } = nearestNode(graph, place.position);
  const continuous = isContinuous(format);
  if (exact || (continuous && distanceM <= NEAR_M)) return;
  yield {
    field: `${field}.position`,
    value: place.position,
    message:
      node === undefined
        ? `the graph of ${graph.sceneId} has no viewpoint on this storey`
        : `the nearest viewpoint of ${graph.sceneId} is ${distanceM.toFixed(2)} m away horizontally: ${node}`,
    hint: continuous ? undefined : "name the viewpoint in `node`, or give its exact position",
    severity: continuous ? "warning" : "error",
  };
}
