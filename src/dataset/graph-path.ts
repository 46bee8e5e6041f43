import { DataError } from "../core/errors.js";
import type { QuatXyzw } from "../core/math/rotation.js";
import { headingToQuatXyzw } from "../core/math/rotation.js";
import type { GraphSource, NavGraph } from "../core/scene/graph.js";
import type { ScenePoint } from "../core/scene/scene-point.js";
import { type DataLocation, errorAt } from "./check.js";
import type { DatasetSource } from "./format.js";

/** Returns the navigation graphs, or throws if the format needs them and none were given. */
export function requireGraphs(source: DatasetSource, format: string): GraphSource {
  if (source.graphs) return source.graphs;
  throw new DataError(
    "missing_graphs",
    `a dataset of format ${format} needs navigation graphs for the positions of its viewpoints`,
    {
      where: source.path,
      hint: "pass the folder of the <scan>_connectivity.json files: --connectivity DIR, or dataset.<name>.connectivity in the benchmark",
    },
  );
}

/** @param field name within the data, for errors: `path[2]` */
export function placeOn(
  graph: NavGraph,
  node: string,
  at: DataLocation,
  field: string,
): ScenePoint {
  if (graph.has(node)) return graph.place(node);
  throw errorAt(at, "unknown_node", `the graph of ${graph.sceneId} has no viewpoint "${node}"`, {
    field,
    hint: "check that this is the right scene; viewpoints marked as not included cannot be used",
  });
}

export function checkStep(
  graph: NavGraph,
  from: string,
  to: string,
  at: DataLocation,
  field: string,
): void {
  if (graph.adjacent(from, to)) return;
  const problem = `the graph of ${graph.sceneId} has no edge from ${from} to ${to}`;
  const hint = "connect consecutive viewpoints by an edge of the graph";
  throw errorAt(at, "off_graph_step", problem, { field, hint });
}

/** Converts a path of viewpoints to positions, and checks that consecutive ones are adjacent. */
export function pathOn(
  graph: NavGraph,
  nodes: readonly string[],
  at: DataLocation,
  field: string,
): ScenePoint[] {
  const places = nodes.map((node, i) => placeOn(graph, node, at, `${field}[${i}]`));
  for (let i = 1; i < nodes.length; i++) {
    checkStep(graph, nodes[i - 1] as string, nodes[i] as string, at, `${field}[${i}]`);
  }
  return places;
}

/** R2R headings increase clockwise, ours counter-clockwise. */
export function fromR2rHeading(heading: number): number {
  // Not `-heading`: a heading of 0 must stay 0, since -0 hashes and prints differently.
  return 0 - heading;
}

export function rotationOfR2rHeading(heading: number): QuatXyzw {
  return headingToQuatXyzw(fromR2rHeading(heading));
}
