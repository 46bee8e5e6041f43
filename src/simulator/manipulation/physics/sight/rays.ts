import type { DoubleBuffer, IntBuffer, MjData, MjModel } from "@mujoco/mujoco";
import type { Vec3 } from "../../../../core/math/vec3.js";
import type { Mujoco } from "../mujoco.js";

/** What a ray hits first. */
export interface RayHit {
  /** Index of the geom; -1 for nothing. */
  readonly geom: number;
  readonly distanceM: number;
}

/**
 * Geom groups that rays hit. Group 2 is visual only by MuJoCo's convention, and generated worlds that are not drawn do
 * not have it: rays must hit the same in both.
 */
const HIT_GROUPS = [1, 1, 0, 1, 1, 1];

/** Casts rays into a model. Does not change the simulation. */
export class RayCaster {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #data: MjData;
  #capacity = 0;
  #geoms: IntBuffer | undefined;
  #distances: DoubleBuffer | undefined;

  constructor(mujoco: Mujoco, model: MjModel, data: MjData) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
  }

  /**
   * @param directions of unit length
   * @param without index of a body that rays pass through
   */
  cast(from: Vec3, directions: readonly Vec3[], without: number, farM: number): readonly RayHit[] {
    const count = directions.length;
    if (count === 0) return [];
    const { geoms, distances } = this.#buffers(count);
    this.#mujoco.mj_multiRay(
      this.#model,
      this.#data,
      [...from],
      directions.flat(),
      HIT_GROUPS,
      true,
      without,
      geoms,
      distances,
      null,
      count,
      farM,
    );
    const [hits, lengths]: [Int32Array, Float64Array] = [geoms.GetView(), distances.GetView()];
    return directions.map((_, i) => ({
      geom: hits[i] as number,
      distanceM: lengths[i] as number,
    }));
  }

  dispose(): void {
    this.#geoms?.delete();
    this.#distances?.delete();
  }

  /** MuJoCo requires buffers of exactly the number of rays. */
  #buffers(count: number): { readonly geoms: IntBuffer; readonly distances: DoubleBuffer } {
    if (this.#capacity !== count || !this.#geoms || !this.#distances) {
      this.dispose();
      this.#capacity = count;
      this.#geoms = new this.#mujoco.IntBuffer(count);
      this.#distances = new this.#mujoco.DoubleBuffer(count);
    }
    return { geoms: this.#geoms, distances: this.#distances };
  }
}
