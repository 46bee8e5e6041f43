import type { GLTF } from "@gltf-transform/core";
import { DataError } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";

/** Extensions that are supported, or that do not affect shape and colour. */
const SUPPORTED =
  /^(KHR_materials_\w+|KHR_lights_\w+|KHR_texture_(basisu|transform)|KHR_mesh_quantization|KHR_draco_mesh_compression|(EXT|KHR)_meshopt_compression|EXT_mesh_gpu_instancing|EXT_texture_webp|GOOGLE_texture_basis|KHR_xmp\w*|KHR_node_visibility|MSFT_lod|KHR_animation_pointer|EXT_lights_\w+)$/;

/** Rejects unknown required extensions. Unknown optional ones are ignored, as glTF requires. */
export function checkExtensions(json: GLTF.IGLTF, file: string): void {
  const strange = (json.extensionsRequired ?? []).filter((name) => !SUPPORTED.test(name));
  if (strange.length > 0) {
    throw new DataError(
      "unsupported_extension",
      `the scene requires unsupported extensions: ${strange.join(", ")}`,
      {
        where: file,
        hint: "export the scene without it, as plain glTF 2.0 with PNG or JPEG textures",
      },
    );
  }
}

/** The extension of an object of the JSON. */
export function extension(
  of: unknown,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const extensions = isRecord(of) ? of.extensions : undefined;
  const value = isRecord(extensions) ? extensions[name] : undefined;
  return isRecord(value) ? value : undefined;
}
