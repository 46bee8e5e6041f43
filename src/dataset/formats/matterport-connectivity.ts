import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../core/errors.js";
import { fromMatterport } from "../../core/math/vec3.js";
import { type GraphNode, type GraphSource, NavGraph } from "../../core/scene/graph.js";
import { check, describe, otherLayout } from "../check.js";
import { readText } from "../readers/bytes.js";
import { parseJson } from "../readers/json.js";
import { exists } from "../source.js";

const SUFFIX = "_connectivity.json";

const viewpointSchema = z.looseObject({
  image_id: z.string().min(1),
  /** Row-major 4x4, camera to world, z up; the last column is the position. */
  pose: z.array(z.number()).length(16),
  included: z.boolean(),
  unobstructed: z.array(z.boolean()),
});

type Viewpoint = z.output<typeof viewpointSchema>;

/**
 * The navigation graphs of the Matterport3D simulator (Anderson et al., CVPR 2018): a folder of
 * `<scan>_connectivity.json`. An edge joins two viewpoints if both are included and the path between them
 * is unobstructed. Viewpoints that are not included are left out of the graph.
 *
 * @example
 * const graph = await new MatterportGraphs("connectivity").graph("17DRP5sb8fy");
 * graph.nodes.length;
 */
export class MatterportGraphs implements GraphSource {
  readonly #graphs = new Map<string, Promise<NavGraph>>();

  constructor(readonly directory: string) {}

  /** @param sceneId a scan, or a scene file named after it: `mp3d/<scan>/<scan>.glb` */
  graph(sceneId: string): Promise<NavGraph> {
    const scan = scanOf(sceneId);
    const known = this.#graphs.get(scan);
    if (known) return known;
    const graph = this.#read(scan);
    this.#graphs.set(scan, graph);
    return graph;
  }

  fileOf(sceneId: string): string {
    return join(this.directory, `${scanOf(sceneId)}${SUFFIX}`);
  }

  async scans(): Promise<string[]> {
    const names = await readdir(this.directory).catch((cause: unknown) => {
      throw new DataError("missing_directory", "the folder of navigation graphs does not exist", {
        where: this.directory,
        hint: `pass a folder of files named <scan>${SUFFIX}`,
        cause,
      });
    });
    const files = names.filter((name) => name.endsWith(SUFFIX));
    return files.map((name) => name.slice(0, -SUFFIX.length)).sort();
  }

  async #read(scan: string): Promise<NavGraph> {
    const file = join(this.directory, `${scan}${SUFFIX}`);
    if (scan === "" || !(await exists(file))) {
      const scans = await this.scans();
      throw new DataError("missing_scene", `scene "${scan}" has no navigation graph`, {
        where: this.directory,
        hint: `the folder has ${scans.length} graphs and no ${scan}${SUFFIX}`,
      });
    }
    return readGraph(scan, file, await readText(file));
  }
}

function scanOf(sceneId: string): string {
  const name = sceneId.slice(sceneId.lastIndexOf("/") + 1);
  const [scan = ""] = name.split(".", 1);
  return scan;
}

function readGraph(scan: string, file: string, text: string): NavGraph {
  const entries = parseJson(text, file);
  if (!Array.isArray(entries)) throw otherLayout(file, "a list of viewpoints", describe(entries));
  const viewpoints = entries.map((entry, i) => readViewpoint(entry, i, entries.length, file));
  const nodes: GraphNode[] = [];
  const numbers = viewpoints.map((viewpoint) => {
    if (!viewpoint.included) return -1;
    const [x, y, z] = [3, 7, 11].map((column) => viewpoint.pose[column] as number);
    const position = fromMatterport(x as number, y as number, z as number);
    return nodes.push({ id: viewpoint.image_id, position }) - 1;
  });
  const edges: [number, number][] = [];
  for (const [i, viewpoint] of viewpoints.entries()) {
    for (const [j, other] of viewpoints.entries()) {
      if (!viewpoint.unobstructed[j] || i === j || !viewpoint.included || !other.included) continue;
      checkBothWays(viewpoint, other, i, file);
      edges.push([numbers[i] as number, numbers[j] as number]);
    }
  }
  return new NavGraph(scan, nodes, edges);
}

function readViewpoint(entry: unknown, i: number, count: number, file: string): Viewpoint {
  const place = { file, item: `[${i}]` };
  const viewpoint = check(viewpointSchema, entry, place);
  if (viewpoint.unobstructed.length === count) return viewpoint;
  throw new DataError(
    "bad_graph",
    `viewpoint ${viewpoint.image_id}, unobstructed: has ${viewpoint.unobstructed.length} entries for ${count} viewpoints`,
    { where: `${file}, [${i}]`, hint: "download the file again: its graph is inconsistent" },
  );
}

/** Edges must exist in both directions; the original evaluation requires it too. */
function checkBothWays(from: Viewpoint, to: Viewpoint, i: number, file: string): void {
  if (to.unobstructed[i]) return;
  throw new DataError(
    "bad_graph",
    `viewpoint ${from.image_id}, unobstructed: has an edge to ${to.image_id}, which has none back`,
    { where: `${file}, [${i}]`, hint: "download the file again: its graph is inconsistent" },
  );
}
