import type { Primitive } from "@gltf-transform/core";
import { DataError } from "../../../core/errors.js";
import type { TriangleMesh } from "../model.js";
import { floats } from "./mesh.js";
import type { Transform } from "./transform.js";

/**
 * A skinned mesh in the pose of its joints. Each vertex is moved by the mean of its bones' matrices, weighted
 * by its weights.
 */
export function skinned(
  mesh: TriangleMesh,
  primitive: Primitive,
  bones: readonly Transform[],
  where: string,
): TriangleMesh {
  const count = mesh.positions.length / 3;
  const sets = influences(primitive, count);
  if (sets.length === 0) return mesh;
  const positions = new Float32Array(mesh.positions.length);
  const normals = mesh.normals && new Float32Array(mesh.normals.length);
  const matrix = new Float64Array(16);
  for (let v = 0; v < count; v++) {
    blend(matrix, sets, v, bones, where);
    apply(matrix, mesh.positions, v * 3, 1, positions);
    if (mesh.normals && normals) apply(matrix, mesh.normals, v * 3, 0, normals);
  }
  return { ...mesh, positions, ...(normals && { normals: normalised(normals) }) };
}

interface Influences {
  readonly joints: Float32Array;
  readonly weights: Float32Array;
}

/** Sets of four joints per vertex: JOINTS_0 with WEIGHTS_0, JOINTS_1 with WEIGHTS_1, ... */
function influences(primitive: Primitive, count: number): Influences[] {
  const out: Influences[] = [];
  for (let set = 0; ; set++) {
    const joints = primitive.getAttribute(`JOINTS_${set}`);
    const weights = primitive.getAttribute(`WEIGHTS_${set}`);
    if (joints?.getCount() !== count || weights?.getCount() !== count) return out;
    out.push({ joints: floats(joints), weights: floats(weights) });
  }
}

function blend(
  out: Float64Array,
  sets: readonly Influences[],
  vertex: number,
  bones: readonly Transform[],
  where: string,
): void {
  out.fill(0);
  let total = 0;
  for (const { joints, weights } of sets) {
    for (let k = vertex * 4; k < vertex * 4 + 4; k++) {
      const weight = weights[k] as number;
      if (weight === 0) continue;
      const bone = bones[joints[k] as number];
      if (!bone) {
        throw new DataError(
          "bad_geometry",
          `vertex ${vertex} follows joint ${joints[k]}, but the skin has ${bones.length} joints`,
          { where, hint: "the file is damaged: export or download it again" },
        );
      }
      total += weight;
      for (let i = 0; i < 16; i++) out[i] = (out[i] as number) + weight * (bone[i] as number);
    }
  }
  // Quantised weights do not add up to exactly 1.
  for (let i = 0; i < 16; i++) out[i] = (out[i] as number) / (total || 1);
}

/** Transforms a point (`w` 1) or a direction (`w` 0). */
function apply(m: Float64Array, from: Float32Array, at: number, w: 0 | 1, out: Float32Array): void {
  const [x, y, z] = [from[at] as number, from[at + 1] as number, from[at + 2] as number];
  for (let row = 0; row < 3; row++) {
    out[at + row] =
      (m[row] as number) * x +
      (m[4 + row] as number) * y +
      (m[8 + row] as number) * z +
      (m[12 + row] as number) * w;
  }
}

function normalised(vectors: Float32Array): Float32Array {
  for (let i = 0; i < vectors.length; i += 3) {
    const [x, y, z] = [vectors[i] as number, vectors[i + 1] as number, vectors[i + 2] as number];
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    for (let k = 0; k < 3; k++) vectors[i + k] = (vectors[i + k] as number) / length;
  }
  return vectors;
}
