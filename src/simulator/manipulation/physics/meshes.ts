import type { MjModel } from "@mujoco/mujoco";
import type { TriangleMesh } from "../../scenes/model.js";

/**
 * A mesh of a model, in the frame of its geoms (the compiler moves meshes to their centre of mass). MuJoCo indexes
 * vertices, normals and texture coordinates separately; corners that share all three become one vertex.
 */
export function meshOf(model: MjModel, mesh: number): TriangleMesh {
  const first: number = model.mesh_faceadr[mesh];
  const faces: number = model.mesh_facenum[mesh];
  const corners = (array: Int32Array) => array.subarray(3 * first, 3 * (first + faces));
  const vertex = corners(model.mesh_face);
  const normal = corners(model.mesh_facenormal);
  const texture = corners(model.mesh_facetexcoord);
  const textureStart: number = model.mesh_texcoordadr[mesh];
  const textured = textureStart >= 0 && model.mesh_texcoordnum[mesh] > 0;
  const known = new Map<string, number>();
  const kept: number[] = [];
  const indices = new Uint32Array(vertex.length);
  for (let corner = 0; corner < vertex.length; corner++) {
    const key = `${vertex[corner]} ${normal[corner]} ${textured ? texture[corner] : ""}`;
    let index = known.get(key);
    if (index === undefined) {
      index = kept.length;
      kept.push(corner);
      known.set(key, index);
    }
    indices[corner] = index;
  }
  const gather = (array: Float32Array, start: number, of: Int32Array, width: number) => {
    const out = new Float32Array(width * kept.length);
    for (const [i, corner] of kept.entries()) {
      const at = width * (start + (of[corner] as number));
      out.set(array.subarray(at, at + width), width * i);
    }
    return out;
  };
  return {
    positions: gather(model.mesh_vert, model.mesh_vertadr[mesh], vertex, 3),
    indices,
    normals: gather(model.mesh_normal, model.mesh_normaladr[mesh], normal, 3),
    ...(textured ? { uvs: gather(model.mesh_texcoord, textureStart, texture, 2) } : {}),
  };
}

/** The surface of a height field: a grid over x and y, with rows along y. */
export function heightFieldMesh(model: MjModel, field: number): TriangleMesh {
  const rows: number = model.hfield_nrow[field];
  const columns: number = model.hfield_ncol[field];
  const start: number = model.hfield_adr[field];
  const [halfX, halfY, height] = model.hfield_size.subarray(4 * field, 4 * field + 3);
  const heights: Float32Array = model.hfield_data;
  const positions = new Float32Array(3 * rows * columns);
  const indices: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      positions[3 * at] = halfX * ((2 * column) / (columns - 1) - 1);
      positions[3 * at + 1] = halfY * ((2 * row) / (rows - 1) - 1);
      positions[3 * at + 2] = height * (heights[start + at] as number);
      if (row === 0 || column === 0) continue;
      const [right, left, nearRight, nearLeft] = [at, at - 1, at - columns, at - columns - 1];
      indices.push(nearLeft, nearRight, right, nearLeft, right, left);
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}
