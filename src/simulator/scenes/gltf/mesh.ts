import type { Accessor, Primitive } from "@gltf-transform/core";
import { DataError } from "../../../core/errors.js";
import type { TriangleMesh } from "../model.js";
import { byte, toSrgb } from "../srgb.js";
import type { GltfMaterial, UvTransform } from "./material.js";

/** glTF's primitive modes with triangles. Points and lines have no surface. */
const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/** The triangles of a primitive; undefined if it has none. */
export function readMesh(
  primitive: Primitive,
  { uvSet, uvTransform, opaque }: GltfMaterial,
  where: string,
): TriangleMesh | undefined {
  const mode = primitive.getMode();
  const position = primitive.getAttribute("POSITION");
  if (!position || mode < TRIANGLES || mode > FAN) return undefined;
  const positions = floats(position);
  checkFinite(positions, where);
  const count = positions.length / 3;
  const indices = triangles(mode, primitive.getIndices(), count);
  checkRange(indices, count, where);
  if (indices.length === 0) return undefined;
  const normals = matching(primitive.getAttribute("NORMAL"), count, 3);
  const uvs = matching(primitive.getAttribute(`TEXCOORD_${uvSet}`), count, 2);
  const colors = primitive.getAttribute("COLOR_0");
  return {
    positions,
    indices,
    ...(normals && { normals }),
    ...(uvs && { uvs: uvTransform ? transformUvs(uvs, uvTransform) : uvs }),
    ...(colors?.getCount() === count && { colors: readColors(colors, count, opaque) }),
  };
}

function triangles(mode: number, accessor: Accessor | null, count: number): Uint32Array {
  const given = accessor?.getArray();
  const list = given ? Uint32Array.from(given) : Uint32Array.from({ length: count }, (_, i) => i);
  if (mode === TRIANGLES) return list.subarray(0, list.length - (list.length % 3));
  const out = new Uint32Array(Math.max(0, list.length - 2) * 3);
  for (let i = 0; i + 2 < list.length; i++) {
    // glTF 2.0, 3.7.2.1: triangle i of a strip is (i, i + 1 + i mod 2, i + 2 - i mod 2), that of a fan is (i
    // + 1, i + 2, 0).
    const corners = mode === STRIP ? [i, i + 1 + (i % 2), i + 2 - (i % 2)] : [i + 1, i + 2, 0];
    corners.forEach((corner, k) => {
      out[3 * i + k] = list[corner] as number;
    });
  }
  return out;
}

/** Converts any component type to floats; normalised integers map to 0..1 or -1..1. */
export function floats(accessor: Accessor): Float32Array {
  const array = accessor.getArray();
  if (array instanceof Float32Array) return array;
  const size = accessor.getElementSize();
  const out = new Float32Array(accessor.getCount() * size);
  const element: number[] = [];
  for (let i = 0; i < accessor.getCount(); i++) out.set(accessor.getElement(i, element), i * size);
  return out;
}

function matching(
  accessor: Accessor | null,
  count: number,
  size: number,
): Float32Array | undefined {
  if (accessor?.getCount() !== count || accessor.getElementSize() !== size) return undefined;
  return floats(accessor);
}

function readColors(accessor: Accessor, count: number, opaque: boolean): Uint8Array {
  const linear = floats(accessor);
  const size = accessor.getElementSize();
  const out = new Uint8Array(count * 4).fill(255);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) out[4 * i + k] = byte(toSrgb(linear[size * i + k] as number));
    if (size === 4 && !opaque) out[4 * i + 3] = byte(linear[4 * i + 3] as number);
  }
  return out;
}

/** KHR_texture_transform: scale, then rotation, then offset. */
function transformUvs(uvs: Float32Array, transform: UvTransform): Float32Array {
  const [ox = 0, oy = 0] = transform.offset;
  const [sx = 1, sy = 1] = transform.scale;
  const [sin, cos] = [Math.sin(transform.rotation), Math.cos(transform.rotation)];
  const out = new Float32Array(uvs.length);
  for (let i = 0; i < uvs.length; i += 2) {
    const u = (uvs[i] as number) * sx;
    const v = (uvs[i + 1] as number) * sy;
    out[i] = cos * u + sin * v + ox;
    out[i + 1] = cos * v - sin * u + oy;
  }
  return out;
}

export function checkFinite(positions: Float32Array, where: string): void {
  for (let i = 0; i < positions.length; i++) {
    if (!Number.isFinite(positions[i])) {
      throw new DataError(
        "bad_geometry",
        `vertex ${Math.floor(i / 3)} has the invalid coordinate ${positions[i]}`,
        { where, hint: "the exporter wrote invalid numbers: export the scene again" },
      );
    }
  }
}

function checkRange(indices: Uint32Array, count: number, where: string): void {
  const wrong = indices.find((index) => index >= count);
  if (wrong === undefined) return;
  throw new DataError(
    "bad_geometry",
    `a triangle refers to vertex ${wrong}, but the mesh has ${count} vertices`,
    {
      where,
      hint: "the file is damaged: export or download it again",
    },
  );
}
