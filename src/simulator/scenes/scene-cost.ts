import { DataError } from "../../core/errors.js";
import type { SceneModel } from "./model.js";

/** What a scene takes once it is decoded. */
export interface SceneCost {
  /** Counts each copy of an object. */
  readonly triangles: number;
  readonly textures: number;
  readonly textureBytes: number;
  /** Counts each mesh once. */
  readonly geometryBytes: number;
}

/** Triangles are those of the visible scene; memory includes a semantic mesh. */
export function sceneCost({
  parts,
  semanticParts = [],
}: Pick<SceneModel, "parts" | "semanticParts">): SceneCost {
  const textures = new Set<Uint8Array>();
  const all = [...parts, ...semanticParts];
  const meshes = new Set(all.map(({ mesh }) => mesh));
  for (const { material } of all) {
    for (const texture of [material.texture, material.emission?.texture]) {
      if (texture) textures.add(texture.data);
    }
  }
  return {
    triangles: parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0),
    textures: textures.size,
    textureBytes: sum(textures, ({ byteLength }) => byteLength),
    geometryBytes: sum(meshes, ({ positions, indices, normals, uvs, colors }) =>
      sum([positions, indices, normals, uvs, colors], (array) => array?.byteLength ?? 0),
    ),
  };
}

function sum<T>(list: Iterable<T>, value: (item: T) => number): number {
  let total = 0;
  for (const item of list) total += value(item);
  return total;
}

/** A triangle takes about 200 bytes in the renderer. */
const MAX_TRIANGLES = 10_000_000;

/** @throws DataError `scene_too_large` */
export function checkTriangles(triangles: number, where: string): void {
  if (triangles <= MAX_TRIANGLES) return;
  throw new DataError(
    "scene_too_large",
    `the scene has ${triangles} triangles or more, counting each copy of an object; at most ${MAX_TRIANGLES} are supported`,
    {
      where,
      hint: "split the scene, or simplify it: npx @gltf-transform/cli simplify in.glb out.glb --ratio 0.25",
    },
  );
}
