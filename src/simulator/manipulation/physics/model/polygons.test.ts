import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Physics } from "../physics.js";
import type { MeshPolygons } from "./polygons.js";

interface Reference {
  readonly model: string;
  readonly meshes: readonly MeshPolygons[];
  readonly steps: number;
  readonly falls: readonly { readonly start: readonly number[]; readonly end: readonly number[] }[];
}

/** A stone whose nearly flat bottom has several facets falls on a box, by MuJoCo 3.14.0 for Python: python/tests/freeze/stone.py. */
const { model, meshes, steps, falls }: Reference = JSON.parse(
  readFileSync(
    new URL("../../../../../test/golden/mesh-polygons/stone.json", import.meta.url),
    "utf8",
  ),
);
const [stone = { vertices: [], normals: [] }] = meshes;

/** For each fall, the largest difference of a position from the reference at its end. */
async function errors(polygons: readonly MeshPolygons[] | undefined): Promise<number[]> {
  const physics = await Physics.create(model, { polygons });
  try {
    return falls.map(({ start, end }) => {
      physics.reset();
      physics.setPositions(start);
      physics.step(steps);
      const qpos = physics.wholeState().slice(1, 1 + end.length);
      return Math.max(...qpos.map((value, i) => Math.abs(value - (end[i] ?? Number.NaN))));
    });
  } finally {
    physics.dispose();
  }
}

describe("the order of a mesh's polygons", () => {
  it("a stone falls as in the build of MuJoCo whose order its polygons have", async () => {
    const found = await errors(meshes);
    expect(Math.max(...found)).toBeLessThan(1e-9);
    // The embedded build compiles the polygons in another order, so `setPolygons` has something to change.
    const own = await errors(undefined);
    expect(Math.max(...own)).toBeGreaterThan(1e-6);
  });

  it.each<[string, readonly MeshPolygons[], RegExp]>([
    ["of other meshes", [stone, stone], /polygons of 2 meshes; the model has 1/],
    [
      "without a polygon",
      [{ vertices: stone.vertices.slice(1), normals: stone.normals.slice(1) }],
      /mesh 0 has 32 polygons, not 31 with 31 normals/,
    ],
    [
      "without a normal",
      [{ ...stone, normals: stone.normals.slice(1) }],
      /has 32 polygons, not 32 with 31 normals/,
    ],
    [
      "with another number of vertices",
      [{ ...stone, vertices: stone.vertices.map((around, i) => (i === 0 ? [0, 1] : around)) }],
      /polygons of 114 vertices in all, not 112/,
    ],
    [
      "with a vertex that the mesh lacks",
      [{ ...stone, vertices: stone.vertices.map(([_, ...rest]) => [999, ...rest]) }],
      /has 27 vertices, and no vertex 999/,
    ],
    [
      "with more polygons at a vertex than the compiler found",
      [{ ...stone, vertices: stone.vertices.map((around) => around.map(() => 0)) }],
      /has no vertex at 114 polygons/,
    ],
  ])("a model rejects polygons %s", async (_, polygons, said) => {
    await expect(Physics.create(model, { polygons })).rejects.toThrow(said);
  });
});
