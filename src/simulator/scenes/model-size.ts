import type { SceneModel, Texture, TriangleMesh } from "./model.js";

interface ModelSize {
  readonly triangles: number;
  readonly textures: number;
  /** Bytes of the decoded textures. */
  readonly textureBytes: number;
  /** Bytes of the meshes and textures. */
  readonly bytes: number;
}

/** Counts triangles as often as they are placed; meshes and textures that parts share take memory once. */
export function modelSize({ parts, semanticParts = [] }: SizedModel): ModelSize {
  const meshes = new Set<TriangleMesh>();
  const textures = new Set<Texture>();
  for (const { mesh, material } of [...parts, ...semanticParts]) {
    meshes.add(mesh);
    if (material.texture) textures.add(material.texture);
  }
  const textureBytes = [...textures].reduce((sum, { data }) => sum + data.byteLength, 0);
  let bytes = textureBytes;
  for (const { positions, indices, normals, uvs, colors } of meshes) {
    for (const array of [positions, indices, normals, uvs, colors]) bytes += array?.byteLength ?? 0;
  }
  const triangles = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  return { triangles, textures: textures.size, textureBytes, bytes };
}

type SizedModel = Pick<SceneModel, "parts" | "semanticParts">;
