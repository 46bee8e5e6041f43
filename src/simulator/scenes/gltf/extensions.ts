import type { GLTF } from "@gltf-transform/core";
import { DataError } from "../../../core/errors.js";

/** Extensions that are supported, or that do not affect shape and base colour. */
const SUPPORTED =
  /^(KHR_materials_\w+|KHR_lights_\w+|KHR_texture_(basisu|transform)|KHR_mesh_quantization|EXT_texture_webp|KHR_xmp\w*|KHR_node_visibility|MSFT_lod|KHR_animation_pointer|EXT_lights_\w+)$/;

const COMPRESSION: Readonly<Record<string, string>> = {
  KHR_draco_mesh_compression: "Draco",
  EXT_meshopt_compression: "meshopt",
  KHR_meshopt_compression: "meshopt",
};

/**
 * Rejects compressed geometry and unknown required extensions. Unknown optional ones are ignored, as glTF
 * requires.
 */
export function checkExtensions(json: GLTF.IGLTF, file: string): void {
  for (const name of Object.keys(COMPRESSION)) {
    if (
      json.extensionsRequired?.includes(name) ||
      (json.extensionsUsed?.includes(name) && lacksPositions(json))
    ) {
      throw new DataError(
        "unsupported_compression",
        `the scene's geometry is compressed with ${COMPRESSION[name]} (${name}), which is not supported`,
        {
          where: file,
          hint:
            "decompress it once with glTF-Transform: " +
            "npx @gltf-transform/cli copy in.glb out.glb",
        },
      );
    }
  }
  const strange = (json.extensionsRequired ?? []).filter(
    (name) => !SUPPORTED.test(name) && !(name in COMPRESSION),
  );
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

/** True if positions have no buffer view, which occurs only in compressed files. */
function lacksPositions(json: GLTF.IGLTF): boolean {
  return (json.meshes ?? []).some((mesh) =>
    mesh.primitives.some((primitive) => {
      const accessor = json.accessors?.[primitive.attributes.POSITION ?? -1];
      return accessor !== undefined && accessor.bufferView === undefined && !accessor.sparse;
    }),
  );
}
