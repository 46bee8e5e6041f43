import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { NavGraph } from "../../../core/scene/graph.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import { primitive } from "../../../simulator/manipulation/visual/primitives.js";
import { GlbBuffer } from "../../../simulator/scenes/gltf/glb-buffer.js";
import type { NoScene, SceneFile } from "./scene-glb.js";
import { nameOfBytes } from "./scene-name.js";

/** Radius of the sphere at a viewpoint, in metres. */
const BALL_M = 0.12;
/** glTF primitive mode LINES. */
const LINES = 1;
const TRIANGLES = 4;

/** Draws a navigation graph: viewpoints as spheres, edges as lines. */
export async function graphGlb(
  { task: { graphs } }: TaskPlan,
  { scene_id }: EpisodeLine,
): Promise<SceneFile | NoScene> {
  if (!graphs) return { note: `the navigation graph of ${scene_id} is not available` };
  const bytes = writeGraph(await graphs.graph(scene_id));
  return { name: nameOfBytes(scene_id, bytes), bytes };
}

function writeGraph(graph: NavGraph): Uint8Array {
  const buffer = new GlbBuffer();
  const ball = primitive("sphere", [BALL_M, 0, 0], { u: 1, v: 1, uniform: false });
  if (!ball?.normals) throw new Error("a sphere has normals");
  const viewpoint = {
    attributes: {
      POSITION: buffer.positions(ball.positions),
      NORMAL: buffer.floats(ball.normals, "VEC3"),
    },
    indices: buffer.indices(ball.indices),
    material: 0,
    mode: TRIANGLES,
  };
  const ends = edgesOf(graph);
  const edges = { attributes: { POSITION: buffer.positions(ends) }, material: 1, mode: LINES };
  const hasEdges = ends.length > 0;
  const nodes = [
    ...graph.nodes.map(({ id, position }) => ({
      name: id,
      mesh: 0,
      translation: position,
      extras: { category: "viewpoint" },
    })),
    ...(hasEdges ? [{ name: "edges", mesh: 1, extras: { category: "edge" } }] : []),
  ];
  return buffer.glb({
    asset: { version: "2.0", generator: "robot-eval" },
    extensionsUsed: ["KHR_materials_unlit"],
    scene: 0,
    scenes: [{ nodes: nodes.map((_, i) => i), extras: { scene_id: graph.sceneId } }],
    nodes,
    meshes: [{ primitives: [viewpoint] }, ...(hasEdges ? [{ primitives: [edges] }] : [])],
    materials: [
      paint("viewpoint", [0.25, 0.4, 0.6, 1]),
      { ...paint("edge", [0.45, 0.5, 0.55, 1]), extensions: { KHR_materials_unlit: {} } },
    ],
  });
}

function paint(name: string, baseColorFactor: readonly number[]): object {
  return {
    name,
    pbrMetallicRoughness: { baseColorFactor, metallicFactor: 0, roughnessFactor: 1 },
  };
}

/** Both ends of each edge; each edge once. */
function edgesOf(graph: NavGraph): Float32Array {
  const ends = graph.nodes.flatMap(({ id, position }) =>
    graph
      .neighbours(id)
      .filter((other) => id < other)
      .flatMap((other) => [...position, ...graph.position(other)]),
  );
  return Float32Array.from(ends);
}
