import type { MjModel } from "@mujoco/mujoco";
import { DataError } from "../../../../core/errors.js";

/** The faces of a mesh's convex hull. */
export interface MeshPolygons {
  /** Numbers of the mesh's vertices, in order around each polygon. */
  readonly vertices: readonly (readonly number[])[];
  /** Normal of each polygon; null stands for a number that is not finite, as in degenerate polygons of MuJoCo 3.3. */
  readonly normals: readonly (readonly (number | null)[])[];
}

/**
 * Gives the meshes of a compiled model their polygons in another order.
 *
 * MuJoCo's compiler collects them in a hash table (`mjCMesh::MakePolygons`), so that their order depends on the C++ library it was
 * built with. Where a mesh has several candidates for a flat contact, the first is taken. The same model compiled by another build
 * therefore has other contacts in the same state.
 *
 * @param meshes for each mesh of the model; empty for those without a hull
 * @throws DataError if they are not polygons of these meshes; the model is deleted then
 */
export function setPolygons(model: MjModel, meshes: readonly MeshPolygons[], where: string): void {
  try {
    replacePolygons(model, meshes, where);
  } catch (error) {
    model.delete();
    throw error;
  }
}

function replacePolygons(model: MjModel, meshes: readonly MeshPolygons[], where: string): void {
  const arrays = arraysOf(model);
  const { counts, sizes, vertexCounts, mapSizes } = arrays;
  if (meshes.length !== counts.length) {
    throw bad(
      `there are polygons of ${meshes.length} meshes; the model has ${counts.length}`,
      where,
    );
  }
  // MuJoCo reserves memory for the largest polygon and for the most polygons at a vertex.
  const limits = { size: largest(sizes), perVertex: largest(mapSizes) };
  let polygon = 0;
  let corner = 0;
  for (const [mesh, { vertices, normals }] of meshes.entries()) {
    const own = sizes.subarray(polygon, polygon + (counts[mesh] ?? 0));
    const maps = polygonsAt(vertices, vertexCounts[mesh] ?? 0);
    const problem = problemOf({ vertices, normals }, own, maps, limits);
    if (problem) throw bad(`mesh ${mesh} ${problem}`, where);
    let at = corner;
    for (const [i, around] of vertices.entries()) {
      arrays.starts[polygon + i] = at;
      sizes[polygon + i] = around.length;
      arrays.corners.set(around, at);
      arrays.normals.set(
        (normals[i] ?? []).map((value) => value ?? Number.NaN),
        3 * (polygon + i),
      );
      at += around.length;
    }
    let mapped = corner;
    for (const [i, numbers] of maps.entries()) {
      const vertex = (arrays.vertexStarts[mesh] ?? 0) + i;
      arrays.mapStarts[vertex] = mapped;
      mapSizes[vertex] = numbers.length;
      arrays.map.set(numbers, mapped);
      mapped += numbers.length;
    }
    polygon += vertices.length;
    corner = at;
  }
}

function arraysOf(model: MjModel) {
  const int = (name: keyof MjModel): Int32Array => {
    const found: unknown = model[name];
    return found instanceof Int32Array ? found : new Int32Array();
  };
  const normals: unknown = model.mesh_polynormal;
  return {
    counts: int("mesh_polynum"),
    starts: int("mesh_polyvertadr"),
    sizes: int("mesh_polyvertnum"),
    corners: int("mesh_polyvert"),
    normals: normals instanceof Float64Array ? normals : new Float64Array(),
    vertexStarts: int("mesh_vertadr"),
    vertexCounts: int("mesh_vertnum"),
    /** For each vertex of the model, the polygons at it. */
    mapStarts: int("mesh_polymapadr"),
    mapSizes: int("mesh_polymapnum"),
    map: int("mesh_polymap"),
  };
}

/** For each vertex of a mesh, the numbers of its polygons, as MuJoCo orders them. */
function polygonsAt(
  vertices: readonly (readonly number[])[],
  vertexCount: number,
): readonly (readonly number[])[] {
  const maps = Array.from({ length: vertexCount }, (): number[] => []);
  for (const [polygon, around] of vertices.entries()) {
    for (const vertex of around) maps[vertex]?.push(polygon);
  }
  return maps;
}

function problemOf(
  { vertices, normals }: MeshPolygons,
  own: Int32Array,
  maps: readonly (readonly number[])[],
  limits: { readonly size: number; readonly perVertex: number },
): string | undefined {
  if (vertices.length !== own.length || normals.length !== own.length) {
    return `has ${own.length} polygons, not ${vertices.length} with ${normals.length} normals`;
  }
  const corners = own.reduce((sum, size) => sum + size, 0);
  const given = vertices.reduce((sum, { length }) => sum + length, 0);
  if (given !== corners) return `has polygons of ${corners} vertices in all, not ${given}`;
  const unknown = vertices.flat().find((vertex) => maps[vertex] === undefined);
  if (unknown !== undefined) return `has ${maps.length} vertices, and no vertex ${unknown}`;
  const size = vertices.find(({ length }) => length < 3 || length > limits.size)?.length;
  if (size !== undefined) return `has no polygon with ${size} vertices`;
  const most = maps.reduce((so, { length }) => Math.max(so, length), 0);
  return most > limits.perVertex ? `has no vertex at ${most} polygons` : undefined;
}

function largest(values: Int32Array): number {
  return values.reduce((so, value) => Math.max(so, value), 0);
}

function bad(problem: string, where: string): DataError {
  return new DataError("bad_polygons", problem, {
    where,
    hint: "write the world again with python -m robot_eval_client.freeze and the version of MuJoCo that plays it",
  });
}
