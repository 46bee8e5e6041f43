import type { MjModel } from "@mujoco/mujoco";
import { cubeTexture, imageTexture } from "../../../render/mujoco/mip-map.js";
import type { GlTexture } from "../../../render/mujoco/scene.js";
import type { Mujoco } from "../mujoco.js";

/** Reads textures of a model, each once. */
export class TextureReader {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #known = new Map<number, GlTexture | undefined>();

  constructor(mujoco: Mujoco, model: MjModel) {
    this.#mujoco = mujoco;
    this.#model = model;
  }

  /** Undefined for formats that MuJoCo's renderer skips: it draws images with three or four channels. */
  texture(index: number): GlTexture | undefined {
    if (this.#known.has(index)) return this.#known.get(index);
    const texture = this.#read(index);
    this.#known.set(index, texture);
    return texture;
  }

  /** The first sky of the model. */
  skybox(): GlTexture | undefined {
    const types: Int32Array = this.#model.tex_type;
    const index = types.indexOf(this.#mujoco.mjtTexture.mjTEXTURE_SKYBOX.value);
    return index < 0 ? undefined : this.texture(index);
  }

  #read(index: number): GlTexture | undefined {
    const model = this.#model;
    const width: number = model.tex_width[index];
    const height: number = model.tex_height[index];
    const channels: number = model.tex_nchannel[index];
    if (channels !== 3 && channels !== 4) return undefined;
    const start = Number(model.tex_adr[index]);
    const all: Uint8Array = model.tex_data;
    const bytes = all.subarray(start, start + width * height * channels);
    const data = { width, height, channels, bytes };
    const { mjtTexture, mjtColorSpace } = this.#mujoco;
    if (model.tex_type[index] === mjtTexture.mjTEXTURE_2D.value) {
      return imageTexture(
        data,
        model.tex_colorspace[index] === mjtColorSpace.mjCOLORSPACE_SRGB.value,
      );
    }
    return channels === 3 ? cubeTexture(data) : undefined;
  }
}
