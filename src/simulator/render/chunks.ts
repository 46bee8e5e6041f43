import { DataError } from "../../core/errors.js";
import type { TriangleMesh } from "../scenes/model.js";
import { type Box, emptyBox, growBox } from "./box.js";
import { gather } from "./flat-normals.js";

/** Neighbouring triangles with their own vertices, culled and drawn as a unit. */
export interface Chunk {
  /** In the part's own space. */
  readonly box: Box;
  readonly positions: Float32Array;
  /** Indices into this chunk's vertices. */
  readonly indices: Uint16Array;
  readonly normals: Float32Array | undefined;
  /**
   * u, v of each vertex. For a repeating texture, whole repeats are added, so that none is negative and
   * truncation rounds down.
   */
  readonly uvs: Float32Array | undefined;
  readonly colors: Uint8Array | undefined;
}

/**
 * Maximum number of triangles per chunk. Smaller chunks are culled more precisely but cost one test each.
 * Triangles without shared vertices have three each, which must fit 16-bit indices.
 */
const MAX_TRIANGLES = 96;

/** Splits a mesh into compact pieces by recursively halving it along its longest side. */
export function chunksOf(mesh: TriangleMesh, triangles: Uint32Array, repeats = true): Chunk[] {
  const centroids = centroidsOf(mesh);
  const vertexSlots = new Int32Array(mesh.positions.length / 3).fill(-1);
  const chunks: Chunk[] = [];
  const open: Uint32Array[] = [triangles];
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    if (piece.length === 0) continue;
    if (piece.length <= MAX_TRIANGLES) chunks.push(chunkOf(mesh, piece, vertexSlots, repeats));
    else open.push(...halves(piece, centroids));
  }
  return chunks;
}

/** Rejects triangles with missing vertices, which would otherwise be drawn incorrectly without an error. */
export function checkIndices(mesh: TriangleMesh, where: string): void {
  const count = mesh.positions.length / 3;
  for (const index of mesh.indices) {
    if (index >= count) {
      throw new DataError(
        "bad_mesh",
        `a triangle refers to vertex ${index}, but the mesh has ${count} vertices`,
        { where },
      );
    }
  }
}

function centroidsOf({ positions, indices }: TriangleMesh): Float64Array {
  const out = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        sum += positions[(indices[i + k] as number) * 3 + axis] as number;
      }
      out[i + axis] = sum / 3;
    }
  }
  return out;
}

function halves(piece: Uint32Array, centroids: Float64Array): [Uint32Array, Uint32Array] {
  const box = emptyBox();
  for (const t of piece) {
    growBox(
      box,
      centroids[t * 3] as number,
      centroids[t * 3 + 1] as number,
      centroids[t * 3 + 2] as number,
    );
  }
  const size = (axis: number) => (box[axis + 3] as number) - (box[axis] as number);
  let axis = 0;
  if (size(1) > size(axis)) axis = 1;
  if (size(2) > size(axis)) axis = 2;
  const middle = ((box[axis] as number) + (box[axis + 3] as number)) / 2;
  const lower = piece.filter((t) => (centroids[t * 3 + axis] as number) < middle);
  if (lower.length === 0 || lower.length === piece.length) {
    // All centroids coincide, so there is no place to cut: split the list.
    const half = piece.length >> 1;
    return [piece.subarray(0, half), piece.subarray(half)];
  }
  return [lower, piece.filter((t) => !((centroids[t * 3 + axis] as number) < middle))];
}

/** Copies triangles with their vertices. `slots` is scratch space, -1 everywhere before and after. */
function chunkOf(
  mesh: TriangleMesh,
  piece: Uint32Array,
  slots: Int32Array,
  repeats: boolean,
): Chunk {
  const source: number[] = [];
  const indices = new Uint16Array(piece.length * 3);
  const box = emptyBox();
  let next = 0;
  for (const triangle of piece) {
    for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) {
      const vertex = mesh.indices[corner] as number;
      let slot = slots[vertex] as number;
      if (slot < 0) {
        slot = source.length;
        slots[vertex] = slot;
        source.push(vertex);
      }
      indices[next++] = slot;
    }
  }
  for (const vertex of source) slots[vertex] = -1;
  const floats = (from: Float32Array, size: number) =>
    gather(from, source, size, new Float32Array(source.length * size));
  const positions = floats(mesh.positions, 3);
  const uvs = mesh.uvs && floats(mesh.uvs, 2);
  for (let i = 0; i < positions.length; i += 3) {
    growBox(box, positions[i] as number, positions[i + 1] as number, positions[i + 2] as number);
  }
  return {
    box,
    positions,
    indices,
    normals: mesh.normals && floats(mesh.normals, 3),
    uvs: uvs && repeats ? withoutNegatives(uvs) : uvs,
    colors: mesh.colors && gather(mesh.colors, source, 4, new Uint8Array(source.length * 4)),
  };
}

function withoutNegatives(uvs: Float32Array): Float32Array {
  for (let axis = 0; axis < 2; axis++) {
    let least = Number.POSITIVE_INFINITY;
    for (let i = axis; i < uvs.length; i += 2) least = Math.min(least, uvs[i] as number);
    const shift = Math.floor(least);
    for (let i = axis; i < uvs.length; i += 2) uvs[i] = (uvs[i] as number) - shift;
  }
  return uvs;
}
