import type { MjModel } from "@mujoco/mujoco";
import type { Texture, TriangleMesh } from "../../scenes/model.js";
import type { PhysicsGeom } from "../visual/geom.js";
import { readHandle } from "./arrays.js";
import { GEOM_TYPES } from "./geom-types.js";
import { heightFieldMesh, meshOf } from "./meshes.js";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./names.js";

/**
 * All geoms of a model, for drawing, in MuJoCo's order. Meshes and textures are shared between geoms.
 *
 * @param bodies of geoms
 */
export function geomsOf(
  mujoco: Mujoco,
  model: MjModel,
  names: Names,
  bodies: Int32Array,
): readonly PhysicsGeom[] {
  const meshes = new Map<number, TriangleMesh>();
  const fields = new Map<number, TriangleMesh>();
  const textures = new Map<number, Texture>();
  const material = materialReader(mujoco, model);
  return Array.from({ length: model.ngeom }, (_, id): PhysicsGeom => {
    const type = GEOM_TYPES[model.geom_type[id]] ?? "unknown";
    const shape: number = model.geom_dataid[id];
    const body = bodies[id] ?? 0;
    const { rgba, texture, repeat, uniform } = material(id);
    return {
      name: names.name("geom", id),
      bodyName: names.name("body", body),
      body,
      type,
      size: [model.geom_size[3 * id], model.geom_size[3 * id + 1], model.geom_size[3 * id + 2]],
      rgba,
      group: model.geom_group[id],
      mesh:
        shape < 0
          ? undefined
          : type === "hfield"
            ? cached(fields, shape, (field) => heightFieldMesh(model, field))
            : type === "mesh"
              ? cached(meshes, shape, (mesh) => meshOf(model, mesh))
              : undefined,
      texture:
        texture < 0 ? undefined : cached(textures, texture, (index) => textureOf(model, index)),
      textureRepeat: repeat,
      textureUniform: uniform,
    };
  });
}

function cached<T>(cache: Map<number, T>, id: number, make: (id: number) => T): T {
  const value = cache.get(id) ?? make(id);
  cache.set(id, value);
  return value;
}

interface GeomMaterial {
  readonly rgba: readonly [number, number, number, number];
  /** -1 if there is none. */
  readonly texture: number;
  readonly repeat?: readonly [number, number];
  readonly uniform?: boolean;
}

function materialReader(mujoco: Mujoco, model: MjModel): (geom: number) => GeomMaterial {
  const roles = mujoco.mjtTextureRole;
  const colours = new Map<number, readonly [number, number, number]>();
  const textureIn = (material: number, role: number): number =>
    model.mat_texid[material * roles.mjNTEXROLE.value + role];
  return (geom) => {
    const own = rgbaAt(model.geom_rgba, geom);
    const id: number = model.geom_matid[geom];
    if (id < 0) return { rgba: own, texture: -1 };
    const rgb = textureIn(id, roles.mjTEXROLE_RGB.value);
    const texture = rgb >= 0 ? rgb : textureIn(id, roles.mjTEXROLE_RGBA.value);
    const flat = texture >= 0 && model.tex_type[texture] === mujoco.mjtTexture.mjTEXTURE_2D.value;
    // The geom's colour overrides its material's unless it is MuJoCo's default.
    const plain = own.every((x, i) => x === [0.5, 0.5, 0.5, 1][i])
      ? rgbaAt(model.mat_rgba, id)
      : own;
    return {
      rgba:
        texture < 0 || flat
          ? plain
          : tinted(
              plain,
              cached(colours, texture, (one) => meanColour(model, one)),
            ),
      texture: flat ? texture : -1,
      repeat: [model.mat_texrepeat[2 * id], model.mat_texrepeat[2 * id + 1]],
      uniform: readHandle(model.mat(id), ({ texuniform }) => Boolean(texuniform)),
    };
  };
}

/** The mean colour of a texture. It replaces cube maps, because shapes here have no coordinates for them. */
function meanColour(model: MjModel, index: number): readonly [number, number, number] {
  const { data, width, height } = textureOf(model, index);
  const sum: [number, number, number] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    sum[0] += data[at] as number;
    sum[1] += data[at + 1] as number;
    sum[2] += data[at + 2] as number;
  }
  const whole = 255 * width * height;
  return [sum[0] / whole, sum[1] / whole, sum[2] / whole];
}

function tinted(
  [r, g, b, a]: GeomMaterial["rgba"],
  [tr, tg, tb]: readonly [number, number, number],
): GeomMaterial["rgba"] {
  return [r * tr, g * tg, b * tb, a];
}

function rgbaAt(array: Float32Array, index: number): [number, number, number, number] {
  const [r = 0, g = 0, b = 0, a = 1] = array.subarray(4 * index, 4 * index + 4);
  return [r, g, b, a];
}

/** Converted to four channels. */
function textureOf(model: MjModel, index: number): Texture {
  const width: number = model.tex_width[index];
  const height: number = model.tex_height[index];
  const channels: number = model.tex_nchannel[index];
  const start: number = Number(model.tex_adr[index]);
  const bytes: Uint8Array = model.tex_data;
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < 4; channel++) {
      // With one or two channels, the first is grey; the second or fourth channel is opacity.
      const opacity = channel === 3;
      if (opacity && channels % 2 === 1) continue;
      const from = opacity ? channels - 1 : channels < 3 ? 0 : channel;
      data[4 * pixel + channel] = bytes[start + channels * pixel + from] as number;
    }
  }
  return { width, height, data };
}
