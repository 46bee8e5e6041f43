import type { TriangleMesh } from "../scenes/model.js";

/**
 * The same triangles with each triangle's own normal at its vertices. A vertex is split where triangles with
 * different normals meet; coplanar neighbours share it.
 */
export function withFlatNormals(mesh: TriangleMesh): TriangleMesh {
  const { positions, indices } = mesh;
  const source: number[] = [];
  const normals: number[] = [];
  const split = new Uint32Array(indices.length);
  // For each vertex of the mesh, the copies made so far, as a linked list.
  const newest = new Int32Array(positions.length / 3).fill(-1);
  const older: number[] = [];
  const normal = new Float64Array(3);
  for (let i = 0; i < indices.length; i += 3) {
    faceNormal(positions, indices, i, normal);
    for (let corner = i; corner < i + 3; corner++) {
      const vertex = indices[corner] as number;
      let copy = newest[vertex] as number;
      while (copy >= 0 && !isAlong(normals, copy, normal)) copy = older[copy] as number;
      if (copy < 0) {
        copy = source.length;
        source.push(vertex);
        normals.push(normal[0] as number, normal[1] as number, normal[2] as number);
        older.push(newest[vertex] as number);
        newest[vertex] = copy;
      }
      split[corner] = copy;
    }
  }
  return {
    positions: gather(positions, source, 3, new Float32Array(source.length * 3)),
    indices: split,
    normals: Float32Array.from(normals),
    ...(mesh.uvs && { uvs: gather(mesh.uvs, source, 2, new Float32Array(source.length * 2)) }),
    ...(mesh.colors && {
      colors: gather(mesh.colors, source, 4, new Uint8Array(source.length * 4)),
    }),
  };
}

/** Copies `size` numbers per vertex, in the order of `source`. */
export function gather<T extends Float32Array | Uint8Array>(
  from: T,
  source: readonly number[],
  size: number,
  to: T,
): T {
  let next = 0;
  for (const vertex of source) {
    for (let k = 0; k < size; k++) to[next++] = from[vertex * size + k] as number;
  }
  return to;
}

function faceNormal(
  positions: Float32Array,
  indices: Uint32Array,
  first: number,
  out: Float64Array,
): void {
  const [a, b, c] = [0, 1, 2].map((k) => (indices[first + k] as number) * 3) as [
    number,
    number,
    number,
  ];
  const edge = (to: number, axis: number) =>
    (positions[to + axis] as number) - (positions[a + axis] as number);
  let length2 = 0;
  for (let axis = 0; axis < 3; axis++) {
    const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
    const value = edge(b, next) * edge(c, last) - edge(b, last) * edge(c, next);
    out[axis] = value;
    length2 += value * value;
  }
  const scale = length2 > 0 ? 1 / Math.sqrt(length2) : 0;
  for (let axis = 0; axis < 3; axis++) out[axis] = (out[axis] as number) * scale;
}

function isAlong(normals: readonly number[], vertex: number, normal: Float64Array): boolean {
  const [x, y, z] = [normals[vertex * 3], normals[vertex * 3 + 1], normals[vertex * 3 + 2]];
  const dot =
    (x as number) * (normal[0] as number) +
    (y as number) * (normal[1] as number) +
    (z as number) * (normal[2] as number);
  return dot > 0.9999;
}
