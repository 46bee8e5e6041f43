import type { MjModel } from "@mujoco/mujoco";
import type { GlMesh } from "../../../render/mujoco/scene.js";
import { sharedSurface } from "../../../render/mujoco/shared-surface.js";

/** Vertices whose normal differs more than this (cosine) from the face's are drawn with the face's. */
const SMOOTH = 0.8;

/** A mesh and the image coordinates it comes with. */
export type DrawnMesh = GlMesh & { readonly uvs?: Float32Array | undefined };

/** A mesh of the model as MuJoCo draws it (`mjr_uploadMesh`), in the frame of its geoms. */
export function drawnMesh(model: MjModel, mesh: number): DrawnMesh {
  const first: number = model.mesh_faceadr[mesh];
  const count: number = model.mesh_facenum[mesh];
  const corners = (array: Int32Array) => array.subarray(3 * first, 3 * (first + count));
  const vertexOf = corners(model.mesh_face);
  const normalOf = corners(model.mesh_facenormal);
  const uvOf = corners(model.mesh_facetexcoord);
  const uvStart: number = model.mesh_texcoordadr[mesh];
  const hasUvs = uvStart >= 0;
  const vertices: Float32Array = model.mesh_vert.subarray(3 * model.mesh_vertadr[mesh]);
  const normals: Float32Array = model.mesh_normal.subarray(3 * model.mesh_normaladr[mesh]);
  const texcoords: Float32Array = model.mesh_texcoord.subarray(2 * Math.max(0, uvStart));
  const most = 3 * count;
  const out = {
    positions: new Float32Array(3 * most),
    normals: new Float32Array(3 * most),
    uvs: new Float32Array(hasUvs ? 2 * most : 0),
    faces: new Uint32Array(most),
  };
  const normalCount: number = model.mesh_normalnum[mesh];
  const uvCount: number = Math.max(1, model.mesh_texcoordnum[mesh]);
  const known = new Map<number, number>();
  const face = new Float64Array(3);
  let used = 0;
  for (let corner = 0; corner < most; corner++) {
    if (corner % 3 === 0 && !hasUvs) faceNormal(vertices, vertexOf, corner, face);
    const v = vertexOf[corner] as number;
    const n = normalOf[corner] as number;
    const uv = hasUvs ? (uvOf[corner] as number) : 0;
    const isSmooth = hasUvs || dot(normals, 3 * n, face) >= SMOOTH;
    const key = isSmooth ? (v * normalCount + n) * uvCount + uv : -1;
    let index = isSmooth ? known.get(key) : undefined;
    if (index === undefined) {
      index = used++;
      if (isSmooth) known.set(key, index);
      out.positions.set(vertices.subarray(3 * v, 3 * v + 3), 3 * index);
      out.normals.set(isSmooth ? normals.subarray(3 * n, 3 * n + 3) : face, 3 * index);
      if (hasUvs) out.uvs.set(texcoords.subarray(2 * uv, 2 * uv + 2), 2 * index);
    }
    out.faces[corner] = index;
  }
  const positions = out.positions.slice(0, 3 * used);
  return {
    positions,
    normals: out.normals.slice(0, 3 * used),
    faces: out.faces,
    uvs: hasUvs ? out.uvs.slice(0, 2 * used) : undefined,
    shared: sharedSurface({ positions, faces: out.faces }),
  };
}

/** A height field as MuJoCo draws it (`mjr_uploadHField`): flat triangles, sides and a bottom. */
export function drawnHeightField(model: MjModel, field: number): GlMesh {
  const rows: number = model.hfield_nrow[field];
  const columns: number = model.hfield_ncol[field];
  const start: number = model.hfield_adr[field];
  const [halfX = 0, halfY = 0, top = 0, base = 0]: number[] = [
    ...model.hfield_size.subarray(4 * field, 4 * field + 4),
  ];
  const heights: Float32Array = model.hfield_data;
  const positions: number[] = [];
  const point = (row: number, column: number): Point => [
    halfX * ((2 * column) / (columns - 1) - 1),
    halfY * ((2 * row) / (rows - 1) - 1),
    top * (heights[start + row * columns + column] as number),
  ];
  const triangle = (a: Point, b: Point, c: Point) => positions.push(...a, ...b, ...c);
  const low = ([x, y]: Point): Point => [x, y, -base];
  const wall = (from: Point, to: Point) => {
    triangle(low(from), low(to), from);
    triangle(low(to), to, from);
  };
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const [a, b] = [point(row + 1, column), point(row, column)];
      const [c, d] = [point(row + 1, column + 1), point(row, column + 1)];
      triangle(a, b, c);
      triangle(b, d, c);
    }
    wall(point(row + 1, 0), point(row, 0));
    wall(point(row, columns - 1), point(row + 1, columns - 1));
  }
  for (let column = 0; column + 1 < columns; column++) {
    wall(point(0, column), point(0, column + 1));
    wall(point(rows - 1, column + 1), point(rows - 1, column));
  }
  const [a, b, c, d]: Point[] = [
    [-halfX, -halfY, -base],
    [-halfX, halfY, -base],
    [halfX, halfY, -base],
    [halfX, -halfY, -base],
  ];
  if (a && b && c && d) {
    triangle(a, b, d);
    triangle(b, c, d);
  }
  return flatMesh(Float32Array.from(positions));
}

type Point = readonly [number, number, number];

/** Triangles that share no vertices. */
function flatMesh(positions: Float32Array): GlMesh {
  const normals = new Float32Array(positions.length);
  const faces = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  const normal = new Float64Array(3);
  for (let corner = 0; corner < faces.length; corner++) {
    if (corner % 3 === 0) faceNormal(positions, faces, corner, normal);
    normals.set(normal, 3 * corner);
  }
  return { positions, normals, faces };
}

function faceNormal(
  vertices: Float32Array,
  faces: Int32Array | Uint32Array,
  corner: number,
  out: Float64Array,
): void {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * (faces[corner + k] as number)) as [
    number,
    number,
    number,
  ];
  const edge = (to: number, k: number) =>
    (vertices[to + k] as number) - (vertices[a + k] as number);
  const [ux, uy, uz] = [edge(b, 0), edge(b, 1), edge(b, 2)];
  const [vx, vy, vz] = [edge(c, 0), edge(c, 1), edge(c, 2)];
  const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(...n);
  out.set(length < 1e-10 ? [0, 0, 1] : n.map((value) => value / length));
}

function dot(array: Float32Array, at: number, vector: Float64Array): number {
  return (
    (array[at] as number) * (vector[0] as number) +
    (array[at + 1] as number) * (vector[1] as number) +
    (array[at + 2] as number) * (vector[2] as number)
  );
}
