import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../errors.js";
import { distance3, type Vec3 } from "../math/vec3.js";
import { type GraphNode, NavGraph } from "./graph.js";
import { distanceToAny } from "./scene-point.js";

interface Drawn {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly (readonly [number, number])[];
}

/** Random graphs, often disconnected, with integer coordinates so that ties occur. */
const drawn: fc.Arbitrary<Drawn> = fc.integer({ min: 1, max: 9 }).chain((size) => {
  const coordinate = fc.integer({ min: -3, max: 3 });
  const index = fc.nat({ max: size - 1 });
  return fc.record({
    nodes: fc
      .array(fc.tuple(coordinate, coordinate, coordinate), { minLength: size, maxLength: size })
      .map((points) => points.map((position, i) => ({ id: `n${i}`, position }))),
    edges: fc.array(fc.tuple(index, index), { maxLength: 14 }),
  });
});

/** All shortest distances, by the Floyd-Warshall algorithm. */
function floydWarshall({ nodes, edges }: Drawn): number[][] {
  const d = nodes.map((_, i) => nodes.map((_, j) => (i === j ? 0 : Number.POSITIVE_INFINITY)));
  const at = (i: number, j: number) => d[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const set = (i: number, j: number, value: number) => {
    const row = d[i];
    if (row) row[j] = Math.min(at(i, j), value);
  };
  for (const [i, j] of edges) {
    const [a, b] = [nodes[i], nodes[j]];
    if (!a || !b) continue;
    set(i, j, distance3(a.position, b.position));
    set(j, i, distance3(a.position, b.position));
  }
  for (const k of nodes.keys())
    for (const i of nodes.keys()) for (const j of nodes.keys()) set(i, j, at(i, k) + at(k, j));
  return d;
}

function build({ nodes, edges }: Drawn): NavGraph {
  return new NavGraph("drawn", nodes, edges);
}

describe("distances on a navigation graph", () => {
  it("distances on a navigation graph are those of the shortest paths, or Infinity if there is none", () => {
    fc.assert(
      fc.property(drawn, (world) => {
        const graph = build(world);
        const expected = floydWarshall(world);
        for (const [i, from] of world.nodes.entries()) {
          for (const [j, to] of world.nodes.entries()) {
            const d = graph.distance({ ...from, node: from.id }, { ...to, node: to.id });
            const best = expected[i]?.[j] ?? Number.NaN;
            if (best === Number.POSITIVE_INFINITY) expect(d).toBe(best);
            else expect(d).toBeCloseTo(best, 9);
          }
        }
      }),
    );
  });

  it("distances on a navigation graph are symmetric, and 0 from a node to itself", () => {
    fc.assert(
      fc.property(drawn, (world) => {
        const graph = build(world);
        for (const a of world.nodes) {
          expect(graph.distance(graph.place(a.id), graph.place(a.id))).toBe(0);
          for (const b of world.nodes) {
            const there = graph.distance(graph.place(a.id), graph.place(b.id));
            const back = graph.distance(graph.place(b.id), graph.place(a.id));
            if (there === Number.POSITIVE_INFINITY) expect(back).toBe(there);
            else expect(back).toBeCloseTo(there, 12);
          }
        }
      }),
    );
  });

  it("distances on a navigation graph do not depend on earlier queries", () => {
    fc.assert(
      fc.property(drawn, fc.nat(), (world, start) => {
        const asked = build(world);
        const ids = world.nodes.map((node) => node.id);
        for (const id of ids) asked.shortestPath(id, ids[start % ids.length] ?? id);
        for (const a of ids) {
          for (const b of ids) {
            const fresh = build(world);
            expect(asked.distance(asked.place(a), asked.place(b))).toBe(
              fresh.distance(fresh.place(a), fresh.place(b)),
            );
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("a shortest path", () => {
  it("a shortest path follows edges from start to end and is as long as the distance", () => {
    fc.assert(
      fc.property(drawn, (world) => {
        const graph = build(world);
        for (const { id: from } of world.nodes) {
          for (const { id: to } of world.nodes) {
            const path = graph.shortestPath(from, to);
            const distance = graph.distance(graph.place(from), graph.place(to));
            if (distance === Number.POSITIVE_INFINITY) {
              expect(path).toEqual([]);
              continue;
            }
            expect([path[0], path.at(-1)]).toEqual([from, to]);
            let length = 0;
            for (const [i, node] of path.slice(1).entries()) {
              const before = path[i] ?? "";
              expect(graph.adjacent(before, node)).toBe(true);
              length += distance3(graph.position(before), graph.position(node));
            }
            expect(length).toBeCloseTo(distance, 9);
          }
        }
      }),
    );
  });

  it("the shortest path from a node to itself is that node", () => {
    const graph = new NavGraph("g", [{ id: "a", position: [0, 0, 0] }], []);
    expect(graph.shortestPath("a", "a")).toEqual(["a"]);
  });
});

const square = new NavGraph(
  "square",
  [
    { id: "a", position: [0, 0, 0] },
    { id: "b", position: [1, 0, 0] },
    { id: "c", position: [1, 0, 1] },
  ],
  [
    [0, 1],
    [1, 0],
    [0, 1],
    [2, 1],
  ],
);

describe("a navigation graph", () => {
  it("a navigation graph treats edges as undirected and ignores duplicates", () => {
    expect(square.neighbours("a")).toEqual(["b"]);
    expect(square.neighbours("b")).toEqual(["a", "c"]);
    expect(square.adjacent("b", "c")).toBe(true);
    expect(square.adjacent("a", "c")).toBe(false);
    expect(square.size).toBe(3);
    expect(square.has("d")).toBe(false);
  });

  it("a navigation graph finds the node of a place by name, else by exact position", () => {
    expect(square.locate({ position: [9, 9, 9], node: "c" })).toBe("c");
    expect(square.locate({ position: [1, 0, 0] })).toBe("b");
  });

  it("a navigation graph rejects a position that is not exactly on a node", () => {
    const near: Vec3 = [1, 0, 1e-9];
    expect(() => square.locate({ position: near })).toThrow(DataError);
    try {
      square.locate({ position: near });
    } catch (error) {
      expect(error).toMatchObject({ code: "off_graph" });
      expect(String(error)).toContain("graph square is at [1, 0, 1e-9]");
    }
  });

  it("a navigation graph rejects an unknown node, and suggests the closest name if the graph is small", () => {
    try {
      square.locate({ position: [0, 0, 0], node: "B" });
      throw new Error("found");
    } catch (error) {
      expect(error).toMatchObject({
        code: "unknown_node",
        hint: 'did you mean "b"? valid: a, b, c',
      });
    }
    for (const ask of [
      () => square.position("x"),
      () => square.neighbours("x"),
      () => square.adjacent("a", "x"),
      () => square.shortestPath("x", "a"),
      () => square.distance(square.place("a"), { position: [0, 0, 0], node: "x" }),
    ]) {
      expect(ask).toThrow('graph square has no node "x"');
    }
  });

  it("a navigation graph rejects two nodes with the same name", () => {
    const twin = { id: "a", position: [0, 0, 0] as const };
    expect(() => new NavGraph("g", [twin, twin], [])).toThrow("has the node a twice");
  });
});

describe("distanceToAny", () => {
  const straight = (a: { position: Vec3 }, b: { position: Vec3 }) =>
    distance3(a.position, b.position);

  it("distanceToAny is the distance to the nearest place, and Infinity for an empty list", () => {
    const here = square.place("a");
    expect(distanceToAny(straight, here, [square.place("c"), square.place("b")])).toBe(1);
    expect(distanceToAny(straight, here, [])).toBe(Number.POSITIVE_INFINITY);
  });
});
