import { readGltf } from "../../gltf/gltf.js";
import { multiply, type Transform, transformInto } from "../../gltf/transform.js";
import type { ScenePart, Texture, TriangleMesh } from "../../model.js";
import { toHabitat, Z_UP } from "../../orientation.js";
import { readAnnotatedPly } from "../../ply.js";
import { TextureBudget } from "../../texture-budget.js";

/** Triangles of one object: `positions` of three corners each. */
export type ObjectMeshes = ReadonlyMap<number, TriangleMesh>;

interface Labelled {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** The object of each triangle. */
  readonly ids: Int32Array;
}

/** Colours that no annotation names belong to the building. */
const BUILDING = -1;

/**
 * Splits a `_semantic.ply` by its object numbers. Such files have z up, whatever the scene's configuration
 * says: habitat-sim turns them all.
 */
export async function readPlyObjects(file: string): Promise<ObjectMeshes> {
  const { positions, indices, objectIds } = await readAnnotatedPly(file);
  const turned = new Float32Array(positions.length);
  transformInto(turned, 0, positions, toHabitat(Z_UP));
  return split([{ positions: turned, indices, ids: objectIds }]);
}

/** Textures are reduced only if they exceed this or the memory limit: reducing mixes the colours of neighbouring objects. */
const MAX_SIDE = 8192;

/**
 * Splits a `.semantic.glb` by its colours: those of its texture in the middle of a triangle, else of its
 * vertices.
 */
export async function readColouredObjects(
  file: string,
  colors: ReadonlyMap<number, number>,
  transform: Transform | undefined,
): Promise<{ objects: ObjectMeshes; files: readonly string[] }> {
  const { parts, files } = await readGltf(file, new TextureBudget({}, MAX_SIDE));
  const labelled = parts.map((part): Labelled => {
    const { mesh } = part;
    const positions = new Float32Array(mesh.positions.length);
    const own = part.transform;
    const placed = transform && own ? multiply(transform, own) : (transform ?? own);
    transformInto(positions, 0, mesh.positions, placed);
    const colorOf = colorReader(part);
    const ids = Int32Array.from(
      { length: mesh.indices.length / 3 },
      (_, triangle) => colors.get(colorOf(triangle)) ?? BUILDING,
    );
    return { positions, indices: mesh.indices, ids };
  });
  return { objects: split(labelled), files };
}

/** The colour of a triangle, 0xRRGGBB. */
function colorReader({ mesh, material }: ScenePart): (triangle: number) => number {
  const { indices, uvs, colors } = mesh;
  const { texture } = material;
  const corner = (triangle: number, k: number) => indices[triangle * 3 + k] as number;
  if (texture && uvs) {
    return (triangle) => {
      const uv = (axis: 0 | 1) =>
        [0, 1, 2].reduce((sum, k) => sum + (uvs[corner(triangle, k) * 2 + axis] as number) / 3, 0);
      return texel(texture, uv(0), uv(1));
    };
  }
  if (!colors) return () => BUILDING;
  return (triangle) => {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const at = corner(triangle, k) * 4;
      return (
        ((colors[at] as number) << 16) |
        ((colors[at + 1] as number) << 8) |
        (colors[at + 2] as number)
      );
    });
    return (b === c ? b : a) ?? BUILDING;
  };
}

function texel({ width, height, data }: Texture, u: number, v: number): number {
  const x = Math.min(width - 1, Math.floor((u - Math.floor(u)) * width));
  const y = Math.min(height - 1, Math.floor((v - Math.floor(v)) * height));
  const at = (y * width + x) * 4;
  return ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number);
}

function split(meshes: readonly Labelled[]): ObjectMeshes {
  const counts = new Map<number, number>();
  for (const { ids } of meshes) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const filled = new Map(
    [...counts].map(([id, n]) => [id, { at: 0, all: new Float32Array(n * 9) }]),
  );
  for (const { positions, indices, ids } of meshes) {
    for (const [triangle, id] of ids.entries()) {
      const target = filled.get(id);
      for (let k = 0; target && k < 3; k++) {
        const from = (indices[triangle * 3 + k] as number) * 3;
        target.all.set(positions.subarray(from, from + 3), target.at);
        target.at += 3;
      }
    }
  }
  return new Map(
    [...filled]
      .sort(([a], [b]) => a - b)
      .map(([id, { all }]) => [
        id,
        { positions: all, indices: Uint32Array.from({ length: all.length / 3 }, (_, i) => i) },
      ]),
  );
}
