import { DataError } from "../errors.js";
import { distance3, samePoint, type Vec3 } from "../math/vec3.js";
import { suggestion } from "../registry.js";
import type { ScenePoint } from "./scene-point.js";

/**
 * A navigation graph: viewpoints and the edges between which a robot can move. The length of an edge is the
 * Euclidean distance of its ends, as in the original R2R evaluation. Edges are undirected.
 *
 * @example
 * const nodes: GraphNode[] = [
 *   { id: "hall", position: [0, 0, 0] },
 *   { id: "kitchen", position: [3, 0, 4] },
 * ];
 * const graph = new NavGraph("flat", nodes, [[0, 1]]);
 * graph.distance(graph.place("hall"), graph.place("kitchen")); // 5
 */
export class NavGraph {
  readonly #index = new Map<string, number>();
  readonly #nodes: readonly GraphNode[];
  readonly #neighbours: number[][];
  /** One Dijkstra tree per source, computed on first use: evaluation queries few goals many times. */
  readonly #trees = new Map<number, ShortestPathTree>();

  constructor(
    readonly sceneId: string,
    nodes: readonly GraphNode[],
    edges: Iterable<readonly [number, number]>,
  ) {
    this.#nodes = nodes;
    this.#neighbours = nodes.map(() => []);
    nodes.forEach((node, i) => {
      if (this.#index.has(node.id)) {
        throw new DataError("duplicate_node", `graph ${sceneId} has the node ${node.id} twice`);
      }
      this.#index.set(node.id, i);
    });
    for (const [a, b] of edges) {
      this.#link(a, b);
      this.#link(b, a);
    }
    for (const list of this.#neighbours) list.sort((a, b) => a - b);
  }

  get size(): number {
    return this.#nodes.length;
  }

  get nodes(): readonly GraphNode[] {
    return this.#nodes;
  }

  has(node: string): boolean {
    return this.#index.has(node);
  }

  position(node: string): Vec3 {
    return this.#node(this.#at(node)).position;
  }

  place(node: string): ScenePoint {
    return { position: this.position(node), node };
  }

  neighbours(node: string): string[] {
    return this.#links(this.#at(node)).map((i) => this.#node(i).id);
  }

  adjacent(a: string, b: string): boolean {
    return this.#links(this.#at(a)).includes(this.#at(b));
  }

  /** The node that a place names, or else the one at exactly its position. */
  locate(place: ScenePoint): string {
    if (place.node !== undefined) return this.#node(this.#at(place.node)).id;
    const found = this.#nodes.find((node) => samePoint(node.position, place.position));
    if (found) return found.id;
    throw new DataError(
      "off_graph",
      `no node of graph ${this.sceneId} is at [${place.position.join(", ")}]`,
      { hint: "give the name of a node, or exactly its position" },
    );
  }

  distance(from: ScenePoint, to: ScenePoint): number {
    // The tree is rooted at the target, because a run queries distances from many places to few goals.
    const tree = this.#tree(this.#at(this.locate(to)));
    return tree.distance[this.#at(this.locate(from))] as number;
  }

  /** Nodes from start to end, both included; empty when there is no path. */
  shortestPath(from: string, to: string): string[] {
    const tree = this.#tree(this.#at(to));
    const path: string[] = [];
    let at = this.#at(from);
    if (tree.distance[at] === Number.POSITIVE_INFINITY) return path;
    while (at !== -1) {
      path.push(this.#node(at).id);
      at = tree.next[at] as number;
    }
    return path;
  }

  #tree(source: number): ShortestPathTree {
    const known = this.#trees.get(source);
    if (known) return known;
    const tree = this.#dijkstra(source);
    this.#trees.set(source, tree);
    return tree;
  }

  /** O(V^2) Dijkstra without a heap, which would not be faster: the largest Matterport graph has 345 nodes. */
  #dijkstra(source: number): ShortestPathTree {
    const n = this.size;
    const distance = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
    const next = new Int32Array(n).fill(-1);
    const done = new Uint8Array(n);
    distance[source] = 0;
    for (;;) {
      let at = -1;
      let nearest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < n; i++) {
        if (!done[i] && (distance[i] as number) < nearest) {
          nearest = distance[i] as number;
          at = i;
        }
      }
      if (at === -1) return { distance, next };
      done[at] = 1;
      for (const to of this.#links(at)) {
        const through = nearest + distance3(this.#node(at).position, this.#node(to).position);
        if (through < (distance[to] as number)) {
          distance[to] = through;
          next[to] = at;
        }
      }
    }
  }

  #link(a: number, b: number): void {
    const list = this.#links(a);
    if (!list.includes(b)) list.push(b);
  }

  #at(node: string): number {
    const i = this.#index.get(node);
    if (i !== undefined) return i;
    throw new DataError("unknown_node", `graph ${this.sceneId} has no node "${node}"`, {
      hint:
        this.size <= 12 ? suggestion(node, [...this.#index.keys()]) : "is this the right scene?",
    });
  }

  #node(i: number): GraphNode {
    const node = this.#nodes[i];
    if (!node) throw new RangeError(`graph ${this.sceneId} has no node number ${i}`);
    return node;
  }

  #links(i: number): number[] {
    const list = this.#neighbours[i];
    if (!list) throw new RangeError(`graph ${this.sceneId} has no node number ${i}`);
    return list;
  }
}

export interface GraphNode {
  readonly id: string;
  readonly position: Vec3;
}

interface ShortestPathTree {
  readonly distance: Float64Array;
  /** For each node the next one towards the source, -1 at the source. */
  readonly next: Int32Array;
}

/** Provides navigation graphs by scene. The dataset layer implements it for simulators and scorers. */
export interface GraphSource {
  graph(sceneId: string): Promise<NavGraph>;
  /** The file of the graph; absent if graphs are not read from files. */
  fileOf?(sceneId: string): string;
}
