import type { MjModel } from "@mujoco/mujoco";
import type { GlMaterial } from "../../../render/mujoco/scene.js";
import { readHandle } from "../arrays.js";
import type { Mujoco } from "../mujoco.js";
import type { TextureReader } from "./textures.js";

/** A material with what its texture coordinates depend on. */
export interface DrawnMaterial {
  readonly material: GlMaterial;
  /** Undefined without material. */
  readonly texrepeat: readonly [number, number] | undefined;
  readonly texuniform: boolean;
}

/** MuJoCo's `mjv_initGeom`: what geoms without material have. */
const PLAIN = { emission: 0, specular: 0.5, shininess: 0.5, reflectance: 0 };
const DEFAULT_RGBA = [0.5, 0.5, 0.5, 1];

/**
 * The material of a geom or site.
 *
 * @param id of the material, -1 for none
 * @param own colour of the geom, which overrides the material's unless it is MuJoCo's default
 */
export function materialOf(
  mujoco: Mujoco,
  model: MjModel,
  textures: TextureReader,
  id: number,
  own: readonly [number, number, number, number],
): DrawnMaterial {
  if (id < 0) {
    return { material: { ...PLAIN, rgba: own }, texrepeat: undefined, texuniform: false };
  }
  const { mjNTEXROLE, mjTEXROLE_RGB } = mujoco.mjtTextureRole;
  const texture: number = model.mat_texid[id * mjNTEXROLE.value + mjTEXROLE_RGB.value];
  const isDefault = own.every((value, i) => value === DEFAULT_RGBA[i]);
  return {
    material: {
      rgba: isDefault ? rgbaAt(model.mat_rgba, id) : own,
      emission: model.mat_emission[id],
      specular: model.mat_specular[id],
      shininess: model.mat_shininess[id],
      reflectance: model.mat_reflectance[id],
      texture: texture < 0 ? undefined : textures.texture(texture),
    },
    texrepeat: [model.mat_texrepeat[2 * id], model.mat_texrepeat[2 * id + 1]],
    texuniform: readHandle(model.mat(id), ({ texuniform }) => Boolean(texuniform)),
  };
}

export function rgbaAt(array: Float32Array, index: number): [number, number, number, number] {
  const [r = 0, g = 0, b = 0, a = 1] = array.subarray(4 * index, 4 * index + 4);
  return [r, g, b, a];
}
