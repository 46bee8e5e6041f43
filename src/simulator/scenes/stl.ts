import { basename } from "node:path";
import { DataError } from "../../core/errors.js";
import type { SceneDraft } from "./draft.js";
import { checkFinite } from "./gltf/mesh.js";
import { readSceneFile } from "./scene-file.js";

const HEADER_BYTES = 84;
const TRIANGLE_BYTES = 50;

/** Reads an STL mesh, binary or text: triangles without colours, as in URDF models of robots. */
export async function readStl(file: string): Promise<SceneDraft> {
  const bytes = await readSceneFile(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEADER_BYTES ? view.getUint32(80, true) : -1;
  // A binary file may start with the word `solid` as well, so its length decides.
  const isBinary = count >= 0 && bytes.length >= HEADER_BYTES + count * TRIANGLE_BYTES;
  const positions = isBinary ? binary(view, count) : text(bytes, file);
  checkFinite(positions, file);
  const mesh = {
    positions,
    indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
  };
  const material = { name: "default", color: [0.7, 0.7, 0.7, 1] as const };
  return {
    parts: mesh.indices.length > 0 ? [{ mesh, material, instance: 0 }] : [],
    instances: [{ name: basename(file), category: "unknown" }],
    warnings: [],
    files: [file],
  };
}

function binary(view: DataView, count: number): Float32Array {
  const positions = new Float32Array(count * 9);
  for (let i = 0; i < positions.length; i++) {
    const triangle = HEADER_BYTES + Math.floor(i / 9) * TRIANGLE_BYTES;
    // The first three numbers of a triangle are its normal.
    positions[i] = view.getFloat32(triangle + 12 + (i % 9) * 4, true);
  }
  return positions;
}

function text(bytes: Uint8Array, file: string): Float32Array {
  const content = new TextDecoder().decode(bytes);
  const numbers = [...content.matchAll(/\bvertex\s+(\S+)\s+(\S+)\s+(\S+)/g)].flatMap(
    ([, x, y, z]) => [Number(x), Number(y), Number(z)],
  );
  if (/^\s*solid\b/.test(content) && numbers.length % 9 === 0) return Float32Array.from(numbers);
  throw new DataError(
    "bad_geometry",
    "not a readable STL file: it is truncated or another format",
    {
      where: file,
      hint: "export or download it again",
    },
  );
}
