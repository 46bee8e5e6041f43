import type { GLTF } from "@gltf-transform/core";
import { DataError } from "../../../core/errors.js";

/** Most bytes of all accessors of a file together. */
const MAX_BYTES = 1024 ** 3;

/** Bytes per value of glTF's component types. */
const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};

/** Values per element of glTF's accessor types. */
export const COMPONENTS: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/**
 * The first range in the JSON that exceeds the file's bytes; undefined if there is none. Without this check,
 * such a range would return unrelated data or too few values.
 */
export function rangeProblem(json: GLTF.IGLTF): string | undefined {
  for (const [i, view] of (json.bufferViews ?? []).entries()) {
    const buffer = json.buffers?.[view.buffer];
    const start = view.byteOffset ?? 0;
    if (!buffer || !(start >= 0 && start + view.byteLength <= buffer.byteLength)) {
      return `buffer view ${i} exceeds its buffer`;
    }
  }
  for (const [i, accessor] of (json.accessors ?? []).entries()) {
    const components = COMPONENTS[accessor.type];
    const bytes = COMPONENT_BYTES[accessor.componentType];
    if (components === undefined || bytes === undefined) {
      return `accessor ${i} has the unknown type ${accessor.type} of ${accessor.componentType}`;
    }
    if (!Number.isInteger(accessor.count) || accessor.count < 0) {
      return `accessor ${i} has ${accessor.count} elements`;
    }
    if (accessor.bufferView === undefined) continue;
    const view = json.bufferViews?.[accessor.bufferView];
    const size = components * bytes;
    const last = (accessor.count - 1) * (view?.byteStride ?? size) + size;
    if (!view || (accessor.byteOffset ?? 0) + last > view.byteLength) {
      return `accessor ${i} exceeds its buffer view`;
    }
  }
  return undefined;
}

/**
 * Rejects a file whose accessors together decode to too much. Zero-filled and compressed accessors can
 * declare any size, and several may refer to the same bytes.
 */
export function checkGeometrySize(json: GLTF.IGLTF, file: string): void {
  const bytes = (json.accessors ?? []).reduce(
    (sum, { count, type, componentType }) =>
      sum + count * (COMPONENTS[type] ?? 0) * (COMPONENT_BYTES[componentType] ?? 0),
    0,
  );
  if (bytes <= MAX_BYTES) return;
  throw new DataError(
    "scene_too_large",
    `the scene's geometry decodes to ${bytes} bytes; at most ${MAX_BYTES} are supported`,
    {
      where: file,
      hint: "split the scene, or simplify it: npx @gltf-transform/cli simplify in.glb out.glb --ratio 0.25",
    },
  );
}
