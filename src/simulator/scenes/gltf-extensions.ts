import type { GLTF } from "@gltf-transform/core";
import { DataError } from "../../core/errors.js";

/** Extensions that are read here, or that change nothing about shape and base colour. */
const HARMLESS =
  /^(KHR_materials_\w+|KHR_lights_\w+|KHR_texture_(basisu|transform)|KHR_mesh_quantization|EXT_texture_webp|KHR_xmp\w*|KHR_node_visibility|MSFT_lod|KHR_animation_pointer|EXT_lights_\w+)$/;

const COMPRESSION: Readonly<Record<string, string>> = {
  KHR_draco_mesh_compression: "Draco",
  EXT_meshopt_compression: "meshopt",
  KHR_meshopt_compression: "meshopt",
};

/**
 * Refuses what cannot be read rightly: compressed geometry, and required extensions that are unknown.
 * Optional ones that are unknown are ignored, as glTF demands.
 */
export function checkExtensions(json: GLTF.IGLTF, file: string): void {
  for (const name of Object.keys(COMPRESSION)) {
    if (
      json.extensionsRequired?.includes(name) ||
      (json.extensionsUsed?.includes(name) && bare(json))
    ) {
      throw new DataError(
        "unsupported_compression",
        `its geometry is compressed with ${COMPRESSION[name]} (${name}), which is not read here`,
        {
          where: file,
          hint:
            "decompress it once, with glTF-Transform's command line: " +
            "npx @gltf-transform/cli copy in.glb out.glb",
        },
      );
    }
  }
  const strange = (json.extensionsRequired ?? []).filter(
    (name) => !HARMLESS.test(name) && !(name in COMPRESSION),
  );
  if (strange.length > 0) {
    throw new DataError("unsupported_extension", `it requires ${strange.join(", ")}`, {
      where: file,
      hint: "export the scene without that; plain glTF 2.0 with PNG or JPEG textures is readable",
    });
  }
}

/** Positions without bytes of their own: only the compressed form has them. */
function bare(json: GLTF.IGLTF): boolean {
  return (json.meshes ?? []).some((mesh) =>
    mesh.primitives.some((primitive) => {
      const accessor = json.accessors?.[primitive.attributes.POSITION ?? -1];
      return accessor !== undefined && accessor.bufferView === undefined && !accessor.sparse;
    }),
  );
}
